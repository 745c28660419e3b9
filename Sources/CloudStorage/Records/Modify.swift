package import CloudCore
import SQLCore

extension CloudTransaction {
    /// Performs the operations in order, each record at most once.
    ///
    /// With `atomic` the first failure undoes all of them. Throws what concerns the request as a whole; what concerns
    /// one record is in its result.
    package func modify(
        _ operations: [RecordOperation], in databaseID: DatabaseID, zone zoneID: ZoneID, atomic: Bool, by writer: Writer
    ) throws -> [Result<ModifiedRecord, CloudError>] {
        let limit = limits.operationsPerRequest
        guard operations.count <= limit else {
            throw CloudError(
                .badRequest, "\(operations.count) operations in one request; at most \(limit) are allowed",
                nativeCode: 27)
        }
        if atomic, zoneID.isDefault {
            throw CloudError(.badRequest, "atomic operations not supported in default zone", nativeCode: 12)
        }
        let (saved, doomed) = try names(of: operations, zone: zoneID)
        let access = try access(to: zoneID, in: databaseID)
        var promised = saved
        while true {
            let session = ModifySession(self, access, writer: writer, promised: promised, doomed: doomed)
            switch try attempt(operations, session, atomic: atomic) {
            case .done(let results): return results
            case .again(let broken): promised.subtract(broken)
            }
        }
    }

    private enum Attempt: Sendable {
        case done([Result<ModifiedRecord, CloudError>])
        /// A reference rested on a record of the same request that failed: these names are not to be relied on.
        case again(Set<ExactName>)
    }

    /// Leaves a savepoint by way of its rollback.
    private struct RolledBack: Error {
        let attempt: Attempt
    }

    private func attempt(_ operations: [RecordOperation], _ session: ModifySession, atomic: Bool) throws -> Attempt {
        do {
            return try savepoint {
                try session.load(operations)
                let results = try run(operations, session, atomic: atomic)
                if !session.reliedOn.isEmpty {
                    var failed: Set<ExactName> = []
                    for (operation, result) in zip(operations, results) {
                        if case .failure = result { failed.insert(ExactName(operation.id.name)) }
                    }
                    let broken = failed.intersection(session.reliedOn)
                    if !broken.isEmpty { throw RolledBack(attempt: .again(broken)) }
                }
                try finish(session)
                return .done(results)
            }
        } catch let rolledBack as RolledBack {
            return rolledBack.attempt
        }
    }

    private func run(_ operations: [RecordOperation], _ session: ModifySession, atomic: Bool) throws
        -> [Result<ModifiedRecord, CloudError>]
    {
        var results = [Result<ModifiedRecord, CloudError>?](repeating: nil, count: operations.count)
        for position in Self.order(of: operations) {
            do {
                results[position] = .success(try session.perform(operations[position]))
            } catch let error as CloudError {
                guard atomic else {
                    session.sharing.failed.insert(ExactName(operations[position].id.name))
                    results[position] = .failure(error)
                    continue
                }
                let refused = operations.enumerated().map { other, operation in
                    Result<ModifiedRecord, CloudError>.failure(other == position ? error : sibling(of: operation))
                }
                throw RolledBack(attempt: .done(refused))
            }
        }
        return try results.compactMap { result in
            // A root that was saved before its share is answered as the share has left it.
            if case .success(.saved(let record))? = result, let latest = try session.latest(of: record) {
                return .success(.saved(latest))
            }
            return result
        }
    }

    /// The order in which operations are performed: as they come, but a share after its root.
    private static func order(of operations: [RecordOperation]) -> [Int] {
        guard operations.contains(where: { $0.sharing?.root != nil }) else { return Array(operations.indices) }
        var places: [ExactName: Int] = [:]
        for (place, operation) in operations.enumerated() { places[ExactName(operation.id.name)] = place }
        var waiting: [Int: [Int]] = [:]
        var isWaiting: Set<Int> = []
        for (place, operation) in operations.enumerated() {
            guard let root = operation.sharing?.root, let later = places[ExactName(root)], later > place,
                operations[later].sharing?.root == nil
            else { continue }
            waiting[later, default: []].append(place)
            isWaiting.insert(place)
        }
        return operations.indices.flatMap { isWaiting.contains($0) ? [] : [$0] + (waiting[$0] ?? []) }
    }

    private func sibling(of operation: RecordOperation) -> CloudError {
        CloudError(
            .atomicError,
            "Record '\(operation.id.name)' will not be saved because of previous error in atomic zone", nativeCode: 22)
    }

    /// Writes the records and the numbers back and tells the subscriptions.
    func finish(_ session: ModifySession) throws {
        guard session.counter != session.database.counter else { return }
        try session.write()
        try requireRoom(for: session.growth, in: session.database, isTold: !session.access.isShared)
        try session.finishSharing()
        try session.writeTrees()
        try setLastChange(session.counter, of: session.table.zone, in: session.database, growth: session.growth)
        try notify(session)
        try notifyParticipants(session)
    }

    /// The names that the operations save and delete, each at most once and all of one zone.
    private func names(of operations: [RecordOperation], zone: ZoneID) throws
        -> (saved: Set<ExactName>, doomed: Set<ExactName>)
    {
        var saved: Set<ExactName> = []
        saved.reserveCapacity(operations.count)
        var doomed: Set<ExactName> = []
        for operation in operations {
            guard operation.id.zone == zone else {
                throw CloudError(
                    .badRequest,
                    "record '\(operation.id.name)' is of zone '\(operation.id.zone.name)', the request of zone "
                        + "'\(zone.name)'", nativeCode: 12)
            }
            let name = ExactName(operation.id.name)
            let isNew: Bool
            switch operation.type {
            case .delete, .forceDelete: isNew = doomed.insert(name).inserted && !saved.contains(name)
            default: isNew = saved.insert(name).inserted && !doomed.contains(name)
            }
            guard isNew else {
                throw CloudError(
                    .badRequest, "more than one operation on record '\(operation.id.name)' in one request",
                    nativeCode: 12)
            }
        }
        return (saved, doomed)
    }

    private func tooMuch() -> CloudError {
        CloudError(
            .badRequest,
            "the records have more than \(limits.answerBytes) bytes together; ask for fewer in one request",
            nativeCode: 27)
    }

    /// The records by name, `nil` where there is none. The caller's own user record is always there.
    package func records(_ names: [String], zone zoneID: ZoneID, in databaseID: DatabaseID, for user: String? = nil)
        throws -> [Record?]
    {
        let access = try access(to: zoneID, in: databaseID)
        let table = RecordTable(
            connection: connection, schema: SchemaSession(self, databaseID), database: access.database.row,
            zone: access.zone, trees: access.trees, viewer: shareViewer(databaseID.owner, in: databaseID))
        let own = databaseID.scope == .private ? databaseID.owner : user
        var found: [ExactName: Record] = [:]
        try table.rows(named: names) { stored in
            if isAnswerFull { throw tooMuch() }
            answered(stored.bytes)
            if !stored.isDeleted { found[ExactName(stored.record.id.name)] = stored.record }
        }
        return names.map { name in
            if let record = found[ExactName(name)] { return record }
            return name == own && zoneID.isDefault ? UserRecord.fresh(name, zone: zoneID, now: now) : nil
        }
    }
}
