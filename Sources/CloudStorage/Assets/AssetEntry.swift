import CloudCore
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
    /// Takes the files from all records of a zone.
    func releaseAssets(ofZone zone: Int64, in database: Int64) throws {
        let place: [SQLValue] = [.integer(database), .integer(zone)]
        let contents = try contents("SELECT DISTINCT content FROM asset_reference WHERE db = ?1 AND zone = ?2", place)
        try connection.post("DELETE FROM asset_reference WHERE db = ?1 AND zone = ?2", place)
        for content in contents { try AssetEntry.release(content, database, at: now, on: connection) }
    }

    /// Takes the files from records of a database, and from uploads for it.
    /// - Parameter limit: The most records, or uploads, to take them from now.
    /// - Returns: Whether no file is left to take.
    func releaseAssets(ofDatabase database: Int64, limit: Int) throws -> Bool {
        for table in CloudSchema.databaseTables where ["asset_reference", "asset_receipt"].contains(table.name) {
            let key = (["db"] + table.key).joined(separator: ", ")
            let first = "FROM \(table.name) WHERE db = ?1 ORDER BY \(key) LIMIT ?2"
            let binds: [SQLValue] = [.integer(database), .integer(Int64(limit))]
            for content in try contents("SELECT DISTINCT content FROM (SELECT content \(first)) taken", binds) {
                try AssetEntry.release(content, database, at: now, on: connection)
            }
            let count = try connection.execute(
                "DELETE FROM \(table.name) WHERE (\(key)) IN (SELECT \(key) \(first))", .integer(database),
                .integer(Int64(limit)))
            if count == limit { return false }
        }
        return true
    }

    private func contents(_ query: String, _ binds: [SQLValue]) throws -> [[UInt8]] {
        var contents: [[UInt8]] = []
        try connection.query(query, binds) { row in
            contents.append(row.blob(0))
            return true
        }
        return contents
    }
}
