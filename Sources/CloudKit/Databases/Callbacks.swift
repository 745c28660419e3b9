import Foundation

/// Runs `work` and hands its outcome to `handler` on a serial queue of its own, never on the caller's thread.
func deliver<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, to handler: @escaping (Result<Value, any Error>) -> Void
) {
    nonisolated(unsafe) let handler = handler  // called once, by the queue alone
    Task {
        let result: Result<Value, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        DispatchQueue(label: "cloudkit.callback").async { handler(result) }
    }
}

/// The same for handlers that take a value or an error.
func deliver<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value, to handler: @escaping (Value?, (any Error)?) -> Void
) {
    deliver(work) { (result: Result<Value, any Error>) in handler(result.value, result.error) }
}

extension Dictionary {
    /// The result of the one item that was asked for.
    func only<Success>(_ key: Key) throws -> Success where Value == Result<Success, any Error> {
        guard let result = self[key] else {
            throw CKError(.internalError, reason: "the service did not say what became of \(key)")
        }
        return try result.get()
    }
}
