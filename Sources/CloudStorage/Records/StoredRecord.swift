import CloudCore
import SQLCore

/// A row of the `record` table: a record, or the tombstone of one.
struct StoredRecord {
    let row: Int64
    let typeID: Int64
    let sequence: Int64
    let isDeleted: Bool
    /// The size of its stored form.
    let bytes: Int
    /// Empty content for a tombstone.
    let record: Record
}

/// Reads rows of one zone.
struct RecordTable {
    static let columns = "id, name, type, seq, deleted, payload"

    let connection: any SQLConnection
    let schema: SchemaSession
    let database: Int64
    let zone: ZoneRef
    /// Who is to see what the share records say of their sharing; for nobody they say nothing.
    var viewer: ShareViewer?

    /// The number of a new row: unique among all databases, since `sequence` is the change that makes it.
    static func rowNumber(database: Int64, sequence: Int64) -> Int64 { database << 40 | sequence }

    var shares: ShareTable { ShareTable(connection: connection, database: database) }

    /// Reads the rows of the names, live and tombstones, in one journey; names without a row are left out.
    func rows(named names: [String], _ body: (StoredRecord) throws -> Void) throws {
        // No record has a NUL in its name, and not every database takes one in a text.
        let possible = names.contains { $0.utf8.contains(0) } ? names.filter { !$0.utf8.contains(0) } : names
        try connection.query(
            "SELECT \(Self.columns) FROM record WHERE db = ?1 AND zone = ?2 AND name = ?3",
            each: possible.map { [.integer(database), .integer(zone.row), .text($0)] }
        ) { try body(try read($1)) }
    }

    /// Reads the rows in one journey; numbers without a row are left out.
    func rows(ids: [Int64], _ body: (StoredRecord) -> Void) throws {
        try connection.query(
            "SELECT \(Self.columns) FROM record WHERE db = ?1 AND id = ?2",
            each: ids.map { [.integer(database), .integer($0)] }
        ) { body(try read($1)) }
    }

    func row(id: Int64) throws -> StoredRecord? {
        var found: StoredRecord?
        try rows(ids: [id]) { found = $0 }
        return found
    }

    func record(named name: String) throws -> StoredRecord? {
        var found: StoredRecord?
        try rows(named: [name]) { if !$0.isDeleted { found = $0 } }
        return found
    }

    /// Reads the row under the cursor, whose columns are ``columns``.
    func read(_ row: any SQLRow) throws -> StoredRecord {
        let typeID = row.integer(2)
        let sequence = row.integer(3)
        let isDeleted = row.integer(4) != 0
        let id = RecordID(name: row.text(1), zone: zone.id)
        let content: RecordCodec.Content
        var bytes = 0
        if isDeleted {
            let none = RecordStamp(timestamp: 0, userRecordName: "", deviceID: "")
            content = .init(fields: [:], created: none, modified: none)
        } else {
            let payload = row.blob(5)
            bytes = payload.count
            do { content = try RecordCodec.decode(payload) } catch {
                throw CloudError(.internalError, "record '\(id.name)' cannot be read back: its stored form is damaged")
            }
        }
        var record = Record(
            id: id, type: try schema.typeName(typeID), changeTag: ChangeTag.text(sequence), fields: content.fields,
            parent: content.parent, share: content.share, shortGUID: content.shortGUID, created: content.created,
            modified: content.modified)
        let number = row.integer(0)
        if let viewer, !isDeleted, record.type == Sharing.recordType {
            record.sharing = try shares.share(number).map { try viewer.sharing($0, of: zone.id.owner) }
        }
        return StoredRecord(
            row: number, typeID: typeID, sequence: sequence, isDeleted: isDeleted, bytes: bytes, record: record)
    }
}

/// A record's change tag: the number of its last change in base 36.
enum ChangeTag {
    static func text(_ sequence: Int64) -> String { String(sequence, radix: 36) }
}
