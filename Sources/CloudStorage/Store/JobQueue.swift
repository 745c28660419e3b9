import Glibc

/// Jobs on their way to threads that block until there are some.
///
/// Sendable because `jobs` and `isClosed` are touched only while `mutex` is held; the two pointers never change.
final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var jobs: [StoreJob] = []
    private var isClosed = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// - Returns: False when the queue is closed; the job is not taken then.
    func add(_ job: StoreJob) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !isClosed else { return false }
        jobs.append(job)
        pthread_cond_signal(condition)
        return true
    }

    /// Waits for jobs and takes up to `limit`, oldest first; empty when the queue is closed and drained.
    func take(limit: Int) -> [StoreJob] {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while jobs.isEmpty, !isClosed { pthread_cond_wait(condition, mutex) }
        let taken = Array(jobs.prefix(limit))
        jobs.removeFirst(taken.count)
        return taken
    }

    /// Refuses new jobs; waiting ones are still taken.
    func close() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        isClosed = true
        pthread_cond_broadcast(condition)
    }
}
