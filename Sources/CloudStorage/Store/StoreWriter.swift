import SQLCore

/// The loop of the one thread that writes: takes what waits, commits it together, then answers.
struct StoreWriter: Sendable {
    let queue: JobQueue
    let settings: StoreSettings
    let pushes: AsyncStream<Void>.Continuation

    /// Jobs in one commit at most, so that the first does not wait for ever.
    static let batchLimit = 256

    func run(_ connection: any SQLConnection) {
        let cache = SchemaCache()
        while true {
            let jobs = queue.take(limit: Self.batchLimit)
            if jobs.isEmpty { return }
            commit(jobs, connection, cache)
        }
    }

    private func commit(_ jobs: [StoreJob], _ connection: any SQLConnection, _ cache: SchemaCache) {
        var failures = [(any Error)?](repeating: nil, count: jobs.count)
        var transactions: [CloudTransaction] = []
        do {
            try connection.post(connection.dialect.beginWrite)
            for (index, job) in jobs.enumerated() {
                let transaction = CloudTransaction(
                    connection, settings, cache: cache, isWritable: job.isWrite)
                transactions.append(transaction)
                failures[index] = try attempt(job, transaction, connection)
            }
            try connection.execute("COMMIT")
        } catch {
            for transaction in transactions.reversed() { transaction.undo() }
            _ = try? connection.execute("ROLLBACK")
            for (index, job) in jobs.enumerated() { job.finish(failures[index] ?? error) }
            return
        }
        if transactions.contains(where: \.leavesPushes) { pushes.yield() }
        for (index, job) in jobs.enumerated() { job.finish(failures[index]) }
    }

    /// Runs a job in its savepoint.
    /// - Returns: The job's own failure, its changes undone.
    /// - Throws: When the savepoint itself fails: then the whole batch is lost.
    private func attempt(
        _ job: StoreJob, _ transaction: CloudTransaction, _ connection: any SQLConnection
    ) throws -> (any Error)? {
        try connection.post("SAVEPOINT job")
        var failure: (any Error)?
        do {
            try job.run(transaction)
        } catch {
            failure = error
        }
        if failure != nil || !job.isWrite {
            transaction.undo()
            transaction.leavesPushes = false
            try connection.execute("ROLLBACK TO job")
        }
        try connection.post("RELEASE job")
        return failure
    }
}

/// The loop of a thread that reads, each job in its own snapshot.
struct StoreReader: Sendable {
    let queue: JobQueue
    let settings: StoreSettings

    func run(_ connection: any SQLConnection) {
        let cache = SchemaCache()
        while let job = queue.take(limit: 1).first {
            var failure: (any Error)?
            do {
                try connection.post(connection.dialect.beginRead)
                let transaction = CloudTransaction(connection, settings, cache: cache, isWritable: false)
                try job.run(transaction)
            } catch {
                failure = error
            }
            _ = try? connection.execute("ROLLBACK")
            job.finish(failure)
        }
    }
}
