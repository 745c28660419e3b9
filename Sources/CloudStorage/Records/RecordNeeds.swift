package import CloudCore

/// What operations on records will ask for, as far as it can be told from outside.
package struct RecordNeeds: Sendable {
    /// The records themselves, those they refer to, and their parents.
    private(set) var names: Set<ExactName> = []
    /// Records whose referring rows are asked for.
    private(set) var targets: Set<WorkingSet.Target> = []
    /// Types whose subscriptions may be told.
    private(set) var recordTypes: Set<ExactName> = []

    /// - Parameter count: The operations to come.
    package init(capacity count: Int) { names.reserveCapacity(count) }

    package init(_ operations: [RecordOperation]) {
        self.init(capacity: operations.count)
        for operation in operations {
            add(
                operation.type, operation.id.name, recordType: operation.recordType, operation.fields,
                parent: operation.parent ?? nil, shareRoot: operation.sharing?.root)
        }
    }

    /// - Parameters:
    ///   - recordType: `nil` when the operation does not say.
    ///   - parent: `nil` when there is none or the operation does not say.
    ///   - shareRoot: The record that a share is for.
    package mutating func add(
        _ type: RecordOperationType, _ name: String, recordType: String?, _ fields: [FieldDraft], parent: String?,
        shareRoot: String? = nil
    ) {
        let name = ExactName(name)
        names.insert(name)
        switch type {
        case .delete, .forceDelete:
            targets.insert(.init(name: name, kind: .deleteSelf))
            targets.insert(.init(name: name, kind: .parent))
        default:
            for field in fields { if let value = field.value { add(value) } }
            if let parent { names.insert(ExactName(parent)) }
            if let shareRoot { names.insert(ExactName(shareRoot)) }
        }
        if let recordType { recordTypes.insert(ExactName(recordType)) }
    }

    private mutating func add(_ value: FieldValue) {
        switch value {
        case .reference(let reference):
            let name = ExactName(reference.recordName)
            if reference.action != .none { names.insert(name) }
            if reference.action == .deleteSelf { targets.insert(.init(name: name, kind: .deleteSelf)) }
        case .list(_, let elements): for element in elements { add(element) }
        default: break
        }
    }
}
