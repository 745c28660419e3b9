package import CloudCore
import CloudCrypto
package import SQLCore

/// The cloud's data. Threads that write commit together what waits together; others read snapshots.
///
/// Where the database takes one writer, that is one thread for everything. Where it takes several, each thread has one
/// cloud database at a time, so that of one process no transaction waits for another's counter.
package final class CloudStore: Sendable {
    /// An element at the start and after each commit that leaves ``StoreNews``; several commits may share one. Where
    /// other processes share the database also each second, and when the database tells of their commits.
    package let news: AsyncStream<Void>
    /// What was committed when the store was opened.
    package let firstPosition: NewsPosition

    /// What requests may ask and databases may hold.
    package let limits: CloudLimits

    private let writes: JobQueue
    private let reads: JobQueue
    private let threads: ThreadGroup
    private let watch: StoreWatch?
    private let isGrouped: Bool
    private let readsAhead: Bool
    private let patience: Duration

    /// Opens the store, making or migrating its tables.
    /// - Parameters:
    ///   - folder: The locked folder that `database` lies in, if it is a file. The store keeps it until it is closed.
    ///   - patience: How long a request waits for a database that cannot be reached.
    ///   - clock: Milliseconds since 1970.
    package init(
        _ database: any SQLDatabase, folder: DataFolder? = nil, limits: CloudLimits = .init(),
        policy: StorePolicy = .strict, patience: Duration = .seconds(10), clock: @escaping @Sendable () -> Int64
    ) throws {
        self.limits = limits
        self.patience = patience
        let first = try database.connect()
        let settings: StoreSettings
        do {
            try Migrator.run(CloudSchema.migrations, on: first)
            settings = StoreSettings(
                limits: limits, policy: policy, secret: try Self.secret(first), clock: clock, patience: patience)
            firstPosition = try CloudTransaction(
                CommitConnection(first), settings, cache: SchemaCache(), isWritable: false
            ).news(since: nil).position
        } catch {
            first.close()
            throw error
        }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        news = stream
        continuation.yield()
        threads = ThreadGroup()
        isGrouped = database.writers > 1
        readsAhead = first.dialect.isRemote
        let writes = JobQueue(isGrouped: true)
        let reads = database.hasConcurrentReaders ? JobQueue(isGrouped: false) : writes
        self.writes = writes
        self.reads = reads
        let watch = database.isShared ? StoreWatch(database, news: continuation) : nil
        self.watch = watch
        if let watch { threads.start(nil) { _ in watch.run() } }
        let writer = StoreWriter(
            queue: writes, settings: settings, statistics: PlannerStatistics(), places: StorePlaces(),
            news: continuation)
        for number in 0..<max(1, database.writers) {
            threads.start(number == 0 ? first : nil) { connection in
                writer.run(KeptConnection(connection, of: database, writes, seeksKeys: true))
                continuation.finish()
                _ = folder  // the thread holds the lock until its connection is closed
            }
        }
        guard database.hasConcurrentReaders else { return }
        let readers = max(1, database.readers)
        let reader = StoreReader(queue: reads, settings: settings, threads: readers)
        for _ in 0..<readers {
            threads.start(nil) { reader.run(KeptConnection($0, of: database, reads)) }
        }
    }

    /// Whether other processes may use the same database.
    package var isShared: Bool { watch != nil }

    deinit {
        watch?.end()
        writes.close()
        reads.close()
    }

    /// Runs `body` on a writing thread; returns after the commit. What it throws undoes its own changes only.
    ///
    /// `body` runs again when another transaction or a lost connection got in the way of the first run, which is undone
    /// then.
    /// - Parameter database: The one whose records, zones or subscriptions `body` changes; `nil` if it changes none.
    /// - Parameter ahead: What `body` will read of it, as far as that is known.
    /// - Throws: What `body` throws; `SQLError` when the database refuses or cannot be reached; `tryAgainLater` when it
    ///   was lost in the commit, so that nobody knows whether the changes are stored.
    package func write<T: Sendable>(
        for database: DatabaseID? = nil, ahead: @autoclosure () -> ReadAhead? = nil,
        _ body: @escaping @Sendable (CloudTransaction) throws -> T
    ) async throws -> T {
        try await enqueue(
            on: writes, for: isGrouped ? database : nil, isWrite: true, ahead: readsAhead ? ahead() : nil, body)
    }

    /// Runs `body` on a snapshot of what is committed. Writing in it fails or is undone.
    ///
    /// A search of a zone that nobody searched before waits until the zone is indexed, a part with each commit; `body` runs
    /// again after each.
    /// - Throws: What `body` throws; `tryAgainLater` when indexing takes longer than requests wait for the store: it goes on
    ///   with the next search.
    package func read<T: Sendable>(_ body: @escaping @Sendable (CloudTransaction) throws -> T) async throws -> T {
        let deadline = ContinuousClock.now + patience
        var parts = 0
        while true {
            do {
                return try await enqueue(on: reads, for: nil, isWrite: false, ahead: nil, body)
            } catch let missing as MissingIndexes {
                // Each request does some of it, however short its patience.
                guard parts == 0 || ContinuousClock.now < deadline, !Task.isCancelled else { throw missing.error }
                try await write(for: missing.database) { try $0.build(missing) }
                parts += 1
            }
        }
    }

    /// Finishes what waits and closes the connections; later calls throw.
    package func close() async {
        watch?.end()
        reads.close()
        writes.close()
        await threads.join()
    }

    private func enqueue<T: Sendable>(
        on queue: JobQueue, for group: JobQueue.Group, isWrite: Bool, ahead: ReadAhead?,
        _ body: @escaping @Sendable (CloudTransaction) throws -> T
    ) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            let job = StoreJobOf(isWrite: isWrite, ahead: ahead, continuation, body)
            if !queue.add(job, for: group) {
                job.finish(CloudError(.tryAgainLater, "the store is closed", retryAfter: 1))
            }
        }
    }

    private static func secret(_ connection: any SQLConnection) throws -> [UInt8] {
        let read = { try connection.first("SELECT value FROM setting WHERE name = 'secret'") { $0.blob(0) } }
        if let secret = try read() { return secret }
        // Several processes may be the first at once; all go on with what one of them stored.
        try connection.execute(
            "INSERT INTO setting (name, value) VALUES ('secret', ?1) ON CONFLICT DO NOTHING",
            .blob(Crypto.random(32)))
        guard let secret = try read() else { throw CloudError(.internalError, "the store's secret is lost") }
        return secret
    }
}
