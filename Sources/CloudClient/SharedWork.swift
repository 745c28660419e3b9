import Synchronization

/// Work that several callers wait for. A caller that is cancelled leaves at once; with the last one the work is cancelled.
final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var result: Result<Value, any Error>?
        var waiters: [Int: CheckedContinuation<Value?, any Error>] = [:]
        var lastWaiter = 0
        var isGivenUp = false

        mutating func giveUpIfUnwanted() {
            guard waiters.isEmpty, result == nil else { return }
            isGivenUp = true
            task?.cancel()
        }
    }

    private let state = Mutex(State())

    init(_ body: @escaping @Sendable () async throws -> Value) {
        let task = Task {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            end(result)
        }
        state.withLock { if $0.result == nil { $0.task = task } }
    }

    /// Whether nobody need wait for it any more: it has ended, or is about to, since all have left.
    var isOver: Bool { state.withLock { $0.result != nil || $0.isGivenUp } }

    /// What comes of it; `nil` when all who had waited for it had left before.
    /// - Throws: What the work throws; `CancellationError` when the caller is cancelled.
    func value() async throws -> Value? {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                let answer = state.withLock { state -> Result<Value?, any Error>? in
                    if Task.isCancelled {
                        state.giveUpIfUnwanted()
                        return .failure(CancellationError())
                    }
                    if let result = state.result { return result.map { $0 } }
                    if state.isGivenUp { return .success(nil) }
                    state.waiters[number] = waiter
                    return nil
                }
                if let answer { waiter.resume(with: answer) }
            }
        } onCancel: {
            state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: number)
                if waiter != nil { state.giveUpIfUnwanted() }
                return waiter
            }?.resume(throwing: CancellationError())
        }
    }

    private func end(_ result: Result<Value, any Error>) {
        let waiters = state.withLock { state in
            defer {
                state.waiters = [:]
                state.task = nil
                state.result = result
            }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(with: result.map { $0 }) }
    }
}
