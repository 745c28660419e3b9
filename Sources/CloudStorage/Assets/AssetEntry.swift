package import CloudCore
import SQLCore

/// One row of the `asset_reference` table, without the record that holds the asset.
struct AssetEntry: Hashable {
    let content: [UInt8]
    let size: Int64

    /// The files of a record, each once however many fields hold it.
    static func entries(of record: Record) -> Set<AssetEntry> {
        var entries: Set<AssetEntry> = []
        for value in record.fields.values {
            for asset in value.assets { entries.insert(AssetEntry(content: asset.content, size: asset.size)) }
        }
        return entries
    }

    static let insert = SQLInsert(
        into: "asset_reference",
        [
            .init("db", .integer), .init("zone", .integer), .init("record", .integer), .init("content", .blob),
            .init("size", .integer),
        ])

    /// Takes the file from a record and tells the collection.
    func remove(_ database: Int64, _ zone: Int64, _ record: Int64, at now: Int64, on connection: any SQLConnection)
        throws
    {
        try connection.post(
            "DELETE FROM asset_reference WHERE db = ?1 AND zone = ?2 AND record = ?3 AND content = ?4",
            .integer(database), .integer(zone), .integer(record), .blob(content))
        try Self.release(content, database, at: now, on: connection)
    }

    /// Lists a file for the collection. Whoever lets go of one says so under a new number, which a collection that looked
    /// before will not have seen.
    /// - Parameter now: Milliseconds since 1970.
    static func release(_ content: [UInt8], _ database: Int64, at now: Int64, on connection: any SQLConnection) throws {
        try connection.post(
            """
            INSERT INTO asset_release (db, content, since, turn) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (db, content) DO UPDATE SET since = excluded.since, turn = excluded.turn
            """, .integer(database), .blob(content), .integer(now), .integer(.random(in: 1 ... .max)))
    }
}

extension CloudTransaction {
    /// Takes the files from all records of a zone, or of a whole database.
    func releaseAssets(ofDatabase database: Int64, zone: Int64? = nil) throws {
        let (place, binds): (String, [SQLValue]) =
            zone.map { ("db = ?1 AND zone = ?2", [.integer(database), .integer($0)]) }
            ?? ("db = ?1", [.integer(database)])
        var contents: Set<[UInt8]> = []
        func note(_ table: String, _ place: String, _ binds: [SQLValue]) throws {
            try connection.query("SELECT DISTINCT content FROM \(table) WHERE \(place)", binds) { row in
                contents.insert(row.blob(0))
                return true
            }
            try connection.post("DELETE FROM \(table) WHERE \(place)", binds)
        }
        try note("asset_reference", place, binds)
        if zone == nil { try note("asset_receipt", place, binds) }
        for content in contents {
            try AssetEntry.release(content, database, at: now, on: connection)
        }
    }

    /// Bytes of the files that a database's records hold, and of those uploaded for it and not saved yet. A file that
    /// several records hold counts for each.
    package func assetBytes(in id: DatabaseID) throws -> Int64 {
        let database = try database(id)
        var bytes: Int64 = 0
        for table in ["asset_reference", "asset_receipt"] {
            bytes +=
                try connection.first(
                    "SELECT CAST(COALESCE(SUM(size), 0) AS \(connection.dialect.number)) FROM \(table) WHERE db = ?1",
                    .integer(database.row)
                ) { $0.integer(0) } ?? 0
        }
        return bytes
    }
}
