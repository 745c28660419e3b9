import CloudCore
import SQLCore

/// A change that subscriptions are to hear of.
struct RecordChange {
    var old: Record?
    var new: Record?

    var event: Subscription.Event { old == nil ? .create : new == nil ? .delete : .update }
}

/// One run over the operations of a `records/modify`. Thrown away when its savepoint rolls back.
final class ModifySession {
    let transaction: CloudTransaction
    let database: DatabaseRef
    let table: RecordTable
    let writer: Writer
    let schema: SchemaSession
    let index: ValueIndex
    /// Names that this request saves, less those known to fail: what a reference may rest on before it is written.
    let promised: Set<[UInt8]>
    /// Names that this request deletes.
    let doomed: Set<[UInt8]>
    private(set) var counter: Int64
    private(set) var changes: [RecordChange] = []
    /// Promised names that a reference did rest on.
    private(set) var reliedOn: Set<[UInt8]> = []

    init(
        _ transaction: CloudTransaction, database: DatabaseRef, zone: ZoneRef, writer: Writer, promised: Set<[UInt8]>,
        doomed: Set<[UInt8]>
    ) {
        self.transaction = transaction
        self.database = database
        self.writer = writer
        self.promised = promised
        self.doomed = doomed
        schema = SchemaSession(transaction, database.id)
        table = RecordTable(
            connection: transaction.connection, schema: schema, database: database.row, zone: zone)
        index = ValueIndex(indexesUsers: database.id.scope == .public)
        counter = database.counter
    }

    var isPublic: Bool { database.id.scope == .public }

    func perform(_ operation: RecordOperation) throws -> ModifiedRecord {
        let isUser = isOwnUserRecord(operation)
        if !isUser, let violation = NameRule.violation(in: operation.id.name, of: "record name") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        let row = try table.row(named: operation.id.name)
        var old = row?.isDeleted == false ? row : nil
        // A user's record has always been there, with tag 0 until something is saved in it.
        let isFresh = isUser && old == nil && operation.type != .create
        if isFresh { old = try bringUserRecordIntoBeing(over: row) }
        switch operation.type {
        case .delete, .forceDelete:
            try delete(operation, old)
            return .deleted(operation.id)
        case .create:
            if let old { throw exists(old.record) }
        case .update, .replace:
            guard let tag = operation.changeTag, !tag.isEmpty else {
                throw CloudError(
                    .badRequest, "\(operation.type.rawValue) of record '\(operation.id.name)' needs a recordChangeTag",
                    nativeCode: 12)
            }
            guard let old else { throw notFound(operation.id.name) }
            guard tag == old.record.changeTag || isFresh && tag == ChangeTag.text(0) else { throw conflict(old.record) }
        case .forceUpdate, .forceReplace: break
        }
        return .saved(try save(operation, old: old, over: old ?? row))
    }

    private func save(_ operation: RecordOperation, old: StoredRecord?, over row: StoredRecord?) throws -> Record {
        let name = operation.id.name
        if let old {
            try requireWriteRight(old.record)
            if let type = operation.recordType, type != old.record.type {
                throw CloudError(
                    .badRequest,
                    "record '\(name)' is of type '\(old.record.type)'; it cannot become '\(type)'", nativeCode: 12)
            }
        } else if operation.recordType == UserRecord.type || name.hasPrefix("_") {
            throw CloudError(.badRequest, "records of type '\(UserRecord.type)' cannot be created", nativeCode: 12)
        }
        guard let typeName = old?.record.type ?? operation.recordType else {
            throw CloudError(
                .badRequest, "record '\(name)' does not exist and cannot be made without a recordType", nativeCode: 12)
        }
        if let violation = NameRule.identifierViolation(in: typeName, of: "record type") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        let stamp = RecordStamp(
            timestamp: transaction.now, userRecordName: writer.userName, deviceID: writer.deviceID)
        var record =
            old?.record
            ?? Record(id: operation.id, type: typeName, changeTag: "", fields: [:], created: stamp, modified: stamp)
        record.modified = stamp
        let keepsFields = operation.type == .update || operation.type == .forceUpdate
        if !keepsFields { record.fields = [:] }
        let drafts = try checkedDrafts(operation)
        // Schema changes come after every check that can be made without them, so a refused item leaves no type behind.
        for draft in drafts where draft.value == nil { record.fields[draft.name] = nil }
        if let parent = operation.parent { record.parent = parent } else if !keepsFields { record.parent = nil }
        if let parent = record.parent, parent == name {
            throw CloudError(.badRequest, "record '\(name)' cannot be its own parent", nativeCode: 12)
        }
        var preview = record
        for draft in drafts { preview.fields[draft.name] = draft.value }
        try checkReferences(of: preview, old: old)
        try checkSize(preview)
        let known = try schema.type(named: typeName)
        for draft in drafts {
            guard let value = draft.value, let field = known?.fields[draft.name] else { continue }
            if case .unknownList = field.type, case .list = value.type { continue }
            if value.conformed(to: field.type, isTyped: draft.isTyped) == nil {
                _ = try schema.conform(draft, value, in: known ?? schema.typeForWriting(named: typeName))
            }
        }
        let type = try schema.typeForWriting(named: typeName)
        for draft in drafts {
            guard let value = draft.value else { continue }
            record.fields[draft.name] = try schema.conform(draft, value, in: type)
        }
        return try write(record, old: old, over: row)
    }

