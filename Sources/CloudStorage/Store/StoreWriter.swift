import CloudCore
import SQLCore

/// The loop of a thread that writes: takes what waits together, commits it together, then answers.
struct StoreWriter: Sendable {
    let queue: JobQueue
    let settings: StoreSettings
    let statistics: PlannerStatistics
    let news: AsyncStream<Void>.Continuation

    /// Jobs in one commit at most, so that the first does not wait for ever.
    static let batchLimit = 256
    /// How often a transaction is run that others get in the way of.
    static let attempts = 6

    func run(_ connection: KeptConnection) {
        let cache = SchemaCache()
        while let (group, jobs) = queue.take(limit: Self.batchLimit) {
            let rows = commit(jobs, connection, cache, until: (jobs.first?.since ?? .now) + settings.patience)
            queue.done(group)
            if rows > 0 { statistics.added(rows, on: connection) }
        }
        connection.drop()
    }

    /// How a transaction ended that was not committed.
    private enum Failure: Error {
        /// All of it was undone.
        case undone(any Error)
        /// The connection went after the commit was sent: it may have been carried out.
        case unknown
    }

    /// Commits the jobs and answers them: together or, if that fails, each on its own, so that none suffers from another.
    /// - Returns: The number of new rows.
    private func commit(
        _ jobs: [StoreJob], _ kept: KeptConnection, _ cache: SchemaCache, until deadline: ContinuousClock.Instant
    ) -> Int {
        var attempt = 1
        var losses = 0
        while true {
            do {
                let connection = try kept.open(until: deadline)
                let (failures, rows) = try transaction(jobs, connection, cache)
                for (job, failure) in zip(jobs, failures) { job.finish(failure) }
                return rows
            } catch Failure.unknown {
                kept.drop()
                let error = CloudError(
                    .tryAgainLater,
                    "the database was lost while it stored the changes: they may be stored or not; read them, or repeat "
                        + "the request", nativeCode: 6, retryAfter: 1)
                return refuse(jobs, error)
            } catch Failure.undone(let error as SQLError) where error.kind == .connectionLost {
                kept.drop()
                guard ContinuousClock.now < deadline else { return refuse(jobs, error) }
                queue.pause(Self.pause(after: losses))
                losses += 1
            } catch Failure.undone(let error) {
                if jobs.count > 1 { return jobs.reduce(0) { $0 + commit([$1], kept, cache, until: deadline) } }
                guard let error = error as? SQLError, error.isPassing, attempt < Self.attempts else {
                    return refuse(jobs, error)
                }
                queue.pause(.milliseconds(Int.random(in: 0...(4 << attempt))))
                attempt += 1
            } catch {
                return refuse(jobs, error)
            }
        }
    }

    private func refuse(_ jobs: [StoreJob], _ error: any Error) -> Int {
        for job in jobs { job.finish(error) }
        return 0
    }

    /// How long a thread waits before it repeats what a lost connection was about: no time at first, as the database may
    /// well be there; then some, as connecting succeeds and what follows does not.
    static func pause(after losses: Int) -> Duration { losses == 0 ? .zero : .milliseconds(20) }

    /// Runs the jobs in one transaction, each in its savepoint.
    /// - Returns: What each job itself threw, its changes undone; all else is committed. And the number of new rows.
    /// - Throws: ``Failure``.
    private func transaction(_ jobs: [StoreJob], _ connection: any SQLConnection, _ cache: SchemaCache) throws
        -> (failures: [(any Error)?], addedRows: Int)
    {
        var failures = [(any Error)?](repeating: nil, count: jobs.count)
        var transactions: [CloudTransaction] = []
        let memory = BatchMemory()
        var isCommitting = false
        do {
            try connection.post(connection.dialect.beginWrite)
            for (index, job) in jobs.enumerated() {
                let transaction = CloudTransaction(
                    connection, settings, cache: cache, memory: memory, isWritable: job.isWrite)
                transactions.append(transaction)
                failures[index] = try attempt(job, transaction)
            }
            isCommitting = true
            try connection.execute("COMMIT")
        } catch {
            for transaction in transactions.reversed() { transaction.undo() }
            if isCommitting, (error as? SQLError)?.kind == .connectionLost { throw Failure.unknown }
            // Whether or not it can be rolled back, `error` is what is to be told.
            _ = try? connection.execute("ROLLBACK")
            throw Failure.undone(error)
        }
        if transactions.contains(where: \.leavesNews) { news.yield() }
        return (failures, transactions.reduce(0) { $0 + $1.addedRows })
    }

    /// Runs a job in its savepoint.
    /// - Returns: The job's own failure, its changes undone.
    /// - Throws: What the database refused. It may concern a statement that an earlier job posted.
    private func attempt(_ job: StoreJob, _ transaction: CloudTransaction) throws -> (any Error)? {
        let connection = transaction.connection
        try connection.post("SAVEPOINT job")
        var failure: (any Error)?
        do {
            try job.run(transaction)
        } catch let error as SQLError {
            throw error
        } catch {
            failure = error
        }
        if failure != nil || !job.isWrite {
            transaction.undo()
            transaction.leavesNews = false
            try connection.execute("ROLLBACK TO job")
        }
        try connection.post("RELEASE job")
        return failure
    }
}

extension SQLError {
    /// Whether the same transaction may succeed when it is run again: others that ran at once were in its way.
    var isPassing: Bool { kind == .serialization || kind == .uniqueViolation }
}
