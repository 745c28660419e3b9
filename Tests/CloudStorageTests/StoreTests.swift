import CloudCore
@testable import CloudStorage
import Foundation
import SQLCore
import SQLiteDriver
import Synchronization
import Testing

private struct Refusal: Error {}

/// A folder of its own that goes away with the value.
private final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)/data").path
    deinit { try? FileManager.default.removeItem(atPath: String(path.dropLast(5))) }
}

/// An SQLite database whose commits can be counted and whose calls can be made to fail.
private final class WatchedDatabase: SQLDatabase {
    struct State {
        var commits = 0
        /// Says of a statement how it fails, before it does anything.
        var fault: @Sendable (String) -> SQLError.Kind? = { _ in nil }
        var connectFault: SQLError.Kind?
    }

    let state = Mutex(State())
    private let folder = TemporaryFolder()
    private let inner: SQLiteDatabase
    var hasConcurrentReaders: Bool { inner.hasConcurrentReaders }

    init() throws { inner = SQLiteDatabase(path: try DataFolder(folder.path).databasePath) }

    func connect() throws(SQLError) -> any SQLConnection {
        if let kind = state.withLock(\.connectFault) { throw SQLError(kind, "connecting fails on purpose") }
        return Connection(try inner.connect(), self)
    }

    private final class Connection: SQLConnection {
        let inner: any SQLConnection
        let database: WatchedDatabase
        var dialect: SQLDialect { inner.dialect }

        init(_ inner: any SQLConnection, _ database: WatchedDatabase) {
            self.inner = inner
            self.database = database
        }

        func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int {
            let kind = database.state.withLock { state in
                if sql == "COMMIT" { state.commits += 1 }
                return state.fault(sql)
            }
            if let kind { throw SQLError(kind, "the statement fails on purpose") }
            return try inner.execute(sql, binds)
        }

        func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
            if let kind = database.state.withLock({ $0.fault(sql) }) {
                throw SQLError(kind, "the query fails on purpose")
            }
            try inner.query(sql, binds, body)
        }
        func script(_ sql: String) throws(SQLError) { try inner.script(sql) }
        func close() { inner.close() }
    }
}

/// Fails the first statements that begin with a word.
private func failing(_ times: Int, _ word: String, _ kind: SQLError.Kind) -> @Sendable (String) -> SQLError.Kind? {
    let left = Counter(times)
    return { sql in sql.hasPrefix(word) && left.takeOne() ? kind : nil }
}

private final class Counter: Sendable {
    private let left: Mutex<Int>
    init(_ count: Int) { left = Mutex(count) }
    func takeOne() -> Bool {
        left.withLock { left in
            guard left > 0 else { return false }
            left -= 1
            return true
        }
    }
}

private func set(_ name: String, _ transaction: CloudTransaction) throws {
    try transaction.connection.execute("INSERT INTO setting (name, value) VALUES (?1, ?2)", .text(name), .blob([1]))
}

private func has(_ name: String, _ transaction: CloudTransaction) throws -> Bool {
    try transaction.connection.first("SELECT 1 FROM setting WHERE name = ?1", .text(name)) { _ in true } ?? false
}

@Suite struct `The store` {
    @Test(arguments: [true, false])
    func `shows a read what was written, in memory and in a file`(inMemory: Bool) async throws {
        let folder = TemporaryFolder()
        let data = try DataFolder(folder.path)
        let database = SQLiteDatabase(path: inMemory ? nil : data.databasePath)
        let store = try CloudStore(database, clock: { 42 })
        try await store.write { transaction in
            #expect(transaction.now == 42)
            #expect(transaction.isWritable)
            try set("a", transaction)
        }
        #expect(try await store.read { try has("a", $0) })
        await store.close()
    }

    @Test(arguments: [true, false])
    func `keeps nothing that a read writes`(inMemory: Bool) async throws {
        let folder = TemporaryFolder()
        let data = try DataFolder(folder.path)
        let store = try CloudStore(SQLiteDatabase(path: inMemory ? nil : data.databasePath), clock: { 0 })
        try? await store.read { try set("a", $0) }
        #expect(try await !store.read { try has("a", $0) })
        await store.close()
    }

