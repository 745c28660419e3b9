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
        try requireOneOperationPerRecord(operations, zone: zoneID)
        let database = try database(databaseID)
        let zone = try zoneRef(zoneID, in: database)
        var failed: Set<[UInt8]> = []
        while true {
            switch try attempt(operations, database, zone, atomic: atomic, by: writer, knownToFail: failed) {
            case .done(let results): return results
            case .again(let more): failed.formUnion(more)
            }
        }
    }

    private enum Attempt: Sendable {
        case done([Result<ModifiedRecord, CloudError>])
        /// A reference rested on a record of the same request that failed: these names are not to be relied on.
        case again(Set<[UInt8]>)
    }

    /// Leaves a savepoint by way of its rollback.
    private struct RolledBack: Error {
        let attempt: Attempt
    }

    private func attempt(
        _ operations: [RecordOperation], _ database: DatabaseRef, _ zone: ZoneRef, atomic: Bool, by writer: Writer,
        knownToFail: Set<[UInt8]>
    ) throws -> Attempt {
        var promised: Set<[UInt8]> = []
        var doomed: Set<[UInt8]> = []
        for operation in operations {
            let name = Array(operation.id.name.utf8)
            switch operation.type {
            case .delete, .forceDelete: doomed.insert(name)
            default: promised.insert(name)
            }
        }
        promised.subtract(knownToFail)
        let session = ModifySession(
            self, database: database, zone: zone, writer: writer, promised: promised, doomed: doomed)
        do {
            return try savepoint {
                let results = try run(operations, session, atomic: atomic)
                var failed: Set<[UInt8]> = []
                for (operation, result) in zip(operations, results) {
                    if case .failure = result { failed.insert(Array(operation.id.name.utf8)) }
                }
                let broken = failed.intersection(session.reliedOn)
                if !broken.isEmpty { throw RolledBack(attempt: .again(broken)) }
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
        var results: [Result<ModifiedRecord, CloudError>] = []
        results.reserveCapacity(operations.count)
        for (position, operation) in operations.enumerated() {
            do {
                results.append(.success(try session.perform(operation)))
            } catch let error as CloudError {
                guard atomic else {
                    results.append(.failure(error))
                    continue
                }
                let refused = operations.enumerated().map { other, operation in
                    Result<ModifiedRecord, CloudError>.failure(other == position ? error : sibling(of: operation))
                }
                throw RolledBack(attempt: .done(refused))
            }
        }
        return results
    }

    private func sibling(of operation: RecordOperation) -> CloudError {
        CloudError(
            .atomicError,
            "Record '\(operation.id.name)' will not be saved because of previous error in atomic zone", nativeCode: 22)
    }

    /// Writes the numbers back and tells the subscriptions.
    private func finish(_ session: ModifySession) throws {
        guard session.counter != session.database.counter else { return }
        try setCounter(session.counter, of: session.database)
        try connection.execute(
            "UPDATE zone SET last_change = ?2 WHERE id = ?1", .integer(session.table.zone.row),
            .integer(session.counter))
        try notify(session)
    }

    private func requireOneOperationPerRecord(_ operations: [RecordOperation], zone: ZoneID) throws {
        var names: Set<[UInt8]> = []
        for operation in operations {
            guard operation.id.zone == zone else {
                throw CloudError(
                    .badRequest,
                    "record '\(operation.id.name)' is of zone '\(operation.id.zone.name)', the request of zone "
                        + "'\(zone.name)'", nativeCode: 12)
            }
            guard names.insert(Array(operation.id.name.utf8)).inserted else {
                throw CloudError(
                    .badRequest, "more than one operation on record '\(operation.id.name)' in one request",
                    nativeCode: 12)
            }
        }
    }

    /// The records by name, `nil` where there is none. The caller's own user record is always there.
    package func records(_ names: [String], zone zoneID: ZoneID, in databaseID: DatabaseID, for user: String? = nil)
        throws -> [Record?]
    {
        let database = try database(databaseID)
        let zone = try zoneRef(zoneID, in: database)
        let table = RecordTable(
            connection: connection, schema: SchemaSession(self, databaseID), database: database.row, zone: zone)
        let own = databaseID.scope == .private ? databaseID.owner : user
        return try names.map { name in
            if let stored = try table.record(named: name) { return stored.record }
            return name == own && zoneID.isDefault ? UserRecord.fresh(name, zone: zoneID, now: now) : nil
        }
    }
}
