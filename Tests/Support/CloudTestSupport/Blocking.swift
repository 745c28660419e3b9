import Dispatch

/// Runs what blocks on a thread of its own, so that it holds up neither other tests nor what it waits for.
package func blocking<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
    await withCheckedContinuation { waiter in
        DispatchQueue.global().async { waiter.resume(returning: work()) }
    }
}
