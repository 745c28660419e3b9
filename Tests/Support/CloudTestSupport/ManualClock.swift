import Synchronization

/// A clock that moves only when told.
package final class ManualClock: Sendable {
    private let time: Mutex<Int64>

    /// - Parameter milliseconds: Since 1970.
    package init(_ milliseconds: Int64 = 1_750_000_000_000) { time = Mutex(milliseconds) }

    /// Milliseconds since 1970; each look moves it by one, so that what comes later is later.
    package var now: Int64 {
        time.withLock {
            $0 += 1
            return $0
        }
    }

    package func advance(milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
