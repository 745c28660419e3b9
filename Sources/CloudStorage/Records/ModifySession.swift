import CloudCore
import SQLCore

/// A change that subscriptions are to hear of.
struct RecordChange {
    var old: Record?
    var new: Record?

    var event: Subscription.Event { old == nil ? .create : new == nil ? .delete : .update }
}

/// One run over the operations of a `records/modify`: decides in memory, in the order of the operations. Nothing but
/// the schema is written before ``write()``.
final class ModifySession {
    let transaction: CloudTransaction
    /// What the writer may do.
    let access: ZoneAccess
    let database: DatabaseRef
    let table: RecordTable
    let writer: Writer
    let schema: SchemaSession
    let index: RecordIndexes
    /// Names that this request saves, less those known to fail: what a reference may rest on before it is written.
    let promised: Set<ExactName>
    /// Names that this request deletes.
    let doomed: Set<ExactName>
    var counter: Int64
    var changes: [RecordChange] = []
    /// Promised names that a reference did rest on.
    var reliedOn: Set<ExactName> = []
    /// What the request does to shares.
    var sharing: SharingChanges
    let rows: WorkingSet
    private let assets: AssetLedger
    let tree: SharedTree
    let moved: MovedTrees
    /// Whether the request has but one operation.
    private(set) var isAlone = false
    /// The parents that operations of this request give their records.
    private(set) var promisedParents: [ExactName: String] = [:]

    init(
        _ transaction: CloudTransaction, _ access: ZoneAccess, writer: Writer, promised: Set<ExactName>,
        doomed: Set<ExactName>
    ) {
        self.transaction = transaction
        self.access = access
        database = access.database
        self.writer = writer
        self.promised = promised
        self.doomed = doomed
        schema = SchemaSession(transaction, database.id)
        table = RecordTable(
            connection: transaction.connection, schema: schema, database: database.row, zone: access.zone,
            viewer: transaction.shareViewer(writer.userName, in: database.id))
        sharing = SharingChanges(zone: access.zone.sharing)
        rows = WorkingSet(table, transaction.memory)
        assets = AssetLedger(transaction, database, writer)
        tree = SharedTree(transaction, database: database, table: table, rows: rows)
        index = RecordIndexes(of: database.id, reach: access.zone.reach)
        moved = MovedTrees(rows, tree, limit: transaction.limits.treeLevels)
        counter = database.counter
    }

    var isPublic: Bool { database.id.scope == .public }

    /// Reads at once what the operations will ask for, as far as it can be told from outside.
    func load(_ operations: [RecordOperation]) throws {
        isAlone = operations.count == 1
        for operation in operations {
            if case .some(.some(let parent)) = operation.parent {
                promisedParents[ExactName(operation.id.name)] = parent
            }
        }
        let needs = RecordNeeds(operations)
        try rows.load(needs.names, needs.targets)
        try assets.load(operations)
        try moved.note(operations)
        if access.trees != nil { try tree.load(needs.names.compactMap { try rows.row(named: $0.text) }) }
    }

    /// Sends what the operations changed.
    func write() throws {
        try assets.write()
        transaction.added(try rows.write(index: index, schema: schema, at: transaction.now))
    }

    /// Bytes by which what was written is more than what was there.
    var growth: Int64 { rows.growth }

    /// Sends what that means for the trees of the zone.
    func writeTrees() throws {
        for share in sharing.ended where !share.isWhole { tree.left(root: share.root, share: share.row) }
        for share in sharing.made where !share.isWhole { tree.enter(root: share.root, share: share.row) }
        counter = try tree.write(after: counter, moved)
    }

    func perform(_ operation: RecordOperation) throws -> ModifiedRecord {
        let isUser = isOwnUserRecord(operation)
        if !isUser, let violation = NameRule.violation(in: operation.id.name, of: "record name") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        var old = try visibleRecord(named: operation.id.name)
        if let share = try shareLeft(by: operation, on: old) {
            try leave(share)
            return .deleted(operation.id)
        }
        if (old?.type ?? operation.recordType) != Sharing.recordType { try requireWriting() }
        // A user's record has always been there, with tag 0 until something is saved in it.
        if isUser, old == nil, operation.type != .create {
            old = UserRecord.fresh(writer.userName, zone: table.zone.id, now: transaction.now)
        }
        switch operation.type {
        case .delete, .forceDelete:
            try delete(operation, old)
            return .deleted(operation.id)
        case .create:
            if let old { throw try exists(old) }
        case .update, .replace:
            guard let tag = operation.changeTag, !tag.isEmpty else {
                throw CloudError(
                    .badRequest, "\(operation.type.rawValue) of record '\(operation.id.name)' needs a recordChangeTag",
                    nativeCode: 12)
            }
            guard let old else { throw notFound(operation.id.name) }
            guard isCurrent(tag, of: old) else { throw try conflict(old) }
        case .forceUpdate, .forceReplace:
            if let old, old.type == Sharing.recordType, !isCurrent(operation.changeTag, of: old) {
                throw try conflict(old)
            }
        }
        return .saved(try shown(save(operation, old: old)))
    }

