import CloudCore
import SQLCore

/// The loop of a thread that writes: takes what waits together, commits it together, then answers.
struct StoreWriter: Sendable {
    let queue: JobQueue
    let settings: StoreSettings
    let statistics: PlannerStatistics
    let places: StorePlaces
    let news: AsyncStream<Void>.Continuation

    /// Jobs in one commit at most, so that the first does not wait for ever.
    static let batchLimit = 256
    /// How often a transaction is run that others get in the way of.
    static let attempts = 6

    func run(_ connection: KeptConnection) {
        let cache = SchemaCache()
        while let batch = queue.take(limit: Self.batchLimit) {
            let rows = commit(
                batch.jobs, connection, cache, until: (batch.jobs.first?.since ?? .now) + settings.patience)
            queue.done(batch)
            if rows > 0 { statistics.added(rows, on: connection) }
        }
        connection.drop()
    }

    /// How a transaction ended that was not committed.
    private enum Failure: Error {
        /// All of it was undone.
        case undone(any Error)
        /// The connection went after the commit was sent: it may have been carried out, but for the jobs that it left.
        case unknown(Outcome)
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
                let outcome = try transaction(jobs, kept.open(until: deadline), cache)
                for (job, failure) in zip(outcome.jobs, outcome.failures) { job.finish(failure) }
                return outcome.left.reduce(outcome.addedRows) {
                    $0 + commit($1, kept, cache, until: deadline)
                }
            } catch Failure.unknown(let outcome) {
                kept.drop()
                let error = CloudError(
                    .tryAgainLater,
                    "the database was lost while it stored the changes: they may be stored or not; read them, or repeat "
                        + "the request", nativeCode: 6, retryAfter: 1)
                return outcome.left.reduce(refuse(outcome.jobs, error)) {
                    $0 + commit($1, kept, cache, until: deadline)
                }
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

    /// What became of jobs that were to be committed together.
    private struct Outcome {
        /// Those that were run.
        var jobs: [StoreJob]
        /// What each of them threw, its changes undone; all else is committed.
        var failures: [(any Error)?] = []
        var addedRows = 0
        /// Those of databases that could not be had at once, by database.
        var left: [[StoreJob]] = []
    }

    /// Runs the jobs in one transaction, each in its savepoint.
    ///
    /// Jobs of several databases say what they read. Their databases are locked without waiting: none waits for what
    /// another process does to another's database, and no two transactions wait for each other.
    /// - Throws: ``Failure``.
    private func transaction(_ jobs: [StoreJob], _ connection: any SQLConnection, _ cache: SchemaCache) throws
        -> Outcome
    {
        let commit = CommitConnection(connection)
        let memory = BatchMemory(places: places)
        var outcome = Outcome(jobs: jobs)
        var transactions: [CloudTransaction] = []
        var isCommitting = false
        do {
            try commit.begin()
            if commit.dialect.isRemote { try readAhead(&outcome, memory, commit) }
            for job in outcome.jobs {
                let transaction = CloudTransaction(
                    commit, settings, cache: cache, memory: memory, isWritable: job.isWrite)
                transactions.append(transaction)
                outcome.failures.append(try attempt(job, transaction))
            }
            try commit.finish()
            isCommitting = true
            try commit.commit()
        } catch {
            for transaction in transactions.reversed() { transaction.undo() }
            if isCommitting, (error as? SQLError)?.kind == .connectionLost { throw Failure.unknown(outcome) }
            // Whether or not it can be rolled back, `error` is what is to be told.
            _ = try? commit.abandon()
            throw Failure.undone(error)
        }
        if transactions.contains(where: \.leavesNews) { news.yield() }
        outcome.addedRows = transactions.reduce(0) { $0 + $1.addedRows }
        return outcome
    }

    /// Asks at once for what the jobs are known to read. Of jobs of several databases those are left whose database is not
    /// to be had.
    private func readAhead(_ outcome: inout Outcome, _ memory: BatchMemory, _ commit: CommitConnection) throws {
        let known = outcome.jobs.compactMap(\.ahead)
        guard let first = known.first else { return }
        let isShared = known.contains { $0.database != first.database }
        let missing = try BatchReads(known, memory, places, skipsHeld: isShared).run(on: commit)
        guard !missing.isEmpty else { return }
        var left: [DatabaseID: [StoreJob]] = [:]
        for job in outcome.jobs {
            if let database = job.ahead?.database, missing.contains(database) {
                left[database, default: []].append(job)
            }
        }
        outcome.left = Array(left.values)
        outcome.jobs.removeAll { $0.ahead.map { missing.contains($0.database) } ?? false }
    }

    /// Runs a job in its savepoint.
    /// - Returns: The job's own failure, its changes undone.
    /// - Throws: What the database refused. It may concern a statement that an earlier job posted.
    private func attempt(_ job: StoreJob, _ transaction: CloudTransaction) throws -> (any Error)? {
        let (commit, known) = (transaction.commit, transaction.memory.mark)
        commit.savepoint()
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
            transaction.memory.restore(known)
            transaction.leavesNews = false
            try commit.rollBack()
        } else {
            try commit.release()
            try commit.send()
        }
        return failure
    }
}

extension SQLError {
    /// Whether the same transaction may succeed when it is run again: others that ran at once were in its way.
    var isPassing: Bool { kind == .serialization || kind == .uniqueViolation }
}
