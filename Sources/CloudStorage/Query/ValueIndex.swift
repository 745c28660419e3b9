import CloudCore
import SQLCore

/// One row of the `entry` table, without the record.
struct IndexEntry: Hashable {
    let field: Int64
    let key: [UInt8]
}

/// Keeps one kind of index in step with the records, in the transaction that changes them.
protocol IndexMaintainer {
    func entries(of record: Record, schema: RecordTypeSchema) -> Set<IndexEntry>
}

/// Values by their order: every field but bytes, each element of a list, and the stamps.
struct ValueIndex: IndexMaintainer {
    /// The public database also finds records by who made or changed them.
    let indexesUsers: Bool

    func entries(of record: Record, schema: RecordTypeSchema) -> Set<IndexEntry> {
        var entries: Set<IndexEntry> = []
        func add(_ name: String, _ value: FieldValue) {
            guard let field = schema.fields[name] else { return }
            for key in IndexKey.keys(value) { entries.insert(IndexEntry(field: field.id, key: key)) }
        }
        for (name, value) in record.fields { add(name, value) }
        add(SystemField.createdTimestamp.schemaName, .timestamp(record.created.timestamp))
        add(SystemField.modifiedTimestamp.schemaName, .timestamp(record.modified.timestamp))
        if indexesUsers {
            add(
                SystemField.createdUserRecordName.schemaName,
                .reference(Reference(recordName: record.created.userRecordName)))
            add(
                SystemField.modifiedUserRecordName.schemaName,
                .reference(Reference(recordName: record.modified.userRecordName)))
        }
        return entries
    }
}

/// Why a record is kept from being lost, or goes with another.
enum ReferenceKind: Int64 {
    case validate = 1
    case deleteSelf = 2
    case parent = 3
}

/// One row of the `reference` table, without the record that refers.
struct ReferenceEntry: Hashable {
    /// UTF-8, so that names which only look alike stay apart.
    let target: [UInt8]
    let kind: ReferenceKind

    var targetName: String { String(decoding: target, as: UTF8.self) }

    static func entries(of record: Record) -> Set<ReferenceEntry> {
        var entries: Set<ReferenceEntry> = []
        func add(_ value: FieldValue) {
            guard case .reference(let reference) = value else { return }
            let target = Array(reference.recordName.utf8)
            switch reference.action {
            case .none: break
            case .validate: entries.insert(ReferenceEntry(target: target, kind: .validate))
            case .deleteSelf: entries.insert(ReferenceEntry(target: target, kind: .deleteSelf))
            }
        }
        for value in record.fields.values {
            if case .list(_, let elements) = value { elements.forEach(add) } else { add(value) }
        }
        if let parent = record.parent { entries.insert(ReferenceEntry(target: Array(parent.utf8), kind: .parent)) }
        return entries
    }
}