    private func isOwnUserRecord(_ operation: RecordOperation) -> Bool {
        operation.id.name == writer.userName && table.zone.id.isDefault
            && (operation.recordType == nil || operation.recordType == UserRecord.type)
    }

    private func save(_ operation: RecordOperation, old: Record?) throws -> Record {
        let name = operation.id.name
        if let old {
            try requireWriting(old)
            if let type = operation.recordType, type != old.type {
                throw CloudError(
                    .badRequest,
                    "record '\(name)' is of type '\(old.type)'; it cannot become '\(type)'", nativeCode: 12)
            }
        } else if operation.recordType == UserRecord.type || name.hasPrefix("_") {
            throw CloudError(.badRequest, "records of type '\(UserRecord.type)' cannot be created", nativeCode: 12)
        }
        guard let typeName = old?.type ?? operation.recordType else {
            throw CloudError(
                .badRequest, "record '\(name)' does not exist and cannot be made without a recordType", nativeCode: 12)
        }
        let isShare = typeName == Sharing.recordType
        if !isShare, let violation = NameRule.identifierViolation(in: typeName, of: "record type") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        let stamp = RecordStamp(
            timestamp: transaction.now, userRecordName: writer.userName, deviceID: writer.deviceID)
        var record =
            old
            ?? Record(id: operation.id, type: typeName, changeTag: "", fields: [:], created: stamp, modified: stamp)
        record.modified = stamp
        let keepsFields = operation.type == .update || operation.type == .forceUpdate
        if !keepsFields { record.fields = [:] }
        let drafts = try assets.resolved(checkedDrafts(operation, isShare: isShare), of: typeName, old: old)
        if let parent = operation.parent { record.parent = parent } else if !keepsFields { record.parent = nil }
        if let parent = record.parent, parent == name {
            throw CloudError(.badRequest, "record '\(name)' cannot be its own parent", nativeCode: 12)
        }
        try requirePlace(of: &record, over: old)
        for draft in drafts { record.fields[draft.name] = draft.value }
        let references = ReferenceEntry.entries(of: record)
        try check(references, of: record, old: old)
        try checkSize(record)
        let share = try isShare ? plannedShare(operation, &record, old: old) : nil
        if !isShare { try planShortGUID(operation, &record) }
        // Schema changes come after every check that can be made without them, so a refused item leaves no type behind.
        let known = try schema.type(named: typeName)
        try schema.requireRoom(for: drafts, in: known, named: typeName)
        for draft in drafts {
            guard let value = draft.value, let field = known?.fields[draft.name], field.type != value.type else {
                continue
            }
            if case .unknownList = field.type, case .list = value.type { continue }
            if value.conformed(to: field.type, isTyped: draft.isTyped) == nil {
                _ = try schema.conform(draft, value, in: known ?? schema.typeForWriting(named: typeName))
            }
        }
        let type = try schema.typeForWriting(named: typeName)
        for draft in drafts {
            guard let value = draft.value, type.fields[draft.name]?.type != value.type else { continue }
            record.fields[draft.name] = try schema.conform(draft, value, in: type)
        }
        counter += 1
        record.changeTag = ChangeTag.text(counter)
        try rows.save(record, references, typeID: type.id, sequence: counter)
        assets.keep()
        changes.append(RecordChange(old: old, new: record))
        if let share { record.sharing = try carryOut(share, record) }
        if !isShare, let guid = record.shortGUID, old?.shortGUID == nil { try keep(guid, of: rows.row(named: name)) }
        return record
    }

    private func delete(_ operation: RecordOperation, _ old: Record?) throws {
        guard let old else { return }
        if old.type == UserRecord.type {
            throw CloudError(.badRequest, "records of type '\(UserRecord.type)' cannot be deleted", nativeCode: 15)
        }
        try requireWriting(old)
        if operation.type == .delete, let tag = operation.changeTag, !tag.isEmpty, !isCurrent(tag, of: old) {
            throw try conflict(old)
        }
        if old.type == Sharing.recordType, !isOwner { return try leave(old) }
        // Everything that goes along, then children that would be left without their parent.
        var going: [Record] = [old]
        var names: Set<ExactName> = [ExactName(old.id.name)]
        var next = 0
        while next < going.count {
            if let share = try shareGoing(with: going[next]), names.insert(ExactName(share.id.name)).inserted {
                going.append(share)
            }
            for source in try rows.sources(of: going[next].id.name, kind: .deleteSelf) {
                guard let dependent = try rows.record(row: source) else { continue }
                if names.insert(ExactName(dependent.id.name)).inserted { going.append(dependent) }
            }
            next += 1
        }
        for record in going { try requireDeleting(record) }
        for record in going {
            for source in try rows.sources(of: record.id.name, kind: .parent) {
                guard let child = try rows.record(row: source) else { continue }
                let name = ExactName(child.id.name)
                if names.contains(name) || doomed.contains(name) { continue }
                throw CloudError(
                    .validatingReferenceError,
                    "record '\(record.id.name)' cannot be deleted: it is the parent of record '\(child.id.name)'",
                    nativeCode: 31)
            }
        }
        try endShares(of: going)
        for record in going {
            counter += 1
            try rows.bury(record.id.name, sequence: counter)
            changes.append(RecordChange(old: record, new: nil))
        }
    }
}
