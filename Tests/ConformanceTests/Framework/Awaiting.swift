import CloudKit
import Foundation

/// Waits for the one call of a completion handler that has a value or an error.
func value<Value: Sendable>(
    _ call: (@escaping @Sendable (Value?, (any Error)?) -> Void) -> Void
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        call { value, error in
            if let value, error == nil {
                continuation.resume(returning: value)
            } else {
                continuation.resume(throwing: error ?? CKError(.internalError))
            }
        }
    }
}

/// Waits for the one call of a completion handler that has a result.
func result<Value: Sendable>(
    _ call: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in call { continuation.resume(with: $0) } }
}

/// Waits for the one call of a completion handler that has an error at most.
func end(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        call { error in
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }
    }
}
