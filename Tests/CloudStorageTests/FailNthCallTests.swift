import CloudCore
@testable import CloudStorage
import DatabaseTestSupport
import PostgresDriver
import SQLCore
import SQLiteDriver
import Testing

/// Every call to the database fails once, before and after it took effect, until a run passes untouched.
@Suite struct `Whichever call to the database fails` {
    /// A store over a database that fails when told to, and the state that operations begin with.
    private struct Stage: Sendable {
        let database: FaultyDatabase
        let store: CloudStore
        let tables: [World.Table]
        let old: World

        init(_ base: any SQLDatabase, _ backend: SQLBackend) async throws {
            database = FaultyDatabase(base)
            store = try CloudStore(database, policy: .dev, patience: .seconds(30), clock: { 1_767_000_000_000 })
            try await store.write { try StoredOperation.prepare($0) }
            #expect(try await store.read { try $0.verify() } == [])
            let tables = try await store.read { try World.tables(of: $0.connection, on: backend) }
            self.tables = tables
            old = try await store.read { try World($0.connection, tables) }
        }

        func reset() async throws {
            try await store.write { [old] in try old.restore($0.connection) }
        }

        func world() async throws -> World {
            try await store.read { [tables] in try World($0.connection, tables) }
        }

        /// What the operation is refused with.
        func failure(_ operation: StoredOperation) async -> (any Error)? {
            do {
                try await operation.run(store)
                return nil
            } catch {
                return error
            }
        }
    }

    private func withStage(_ backend: SQLBackend, _ body: (Stage) async throws -> Void) async throws {
        guard backend == .postgres else {
            let stage = try await Stage(SQLiteDatabase(path: nil), backend)
            try await body(stage)
            return await stage.store.close()
        }
        let test = try PostgresTestDatabase()
        var database = test.database
        (database.writers, database.readers) = (1, 1)
        let stage = try await Stage(database, backend)
        try await body(stage)
        let sessions = try test.sessions { $0.allSatisfy { $0 == "idle" } }
        #expect(sessions.count <= 2 && sessions.allSatisfy { $0 == "idle" }, "\(sessions)")
        await stage.store.close()
        #expect(try test.sessions(until: \.isEmpty) == [])
        try test.remove()
    }

    /// Runs the operation with each of its calls failing in turn, and hands over what came of it. While the state is the old
    /// one the next run is the repeat; the last, untouched one succeeds.
    private func sweep(
        _ operation: StoredOperation, _ moment: FaultyDatabase.Fault.Moment, _ kind: SQLError.Kind, on stage: Stage,
        _ look: (_ place: String, _ statement: String, _ error: (any Error)?, _ isNew: Bool) -> Void
    ) async throws {
        try await operation.run(stage.store)
        let new = try await stage.world().rows()
        #expect(try await stage.store.read { try $0.verify() } == [], "\(operation)")
        try await stage.reset()
        for call in 1... {
            stage.database.arm(.init(call: call, moment, kind))
            let error = await stage.failure(operation)
            let failed = stage.database.failedStatement
            stage.database.arm(nil)
            let state = try await stage.world()
            let place = "\(operation), \(moment) call \(call), \(kind): \(failed ?? "untouched")"
            let isOld = state.isSame(as: stage.old)
            let change = isOld && error != nil ? "" : World.difference(of: state.rows(), from: new)
            #expect(change == "", "\(place): neither the old state nor the new")
            if let failed {
                look(place, failed, error, !isOld || error == nil)
            } else {
                #expect(call > 1 && error == nil, "\(place): \(String(describing: error))")
            }
            if error != nil, !isOld, let again = await stage.failure(operation) {
                let isTold = (again as? CloudError).map { operation.whenDone.contains($0.code) } ?? false
                #expect(isTold, "\(place): the repeat says \(again)")
            }
            if !isOld { try await stage.reset() }
            if failed == nil { return }
        }
    }

    @Test(arguments: SQLBackend.available.filter { $0 != .disk }, FaultyDatabase.Fault.Moment.allCases)
    func `the old state is there and the client told, or the new one; a repeat succeeds`(
        on backend: SQLBackend, moment: FaultyDatabase.Fault.Moment
    ) async throws {
        try await withStage(backend) { stage in
            for operation in StoredOperation.writes {
                try await sweep(operation, moment, .ioError, on: stage) { place, statement, error, isNew in
                    #expect((error as? SQLError)?.kind == .ioError, "\(place): \(String(describing: error))")
                    #expect(isNew == (statement == "COMMIT" && moment == .after), "\(place)")
                }
            }
            for operation in StoredOperation.reads {
                try await sweep(operation, moment, .ioError, on: stage) { place, statement, error, _ in
                    let isOver = statement == "COMMIT" || statement == "ROLLBACK"
                    #expect((error as? SQLError)?.kind == .ioError || isOver, "\(place): \(String(describing: error))")
                }
            }
        }
    }

    /// Not run on PostgreSQL, where the same code runs a transaction again.
    @Test func `nobody notices when another transaction was in the way`() async throws {
        try await withStage(.memory) { stage in
            for operation in StoredOperation.writes + StoredOperation.reads {
                try await sweep(operation, .before, .serialization, on: stage) { place, _, error, isNew in
                    #expect(error == nil && isNew, "\(place): \(String(describing: error))")
                }
            }
        }
    }

    @Test(.enabled(if: PostgresTestDatabase.address != nil), arguments: FaultyDatabase.Fault.Moment.allCases)
    func `a lost connection is noticed in the commit only, which is then said to be unknown`(
        moment: FaultyDatabase.Fault.Moment
    ) async throws {
        try await withStage(.postgres) { stage in
            for operation in StoredOperation.writes {
                try await sweep(operation, moment, .connectionLost, on: stage) { place, statement, error, isNew in
                    let isCommit = statement == "COMMIT"
                    let isTold = isCommit ? (error as? CloudError)?.code == .tryAgainLater : error == nil
                    #expect(isTold, "\(place): \(String(describing: error))")
                    #expect(isNew == (!isCommit || moment == .after), "\(place)")
                }
            }
            for operation in StoredOperation.reads {
                try await sweep(operation, moment, .connectionLost, on: stage) { place, statement, error, _ in
                    let isTold = error == nil || statement == "COMMIT" && (error as? CloudError)?.code == .tryAgainLater
                    #expect(isTold, "\(place): \(String(describing: error))")
                }
            }
        }
    }
}
