import Dispatch
import Synchronization

/// A few threads for work that waits for the disk, so that neither the HTTP loop nor the tasks of others do.
final class DiskThreads: Sendable {
    private let queues = (0..<4).map { DispatchQueue(label: "assets.\($0)") }
    private let turn = Atomic<Int>(0)

    /// One of the threads, for all the work of one request.
    func lane() -> Lane {
        Lane(queue: queues[abs(turn.wrappingAdd(1, ordering: .relaxed).newValue) % queues.count])
    }

    struct Lane: Sendable {
        let queue: DispatchQueue

        func run<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
            try await withCheckedThrowingContinuation { waiter in
                queue.async { waiter.resume(with: Result(catching: work)) }
            }
        }
    }
}
