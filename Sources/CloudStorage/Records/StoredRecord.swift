import CloudCore
import SQLCore

/// A row of the `record` table: a record, or the tombstone of one.
struct StoredRecord {
    let row: Int64
    let typeID: Int64
    let sequence: Int64
    let isDeleted: Bool
    /// Empty type name and content for a tombstone.
    let record: Record
}

/// Reads and writes rows of one zone.
struct RecordTable {
    static let columns = "id, name, type, seq, deleted, payload"

    let connection: any SQLConnection
    let schema: SchemaSession
    let database: Int64
    let zone: ZoneRef

    /// The row of a record name, live or tombstone.
    func row(named name: String) throws -> StoredRecord? {
        try connection.first(
            "SELECT \(Self.columns) FROM record WHERE db = ?1 AND zone = ?2 AND name = ?3",
            .integer(database), .integer(zone.row), .text(name)
        ) { try read($0) }
    }

    func row(id: Int64) throws -> StoredRecord? {
        try connection.first("SELECT \(Self.columns) FROM record WHERE id = ?1", .integer(id)) { try read($0) }
    }

    func record(named name: String) throws -> StoredRecord? {
        guard let row = try row(named: name), !row.isDeleted else { return nil }
        return row
    }

    /// Reads the row under the cursor, whose columns are ``columns``.
    func read(_ row: any SQLRow) throws -> StoredRecord {
        let typeID = row.integer(2)
        let sequence = row.integer(3)
        let isDeleted = row.integer(4) != 0
        let id = RecordID(name: row.text(1), zone: zone.id)
        let content: RecordCodec.Content
        if isDeleted {
            let none = RecordStamp(timestamp: 0, userRecordName: "", deviceID: "")
            content = .init(fields: [:], parent: nil, created: none, modified: none)
        } else {
            do { content = try RecordCodec.decode(row.blob(5)) } catch {
                throw CloudError(.internalError, "record '\(id.name)' cannot be read back: its stored form is damaged")
            }
        }
        return StoredRecord(
            row: row.integer(0), typeID: typeID, sequence: sequence, isDeleted: isDeleted,
            record: Record(
                id: id, type: try schema.typeName(typeID), changeTag: ChangeTag.text(sequence), fields: content.fields,
                parent: content.parent, created: content.created, modified: content.modified))
    }

    /// Writes the record over `old` (a row of the same name) or as a new row.
    /// - Returns: The row's id.
    func write(_ content: [UInt8], name: String, typeID: Int64, sequence: Int64, over old: StoredRecord?) throws
        -> Int64
    {
        if let old {
            try connection.execute(
                "UPDATE record SET type = ?2, seq = ?3, deleted = 0, payload = ?4 WHERE id = ?1", .integer(old.row),
                .integer(typeID), .integer(sequence), .blob(content))
            return old.row
        }
        let made = try connection.first(
            """
            INSERT INTO record (db, zone, name, type, seq, deleted, payload) VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6)
            RETURNING id
            """, .integer(database), .integer(zone.row), .text(name), .integer(typeID), .integer(sequence),
            .blob(content)
        ) { $0.integer(0) }
        guard let made else { throw CloudError(.internalError, "record '\(name)' was not stored") }
        return made
    }

    /// Turns the row into a tombstone.
    func bury(_ row: Int64, sequence: Int64) throws {
        try connection.execute(
            "UPDATE record SET seq = ?2, deleted = 1, payload = ?3 WHERE id = ?1", .integer(row), .integer(sequence),
            .blob([]))
    }

    /// Replaces the entries of `old` by those of `new`, touching only what differs.
    func updateEntries(
        row: Int64, old: Record?, new: Record?, oldSchema: RecordTypeSchema?, newSchema: RecordTypeSchema?,
        index: any IndexMaintainer
    ) throws {
        func entries(_ record: Record?, _ schema: RecordTypeSchema?) -> Set<IndexEntry> {
            guard let record, let schema else { return [] }
            return index.entries(of: record, schema: schema)
        }
        let before = entries(old, oldSchema)
        let after = entries(new, newSchema)
        for entry in before.subtracting(after) {
            try connection.execute(
                "DELETE FROM entry WHERE db = ?1 AND zone = ?2 AND field = ?3 AND key = ?4 AND record = ?5",
                .integer(database), .integer(zone.row), .integer(entry.field), .blob(entry.key), .integer(row))
        }
        for entry in after.subtracting(before) {
            try connection.execute(
                "INSERT INTO entry (db, zone, field, key, record) VALUES (?1, ?2, ?3, ?4, ?5)",
                .integer(database), .integer(zone.row), .integer(entry.field), .blob(entry.key), .integer(row))
        }
        let referredBefore = old.map(ReferenceEntry.entries) ?? []
        let referredAfter = new.map(ReferenceEntry.entries) ?? []
        for entry in referredBefore.subtracting(referredAfter) {
            try connection.execute(
                "DELETE FROM reference WHERE db = ?1 AND zone = ?2 AND target = ?3 AND kind = ?4 AND source = ?5",
                .integer(database), .integer(zone.row), .text(entry.targetName), .integer(entry.kind.rawValue),
                .integer(row))
        }
        for entry in referredAfter.subtracting(referredBefore) {
            try connection.execute(
                "INSERT INTO reference (db, zone, target, kind, source) VALUES (?1, ?2, ?3, ?4, ?5)",
                .integer(database), .integer(zone.row), .text(entry.targetName), .integer(entry.kind.rawValue),
                .integer(row))
        }
    }

    /// Rows of the records that refer to `target` in this way.
    func sources(of target: String, kind: ReferenceKind, limit: Int = .max) throws -> [Int64] {
        var rows: [Int64] = []
        try connection.query(
            "SELECT source FROM reference WHERE db = ?1 AND zone = ?2 AND target = ?3 AND kind = ?4 LIMIT ?5",
            [
                .integer(database), .integer(zone.row), .text(target), .integer(kind.rawValue),
                .integer(Int64(limit)),
            ]
        ) { row in
            rows.append(row.integer(0))
            return true
        }
        return rows
    }
}

/// A record's change tag: the number of its last change in base 36.
enum ChangeTag {
    static func text(_ sequence: Int64) -> String { String(sequence, radix: 36) }
}
