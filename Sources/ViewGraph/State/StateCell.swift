import Observation
import Synchronization

/// Where the value of one state property of one node lives. Views that read it are told of changes as they are of changes of
/// observable models.
///
/// Unchecked: the value is behind `lock`. That a value which is not sendable is used on one actor alone is up to its owner, as
/// with any state of a view.
package final class StateCell<Value>: Observable, CountedCell, @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    private let lock = Mutex(0)
    private nonisolated(unsafe) var stored: Value

    package init(_ value: Value) { stored = value }

    package var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            let (value, changes) = lock.withLock { (stored, $0) }
            Readings.note(self, changes)
            return value
        }
        set {
            lock.withLock {
                stored = newValue
                $0 += 1
            }
            // Told afterwards: who hears of it on another thread and looks at once must not find the old value.
            registrar.withMutation(of: self, keyPath: \.value) {}
        }
    }

    /// The value, without being told of changes.
    package var untracked: Value { lock.withLock { _ in stored } }

    var changes: Int { lock.withLock { $0 } }
}
