import Synchronization

/// A clock that moves only when told.
package final class ManualClock: Sendable {
    private let time: Mutex<Int64>
    private let step: Int64

    /// - Parameters:
    ///   - milliseconds: Since 1970.
    ///   - step: How far each look moves it, so that what comes later is later; 0 stops it.
    package init(_ milliseconds: Int64 = 1_750_000_000_000, step: Int64 = 1) {
        time = Mutex(milliseconds)
        self.step = step
    }

    /// Milliseconds since 1970.
    package var now: Int64 {
        time.withLock {
            $0 += step
            return $0
        }
    }

    package func advance(milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}
