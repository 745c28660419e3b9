package import CloudCore
import CloudCrypto
package import SQLCore

/// The cloud's data: one thread writes and commits what waits together, others read snapshots.
package final class CloudStore: Sendable {
    /// An element after each commit that left rows in the outbox; several commits may share one.
    package let pushes: AsyncStream<Void>

    private let writes: JobQueue
    private let reads: JobQueue
    private let threads: ThreadGroup

    private static let readers = 2

    /// Opens the store, making or migrating its tables.
    /// - Parameters:
    ///   - folder: The locked folder that `database` lies in, if it is a file. The store keeps it until it is closed.
    ///   - clock: Milliseconds since 1970.
    package init(
        _ database: any SQLDatabase, folder: DataFolder? = nil, limits: CloudLimits = .init(),
        policy: StorePolicy = .strict, clock: @escaping @Sendable () -> Int64
    ) throws {
        let connection = try database.connect()
        let settings: StoreSettings
        let hasPushes: Bool
        var readers: [any SQLConnection] = []
        do {
            try Migrator.run(CloudSchema.migrations, on: connection)
            settings = StoreSettings(
                limits: limits, policy: policy, secret: try Self.secret(connection), clock: clock)
            hasPushes = try connection.first("SELECT 1 FROM outbox LIMIT 1") { _ in true } ?? false
            if database.hasConcurrentReaders {
                for _ in 0..<Self.readers { readers.append(try database.connect()) }
            }
        } catch {
            for reader in readers { reader.close() }
            connection.close()
            throw error
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        pushes = stream
        threads = ThreadGroup()
        writes = JobQueue()
        reads = readers.isEmpty ? writes : JobQueue()
        if hasPushes { continuation.yield() }
        let writer = StoreWriter(queue: writes, settings: settings, pushes: continuation)
        threads.start(connection) { connection in
            writer.run(connection)
            continuation.finish()
            _ = folder  // the thread holds the lock until its connection is closed
        }
        let reader = StoreReader(queue: reads, settings: settings)
        for connection in readers { threads.start(connection) { reader.run($0) } }
    }

    deinit {
        writes.close()
        reads.close()
    }

    /// Runs `body` on the writer's thread; returns after the commit. What it throws undoes its own changes only.
    package func write<T: Sendable>(_ body: @escaping @Sendable (CloudTransaction) throws -> T) async throws -> T {
        try await enqueue(on: writes, isWrite: true, body)
    }

    /// Runs `body` on a snapshot of what is committed. Writing in it fails or is undone.
    package func read<T: Sendable>(_ body: @escaping @Sendable (CloudTransaction) throws -> T) async throws -> T {
        try await enqueue(on: reads, isWrite: false, body)
    }

    /// Finishes what waits and closes the connections; later calls throw.
    package func close() async {
        reads.close()
        writes.close()
        await threads.join()
    }

    private func enqueue<T: Sendable>(
        on queue: JobQueue, isWrite: Bool, _ body: @escaping @Sendable (CloudTransaction) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let job = StoreJobOf(isWrite: isWrite, continuation, body)
            if !queue.add(job) { job.finish(CloudError(.tryAgainLater, "the store is closed", retryAfter: 1)) }
        }
    }

    private static func secret(_ connection: any SQLConnection) throws -> [UInt8] {
        let read = { try connection.first("SELECT value FROM setting WHERE name = 'secret'") { $0.blob(0) } }
        if let secret = try read() { return secret }
        let secret = Crypto.random(32)
        try connection.execute("INSERT INTO setting (name, value) VALUES ('secret', ?1)", .blob(secret))
        return secret
    }
}
