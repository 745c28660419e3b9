import CloudCore
import SQLCore

/// One row of the `entry` table, without the record.
struct IndexEntry: Hashable {
    let field: Int64
    let key: [UInt8]
}

/// Keeps one kind of index in step with the records, in the transaction that changes them.
protocol IndexMaintainer {
    /// The entries of a record, each once.
    func entries(of record: Record, schema: RecordTypeSchema) -> [IndexEntry]
}

/// Values by their order: every field but bytes and locations, each element of a list, and the stamps.
struct ValueIndex: IndexMaintainer {
    /// The public database also finds records by who made or changed them.
    let indexesUsers: Bool

    func entries(of record: Record, schema: RecordTypeSchema) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        entries.reserveCapacity(record.fields.count + 4)
        func add(_ name: String, _ value: FieldValue) {
            guard let field = schema.fields[name] else { return }
            if case .list = value {
                for key in Set(IndexKey.keys(value)) { entries.append(IndexEntry(field: field.id, key: key)) }
            } else if let key = IndexKey.key(value) {
                entries.append(IndexEntry(field: field.id, key: key))
            }
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
    let target: ExactName
    let kind: ReferenceKind

    static func entries(of record: Record) -> Set<ReferenceEntry> {
        var entries: Set<ReferenceEntry> = []
        func add(_ value: FieldValue) {
            guard case .reference(let reference) = value else { return }
            let target = ExactName(reference.recordName)
            switch reference.action {
            case .none: break
            case .validate: entries.insert(ReferenceEntry(target: target, kind: .validate))
            case .deleteSelf: entries.insert(ReferenceEntry(target: target, kind: .deleteSelf))
            }
        }
        for value in record.fields.values {
            if case .list(_, let elements) = value { elements.forEach(add) } else { add(value) }
        }
        if let parent = record.parent { entries.insert(ReferenceEntry(target: ExactName(parent), kind: .parent)) }
        return entries
    }
}
