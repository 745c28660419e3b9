import CloudCore
import SQLCore

/// The loop of a thread that reads: what waits together reads one snapshot, which is newer than each of the requests.
struct StoreReader: Sendable {
    let queue: JobQueue
    let settings: StoreSettings
    /// Threads that take from the queue; each takes its share.
    let threads: Int

    /// Jobs in one snapshot at most.
    private static let batchLimit = 16

    func run(_ kept: KeptConnection) {
        let cache = SchemaCache()
        while let batch = queue.take(limit: Self.batchLimit, sharedBy: threads) {
            var rest = batch.jobs[...]
            while let first = rest.first { rest = read(rest, first, kept, cache) }
            queue.done(batch)
        }
        kept.drop()
    }

    /// Runs the jobs up to one for which the database ends the snapshot; the first is run again when the database was lost
    /// or another transaction got in its way, which harms nobody.
    /// - Returns: The jobs that are not answered yet, without the first.
    private func read(
        _ jobs: ArraySlice<StoreJob>, _ first: StoreJob, _ kept: KeptConnection, _ cache: SchemaCache
    ) -> ArraySlice<StoreJob> {
        let deadline = first.since + settings.patience
        var losses = 0
        var attempt = 1
        while true {
            var rest = jobs
            var failures: [(any Error)?] = []
            do {
                let connection = try kept.open(until: deadline)
                let result = Result {
                    try connection.post(connection.dialect.beginRead)
                    try run(&rest, &failures, connection, cache)
                }
                // Nothing was changed, so only the snapshot has to end: with its connection, if not otherwise.
                do { try connection.post("ROLLBACK") } catch { kept.drop() }
                for (job, failure) in zip(jobs, failures) { job.finish(failure) }
                try result.get()
                return rest
            } catch {
                let kind = (error as? SQLError)?.kind
                if kind == .connectionLost { kept.drop() }
                if rest.count < jobs.count { return rest }
                if kind == .connectionLost, ContinuousClock.now < deadline {
                    queue.pause(StoreWriter.pause(after: losses))
                    losses += 1
                } else if kind == .serialization, attempt < StoreWriter.attempts {
                    attempt += 1
                } else {
                    first.finish(error)
                    return rest.dropFirst()
                }
            }
        }
    }

    /// Runs one job after the other; throws what the database throws, after which its snapshot is of no more use.
    private func run(
        _ rest: inout ArraySlice<StoreJob>, _ failures: inout [(any Error)?], _ connection: any SQLConnection,
        _ cache: SchemaCache
    ) throws {
        let memory = BatchMemory(isSnapshot: true)
        let commit = CommitConnection(connection)
        while let job = rest.first {
            do {
                try job.run(
                    CloudTransaction(commit, settings, cache: cache, memory: memory, isWritable: false))
                failures.append(nil)
            } catch let error as SQLError {
                throw error
            } catch {
                failures.append(error)
            }
            rest = rest.dropFirst()
        }
    }
}