    @Test func `undoes only what the throwing body wrote`() async throws {
        let store = try CloudStore(SQLiteDatabase(path: nil), clock: { 0 })
        await #expect(throws: Refusal.self) {
            try await store.write { transaction in
                try set("lost", transaction)
                throw Refusal()
            }
        }
        try await store.write { transaction in
            try set("kept", transaction)
            try? transaction.savepoint {
                try set("inner", transaction)
                throw Refusal()
            }
        }
        let names = try await store.read { transaction in
            try ["lost", "kept", "inner"].filter { try has($0, transaction) }
        }
        #expect(names == ["kept"])
        await store.close()
    }

    @Test func `refuses calls after it is closed and keeps its secret over a restart`() async throws {
        let folder = TemporaryFolder()
        let path = try DataFolder(folder.path).databasePath
        let store = try CloudStore(SQLiteDatabase(path: path), clock: { 0 })
        let secret = try await store.read { $0.secret }
        await store.close()
        let error = await #expect(throws: CloudError.self) { try await store.read { $0.now } }
        #expect(error?.code == .tryAgainLater)
        let again = try CloudStore(SQLiteDatabase(path: path), clock: { 0 })
        #expect(try await again.read { $0.secret } == secret)
        #expect(secret.count == 32)
        await again.close()
    }

    @Test func `finishes what waits before it closes`() async throws {
        let store = try CloudStore(SQLiteDatabase(path: nil), clock: { 0 })
        let written = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<100 {
                group.addTask {
                    try await store.write { transaction in
                        try set("n\(number)", transaction)
                        return 1
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(written == 100)
        await store.close()
        await store.close()
    }

    @Test func `keeps its folder's lock until it is closed`() async throws {
        let folder = TemporaryFolder()
        let store = try open(folder)
        #expect(throws: CloudError.self) { try DataFolder(folder.path) }
        await store.close()
        let again = try open(folder)
        await again.close()
    }

    private func open(_ folder: TemporaryFolder) throws -> CloudStore {
        let data = try DataFolder(folder.path)
        return try CloudStore(SQLiteDatabase(path: data.databasePath), folder: data, clock: { 0 })
    }

    @Test func `reads a file while a write is open, without its changes`() async throws {
        let folder = TemporaryFolder()
        let store = try open(folder)
        let (hasWritten, signal) = AsyncStream.makeStream(of: Void.self)
        let mayCommit = DispatchSemaphore(value: 0)
        async let write: Void = store.write { transaction in
            try set("a", transaction)
            signal.yield()
            mayCommit.wait()
        }
        for await _ in hasWritten { break }
        let isSeen = try? await store.read { try has("a", $0) }
        mayCommit.signal()
        #expect(isSeen == false)
        try await write
        #expect(try await store.read { try has("a", $0) })
        await store.close()
    }

    @Test func `refuses a folder that is in use, by name, and frees it with its value`() throws {
        let folder = TemporaryFolder()
        var first: DataFolder? = try DataFolder(folder.path)
        let error = #expect(throws: CloudError.self) { try DataFolder(folder.path) }
        #expect(error?.reason == "the folder \(folder.path) is in use by another process")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        #expect(first?.path == folder.path)
        first = nil
        _ = try DataFolder(folder.path)
    }
}

@Suite struct `The writer` {
    private let database: WatchedDatabase

    init() throws { database = try WatchedDatabase() }

    /// Runs the jobs as they would be found waiting together.
    private func run(
        _ jobs: [TestJob], fault: @escaping @Sendable (String) -> SQLError.Kind? = { _ in nil },
        then look: (CloudTransaction) throws -> Void
    ) throws {
        let connection = try database.connect()
        try Migrator.run(CloudSchema.migrations, on: connection)
        let settings = StoreSettings(
            limits: .init(), policy: .dev, secret: [], clock: { 0 }, patience: .seconds(30))
        let (_, news) = AsyncStream.makeStream(of: Void.self)
        database.state.withLock { $0 = .init(commits: 0, fault: fault) }
        let queue = JobQueue(isGrouped: true)
        for job in jobs { #expect(queue.add(job)) }
        queue.close()
        StoreWriter(
            queue: queue, settings: settings, statistics: PlannerStatistics(), places: StorePlaces(), news: news
        )
        .run(KeptConnection(connection, of: database, queue))
        database.state.withLock { $0.fault = { _ in nil } }
        let after = try database.connect()
        try look(CloudTransaction(CommitConnection(after), settings, cache: SchemaCache(), isWritable: false))
        after.close()
    }

    private var commits: Int { database.state.withLock(\.commits) }

    @Test func `commits together what waits together, without the body that throws`() throws {
        var undone: [Int] = []
        let jobs = [
            TestJob { try set("a", $0) },
            TestJob { transaction in
                try set("b", transaction)
                transaction.onRollback { undone.append(1) }
                transaction.onRollback { undone.append(2) }
                throw Refusal()
            },
            TestJob { transaction throws in
                transaction.onRollback { undone.append(3) }
                #expect(try has("a", transaction))
                #expect(try !has("b", transaction))
            },
        ]
        try run(jobs) { transaction throws in
            #expect(try has("a", transaction))
        }
        #expect(commits == 1)
        #expect(undone == [2, 1])
        #expect(throws: Never.self) { try jobs[0].answer?.get() }
        #expect(throws: Refusal.self) { try jobs[1].answer?.get() }
        #expect(throws: Never.self) { try jobs[2].answer?.get() }
    }

    @Test func `tells every body of a batch that no commit succeeds, each tried alone`() throws {
        var undone = 0
        let jobs = [
            TestJob { transaction in
                try set("a", transaction)
                transaction.onRollback { undone += 1 }
            },
            TestJob { try set("b", $0) },
            TestJob { _ in throw Refusal() },
        ]
        try run(jobs, fault: { $0 == "COMMIT" ? .full : nil }) { transaction throws in
            #expect(try !has("a", transaction))
            #expect(try !has("b", transaction))
        }
        #expect(undone == 2)
        for job in jobs[..<2] {
            let error = #expect(throws: SQLError.self) { try job.answer?.get() }
            #expect(error?.kind == .full)
        }
    }

    @Test func `lets nobody suffer from the body for which the database ends the transaction`() throws {
        let jobs = [
            TestJob { try set("a", $0) },
            TestJob { transaction in
                _ = try? transaction.connection.execute("INSERT OR ROLLBACK INTO setting VALUES ('a', x'01')")
                try? set("stray", transaction)
            },
            TestJob { try set("c", $0) },
        ]
        try run(jobs) { transaction throws in
            for (name, isThere) in [("a", true), ("stray", false), ("c", true)] {
                #expect(try has(name, transaction) == isThere)
            }
        }
        #expect(throws: SQLError.self) { try jobs[1].answer?.get() }
        for job in [jobs[0], jobs[2]] { #expect(throws: Never.self) { try job.answer?.get() } }
    }

    @Test(arguments: [SQLError.Kind.serialization, .uniqueViolation])
    func `runs a transaction again that another got in the way of, a bounded number of times`(
        kind: SQLError.Kind
    ) throws {
        let job = TestJob { try set("a", $0) }
        try run([job], fault: failing(StoreWriter.attempts - 1, "INSERT INTO setting", kind)) { transaction throws in
            #expect(try has("a", transaction))
        }
        #expect(throws: Never.self) { try job.answer?.get() }
        let unlucky = TestJob { try set("b", $0) }
        try run([unlucky], fault: failing(StoreWriter.attempts, "INSERT INTO setting", kind)) { transaction throws in
            #expect(try !has("b", transaction))
        }
        let error = #expect(throws: SQLError.self) { try unlucky.answer?.get() }
        #expect(error?.kind == kind)
    }

    @Test func `stores on a new connection what the lost one did not commit`() throws {
        let jobs = [TestJob { try set("a", $0) }, TestJob { try set("b", $0) }]
        try run(jobs, fault: failing(1, "INSERT INTO setting", .connectionLost)) { transaction throws in
            #expect(try has("a", transaction))
            #expect(try has("b", transaction))
        }
        for job in jobs { #expect(throws: Never.self) { try job.answer?.get() } }
        #expect(commits == 1)
    }

    @Test func `says that it does not know when the connection is lost in the commit`() throws {
        let job = TestJob { try set("a", $0) }
        try run([job], fault: failing(1, "COMMIT", .connectionLost)) { _ in }
        let error = #expect(throws: CloudError.self) { try job.answer?.get() }
        #expect(error?.code == .tryAgainLater)
        #expect(error?.retryAfter == 1)
        #expect(commits == 1)
    }

    @Test func `waits a bounded time for a database that is away, then fails by name`() async throws {
        let database = database
        let store = try CloudStore(database, patience: .milliseconds(50), clock: { 0 })
        try await store.write { try set("a", $0) }
        database.state.withLock {
            $0.fault = failing(1000, "", .connectionLost)
            $0.connectFault = .connectionLost
        }
        for isWrite in [true, false] {
            let error = await #expect(throws: SQLError.self) {
                if isWrite {
                    try await store.write { try set("b", $0) }
                } else {
                    _ = try await store.read { try has("a", $0) }
                }
            }
            #expect(error?.kind == .connectionLost)
        }
        database.state.withLock { $0 = .init() }
        #expect(try await store.read { try has("a", $0) })
        try await store.write { try set("b", $0) }
        await store.close()
    }
}