    func write(_ record: Record, old: StoredRecord?, over row: StoredRecord?) throws -> Record {
        var record = record
        let type = try schema.typeForWriting(named: record.type)
        counter += 1
        record.changeTag = ChangeTag.text(counter)
        let content = RecordCodec.encode(
            .init(
                fields: record.fields, parent: record.parent, created: record.created, modified: record.modified))
        let id = try table.write(
            content, name: record.id.name, typeID: type.id, sequence: counter, over: row)
        try table.updateEntries(
            row: id, old: old?.record, new: record, oldSchema: type, newSchema: type, index: index)
        changes.append(RecordChange(old: old?.record, new: record))
        return record
    }

    private func checkedDrafts(_ operation: RecordOperation) throws -> [FieldDraft] {
        var drafts: [FieldDraft] = []
        var names: Set<String> = []
        for var draft in operation.fields {
            if let violation = NameRule.identifierViolation(in: draft.name, of: "field name") {
                throw CloudError(.badRequest, violation, nativeCode: 12)
            }
            guard names.insert(draft.name).inserted else {
                throw CloudError(.badRequest, "field '\(draft.name)' is given twice", nativeCode: 12)
            }
            if let value = draft.value {
                draft.value = try FieldCheck.checked(value, field: draft.name, zone: table.zone.id)
            }
            drafts.append(draft)
        }
        return drafts
    }

    private func checkSize(_ record: Record) throws {
        let size = FieldCheck.bytes(of: record.fields)
        guard size <= transaction.limits.recordBytes else {
            throw CloudError(
                .badRequest,
                "record '\(record.id.name)' has \(size) bytes; at most \(transaction.limits.recordBytes) are allowed",
                nativeCode: 27)
        }
    }

    /// Only references that are new in this save are checked: those that were there may have lost their target since.
    private func checkReferences(of record: Record, old: StoredRecord?) throws {
        let before = old.map { ReferenceEntry.entries(of: $0.record) } ?? []
        for entry in ReferenceEntry.entries(of: record).subtracting(before) {
            let target = entry.targetName
            if entry.target != Array(record.id.name.utf8), try table.record(named: target) == nil {
                guard promised.contains(entry.target) else {
                    throw CloudError(
                        .validatingReferenceError,
                        "record '\(record.id.name)' refers to record '\(target)', which does not exist",
                        nativeCode: 31)
                }
                reliedOn.insert(entry.target)
            }
            let limit = transaction.limits.owningReferences
            if entry.kind == .deleteSelf, try table.sources(of: target, kind: .deleteSelf, limit: limit).count >= limit
            {
                throw CloudError(
                    .badRequest, "record '\(target)' already has \(limit) owning references, the most allowed",
                    nativeCode: 27)
            }
        }
    }

    private func delete(_ operation: RecordOperation, _ old: StoredRecord?) throws {
        guard let old else { return }
        if old.record.type == UserRecord.type {
            throw CloudError(.badRequest, "records of type '\(UserRecord.type)' cannot be deleted", nativeCode: 15)
        }
        try requireWriteRight(old.record)
        if operation.type == .delete, let tag = operation.changeTag, !tag.isEmpty, tag != old.record.changeTag {
            throw conflict(old.record)
        }
        // Everything that goes along, then children that would be left without their parent.
        var going: [StoredRecord] = [old]
        var rows: Set<Int64> = [old.row]
        var next = 0
        while next < going.count {
            for source in try table.sources(of: going[next].record.id.name, kind: .deleteSelf)
            where rows.insert(source).inserted {
                if let dependent = try table.row(id: source) { going.append(dependent) }
            }
            next += 1
        }
        for stored in going {
            for child in try table.sources(of: stored.record.id.name, kind: .parent) where !rows.contains(child) {
                guard let child = try table.row(id: child), !doomed.contains(Array(child.record.id.name.utf8)) else {
                    continue
                }
                throw CloudError(
                    .validatingReferenceError,
                    "record '\(stored.record.id.name)' cannot be deleted: it is the parent of record "
                        + "'\(child.record.id.name)'", nativeCode: 31)
            }
        }
        for stored in going {
            counter += 1
            try table.bury(stored.row, sequence: counter)
            let type = try schema.type(named: stored.record.type)
            try table.updateEntries(
                row: stored.row, old: stored.record, new: nil, oldSchema: type, newSchema: nil, index: index)
            changes.append(RecordChange(old: stored.record, new: nil))
        }
    }

    private func requireWriteRight(_ record: Record) throws {
        guard isPublic, record.created.userRecordName != writer.userName else { return }
        throw CloudError(.accessDenied, "WRITE operation not permitted", nativeCode: 10)
    }

    private func notFound(_ name: String) -> CloudError {
        CloudError(.notFound, "Record '\(name)' not found", nativeCode: 11)
    }

    private func exists(_ record: Record) -> CloudError {
        CloudError(.exists, "record to insert already exists", nativeCode: 14, serverRecord: record)
    }

    private func conflict(_ record: Record) -> CloudError {
        CloudError(.conflict, "client oplock error updating record", nativeCode: 14, serverRecord: record)
    }
}
