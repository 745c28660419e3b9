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

/// Reads rows of one zone, as far as the caller may see them.
struct RecordTable {
    static let columns = "id, name, type, seq, deleted, payload"
    static let qualifiedColumns = "r.id, r.name, r.type, r.seq, r.deleted, r.payload"

    let connection: any SQLConnection
    let schema: SchemaSession
    let database: Int64
    let zone: ZoneRef
    /// The trees that are seen, by share; `nil` where everything is.
    var trees: [Int64: ZoneAccess.Tree]?
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
            select("r.zone = ?2 AND r.name = ?3"),
            each: possible.map { [.integer(database), .integer(zone.row), .text($0)] }
        ) { if let stored = try visible($1) { try body(stored) } }
    }

    /// Reads the rows in one journey; numbers without a row are left out.
    func rows(ids: [Int64], _ body: (StoredRecord) throws -> Void) throws {
        try connection.query(select("r.id = ?2"), each: ids.map { [.integer(database), .integer($0)] }) {
            if let stored = try visible($1) { try body(stored) }
        }
    }

    /// The statement for rows that are visible to somebody who sees all or some trees; `?1` is the database.
    func select(_ condition: String) -> String {
        guard trees != nil else {
            return "SELECT \(Self.qualifiedColumns) FROM record r WHERE r.db = ?1 AND \(condition)"
        }
        return """
            SELECT \(Self.qualifiedColumns), s.share FROM record r
            JOIN shared_record s ON s.db = r.db AND s.record = r.id AND s.gone = 0
            WHERE r.db = ?1 AND \(condition)
            """
    }

    /// Reads the row under the cursor of ``select(_:)``; `nil` if it is of another tree.
    func visible(_ row: any SQLRow) throws -> StoredRecord? {
        guard let trees else { return try read(row) }
        guard let tree = trees[row.integer(6)] else { return nil }
        return try read(row).shown(in: tree)
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

extension StoredRecord {
    /// As participants see it: what a root lies in is not theirs.
    func shown(in tree: ZoneAccess.Tree) -> StoredRecord {
        guard row == tree.root, record.parent != nil else { return self }
        var shown = record
        shown.parent = nil
        return StoredRecord(
            row: row, typeID: typeID, sequence: sequence, isDeleted: isDeleted, bytes: bytes, record: shown)
    }
}

/// A record's change tag: the number of its last change in base 36.
enum ChangeTag {
    static func text(_ sequence: Int64) -> String { String(sequence, radix: 36) }
}
