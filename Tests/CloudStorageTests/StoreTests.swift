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

/// An SQLite database whose commits can be counted and made to fail.
private final class WatchedDatabase: SQLDatabase {
    struct State {
        var commits = 0
        var failsCommits = false
    }

    let state = Mutex(State())
    let inner = SQLiteDatabase(path: nil)
    var hasConcurrentReaders: Bool { inner.hasConcurrentReaders }
    func connect() throws(SQLError) -> any SQLConnection { Connection(try inner.connect(), self) }

    private final class Connection: SQLConnection {
        let inner: any SQLConnection
        let database: WatchedDatabase
        var dialect: SQLDialect { inner.dialect }

        init(_ inner: any SQLConnection, _ database: WatchedDatabase) {
            self.inner = inner
            self.database = database
        }

        func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int {
            if sql == "COMMIT" {
                let fails = database.state.withLock { state in
                    state.commits += 1
                    return state.failsCommits
                }
                if fails { throw SQLError(.full, "the disk is full") }
            }
            return try inner.execute(sql, binds)
        }

        func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
            try inner.query(sql, binds, body)
        }
        func script(_ sql: String) throws(SQLError) { try inner.script(sql) }
        func close() { inner.close() }
    }
}

/// A job of a test. Unchecked: made, run and read on the test's own thread.
private final class TestJob: StoreJob, @unchecked Sendable {
    let body: (CloudTransaction) throws -> Void
    var answer: Result<Void, any Error>?

    init(_ body: @escaping (CloudTransaction) throws -> Void) {
        self.body = body
        super.init(isWrite: true)
    }
    override func run(_ transaction: CloudTransaction) throws { try body(transaction) }
    override func finish(_ failure: (any Error)?) { answer = failure.map { .failure($0) } ?? .success(()) }
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
    private let database = WatchedDatabase()

    /// Runs the jobs as they would be found waiting together.
    private func run(
        _ jobs: [TestJob], failsCommits: Bool = false, then look: (CloudTransaction) throws -> Void
    ) throws {
        let connection = try database.connect()
        try Migrator.run(CloudSchema.migrations, on: connection)
        let settings = StoreSettings(limits: .init(), policy: .dev, secret: [], clock: { 0 })
        let (_, pushes) = AsyncStream.makeStream(of: Void.self)
        database.state.withLock { $0 = .init(commits: 0, failsCommits: failsCommits) }
        let queue = JobQueue()
        for job in jobs { #expect(queue.add(job)) }
        queue.close()
        StoreWriter(queue: queue, settings: settings, pushes: pushes).run(connection)
        try look(CloudTransaction(connection, settings, cache: SchemaCache(), isWritable: false))
        connection.close()
    }

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
        #expect(database.state.withLock { $0.commits } == 1)
        #expect(undone == [2, 1])
        #expect(throws: Never.self) { try jobs[0].answer?.get() }
        #expect(throws: Refusal.self) { try jobs[1].answer?.get() }
        #expect(throws: Never.self) { try jobs[2].answer?.get() }
    }

    @Test func `tells every body of a batch that the commit failed`() throws {
        var undone = 0
        let jobs = [
            TestJob { transaction in
                try set("a", transaction)
                transaction.onRollback { undone += 1 }
            },
            TestJob { try set("b", $0) },
            TestJob { _ in throw Refusal() },
        ]
        try run(jobs, failsCommits: true) { transaction throws in
            #expect(try !has("a", transaction))
            #expect(try !has("b", transaction))
        }
        #expect(undone == 1)
        for job in jobs[..<2] {
            let error = #expect(throws: SQLError.self) { try job.answer?.get() }
            #expect(error?.kind == .full)
        }
        #expect(throws: Refusal.self) { try jobs[2].answer?.get() }
    }

    @Test func `fails the whole batch when the database ends the transaction on its own`() throws {
        let jobs = [
            TestJob { try set("a", $0) },
            TestJob { transaction in
                _ = try? transaction.connection.execute("INSERT OR ROLLBACK INTO setting VALUES ('a', x'01')")
                try? set("stray", transaction)
            },
            TestJob { try set("c", $0) },
        ]
        try run(jobs) { transaction throws in
            for name in ["a", "stray", "c"] { #expect(try !has(name, transaction)) }
        }
        for job in jobs { #expect(throws: SQLError.self) { try job.answer?.get() } }
    }
}
