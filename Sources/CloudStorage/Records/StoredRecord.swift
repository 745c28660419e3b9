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

/// A row of the `record` table as the database gives it; reading it takes the schema.
struct RecordRow {
    static let columns = "id, name, type, seq, deleted, payload"
    static let qualifiedColumns = "r.id, r.name, r.type, r.seq, r.deleted, r.payload"
    static let byName = SQLLookup(
        columns, from: "record", by: [.init("db", .integer), .init("zone", .integer), .init("name", .text)])

    let row: Int64
    let name: String
    let typeID: Int64
    let sequence: Int64
    /// `nil` for a tombstone.
    let payload: [UInt8]?

    /// - Parameter row: One whose first columns are ``columns``.
    init(_ row: any SQLRow) {
        self.row = row.integer(0)
        name = row.text(1)
        typeID = row.integer(2)
        sequence = row.integer(3)
        payload = row.integer(4) != 0 ? nil : row.blob(5)
    }
}

/// Reads rows of one zone, as far as the caller may see them.
struct RecordTable {
    static let columns = RecordRow.columns
    static let qualifiedColumns = RecordRow.qualifiedColumns

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
        let keys: [[SQLValue]] = possible.map { [.integer(database), .integer(zone.row), .text($0)] }
        if trees == nil {
            try connection.find([SQLSearch(RecordRow.byName, keys)]) { try body(try read(RecordRow($2))) }
        } else {
            try connection.query(select("r.zone = ?2 AND r.name = ?3"), each: keys) {
                if let stored = try visible($1) { try body(stored) }
            }
        }
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
    func read(_ row: any SQLRow) throws -> StoredRecord { try read(RecordRow(row)) }

    func read(_ row: RecordRow) throws -> StoredRecord {
        let id = RecordID(name: row.name, zone: zone.id)
        let content: RecordCodec.Content
        if let payload = row.payload {
            do { content = try RecordCodec.decode(payload) } catch {
                throw CloudError(.internalError, "record '\(id.name)' cannot be read back: its stored form is damaged")
            }
        } else {
            let none = RecordStamp(timestamp: 0, userRecordName: "", deviceID: "")
            content = .init(fields: [:], created: none, modified: none)
        }
        var record = Record(
            id: id, type: try schema.typeName(row.typeID), changeTag: ChangeTag.text(row.sequence),
            fields: content.fields, parent: content.parent, share: content.share, shortGUID: content.shortGUID,
            created: content.created, modified: content.modified)
        if let viewer, row.payload != nil, record.type == Sharing.recordType {
            record.sharing = try shares.share(row.row).map { try viewer.sharing($0, of: zone.id.owner) }
        }
        return StoredRecord(
            row: row.row, typeID: row.typeID, sequence: row.sequence, isDeleted: row.payload == nil,
            bytes: row.payload?.count ?? 0, record: record)
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
