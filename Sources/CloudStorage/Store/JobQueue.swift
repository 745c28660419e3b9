import CloudCore
import Glibc

/// Jobs on their way to threads that block until there are some.
///
/// In a queue of groups the waiting jobs of a database are taken together, and nobody takes more of that database until
/// ``done(_:)``: two transactions of one process never wait for each other's counter.
///
/// Sendable because the variables are touched only while `mutex` is held; the three pointers never change.
final class JobQueue: @unchecked Sendable {
    /// Whose jobs are taken together; `nil` for those of no database.
    typealias Group = DatabaseID?

    /// Records that jobs of several databases may read in one commit, so that none waits long for the others.
    static let sharedWeight = 64

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let closing = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let isGrouped: Bool
    private var waiting: [Group: [StoreJob]] = [:]
    /// Groups with waiting jobs that may be taken, longest waiting first.
    private var order: [Group] = []
    private var busy: Set<Group> = []
    private var isClosed = false

    /// - Parameter isGrouped: False for jobs that may run side by side, whatever they are for.
    init(isGrouped: Bool) {
        self.isGrouped = isGrouped
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, nil)
        pthread_cond_init(closing, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(closing)
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        closing.deallocate()
        condition.deallocate()
        mutex.deallocate()
    }

    /// - Returns: False when the queue is closed; the job is not taken then.
    func add(_ job: StoreJob, for group: Group = nil) -> Bool {
        locked {
            guard !isClosed else { return false }
            waiting[group, default: []].append(job)
            offer(group)
            return true
        }
    }

    /// Jobs that are taken together, and whose they are.
    struct Batch {
        fileprivate(set) var groups: [Group]
        fileprivate(set) var jobs: [StoreJob]
    }

    /// Waits for jobs and takes up to `limit` of one group, oldest first; `nil` when the queue is closed and drained.
    ///
    /// Jobs that say what they read come with those of more databases of their container, while all together are not more
    /// work than ``sharedWeight``.
    /// - Parameter threads: How many share what waits: each takes its part.
    func take(limit: Int, sharedBy threads: Int = 1) -> Batch? {
        locked {
            while order.isEmpty {
                if isClosed, waiting.isEmpty { return nil }
                pthread_cond_wait(condition, mutex)
            }
            let group = order.removeFirst()
            var jobs = waiting[group] ?? []
            let part = (jobs.count + threads - 1) / threads
            let rest = Array(jobs.dropFirst(min(limit, part)))
            jobs.removeLast(rest.count)
            waiting[group] = rest.isEmpty ? nil : rest
            var batch = Batch(groups: [group], jobs: jobs)
            if isGrouped {
                busy.insert(group)
                if rest.isEmpty { addOthers(to: &batch, limit: limit) }
            } else if !rest.isEmpty {
                offer(group)
            }
            if isClosed, waiting.isEmpty { pthread_cond_broadcast(condition) }
            return batch
        }
    }

    /// Adds groups that wait, as far as they can share a commit with what is there.
    private func addOthers(to batch: inout Batch, limit: Int) {
        guard let first = batch.jobs.first?.ahead?.database, var weight = weight(of: batch.jobs) else { return }
        let scope = SchemaScope(first)
        var passed: [Group] = []
        var next = 0
        while next < order.count, weight < Self.sharedWeight, passed.count < Self.sharedWeight {
            let group = order[next]
            next += 1
            guard let database = group, SchemaScope(database) == scope, let jobs = waiting[group],
                batch.jobs.count + jobs.count <= limit, let more = self.weight(of: jobs),
                weight + more <= Self.sharedWeight
            else {
                passed.append(group)
                continue
            }
            weight += more
            waiting[group] = nil
            busy.insert(group)
            batch.groups.append(group)
            batch.jobs += jobs
        }
        order.replaceSubrange(..<next, with: passed)
    }

    /// How much work the jobs are together; `nil` when one of them does not say.
    private func weight(of jobs: [StoreJob]) -> Int? {
        var sum = 0
        for job in jobs {
            guard let ahead = job.ahead else { return nil }
            sum += ahead.weight
        }
        return sum
    }

    /// Gives the groups of a batch free, once the batch is answered.
    func done(_ batch: Batch) {
        locked {
            for group in batch.groups {
                busy.remove(group)
                if waiting[group] != nil { offer(group) }
            }
        }
    }

    private func offer(_ group: Group) {
        guard !busy.contains(group), !order.contains(group) else { return }
        order.append(group)
        pthread_cond_signal(condition)
    }

    /// Refuses new jobs; waiting ones are still taken.
    func close() {
        locked {
            isClosed = true
            pthread_cond_broadcast(condition)
            pthread_cond_broadcast(closing)
        }
    }

    /// Lets time pass.
    /// - Returns: False, and before the time is over, when the queue is closed.
    @discardableResult
    func pause(_ duration: Duration) -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let (seconds, attoseconds) = duration.components
        end.tv_sec += Int(seconds)
        end.tv_nsec += Int(attoseconds / 1_000_000_000)
        if end.tv_nsec >= 1_000_000_000 {
            end.tv_sec += 1
            end.tv_nsec -= 1_000_000_000
        }
        return locked {
            while !isClosed, pthread_cond_timedwait(closing, mutex, &end) == 0 {}
            return !isClosed
        }
    }

    private func locked<T>(_ body: () -> T) -> T {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}
