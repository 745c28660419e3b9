import CloudCore
import HTTPCore

/// How a connection tells the time and waits; tests hand in their own.
package struct Pause: Sendable {
    /// The time since some fixed moment.
    package var now: @Sendable () -> Duration
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    package static let system: Pause = {
        let start = ContinuousClock.now
        return Pause(now: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) })
    }()
}

/// When a failed request is sent again, and after how long.
///
/// Only what is safe to repeat is repeated: a request that the service refused for now, a read whatever happened to
/// it, and a write only when nothing of it reached the server.
package struct RetryPolicy: Hashable, Sendable {
    /// Attempts in all.
    package var attempts: Int
    /// Longest single wait; a service that asks for more is answered with its own error.
    package var longestWait: Double

    /// Fails at once, except that a read on a dead connection is sent once more.
    package static let failFast = RetryPolicy(attempts: 1, longestWait: 0)
    /// For work nobody waits for.
    package static let patient = RetryPolicy(attempts: 6, longestWait: 120)

    /// Seconds to wait before the next attempt, or `nil` to give up.
    /// - Parameter attempt: How many attempts failed so far.
    package func delay(
        after error: any Error, isRead: Bool, attempt: Int, jitter: Double = .random(in: 0.5...1)
    ) -> Double? {
        switch error {
        case let error as CloudError:
            guard attempt < attempts, error.code == .tryAgainLater || error.code == .throttled else { return nil }
            let wait = error.retryAfter ?? Self.backOff(attempt, jitter)
            return wait <= longestWait ? wait : nil
        case let error as HTTPTransportError:
            switch error.code {
            case .cancelled, .invalidURL: return nil
            case .connectionLost where isRead && attempt == 1: return 0
            case .connectionLost, .timedOut: if !isRead { return nil }
            case .unreachable: break
            }
            return attempt < attempts ? min(Self.backOff(attempt, jitter), longestWait) : nil
        default:
            return nil
        }
    }

    /// 0.5 s, doubled per failure, at most a minute, times the jitter.
    package static func backOff(_ failures: Int, _ jitter: Double) -> Double {
        min(60, 0.5 * Double(1 << min(max(failures - 1, 0), 10))) * jitter
    }
}
