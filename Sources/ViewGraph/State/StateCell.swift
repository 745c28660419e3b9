import Observation
import Synchronization

/// Where the value of one state property of one node lives. Views that read it are told of changes as they are of changes of
/// observable models.
///
/// Unchecked: the value is behind `lock`. That a value which is not sendable is used on one actor alone is up to its owner, as
/// with any state of a view.
package final class StateCell<Value>: Observable, @unchecked Sendable {
    private let registrar = ObservationRegistrar()
    private let lock = Mutex(())
    private nonisolated(unsafe) var stored: Value

    package init(_ value: Value) { stored = value }

    package var value: Value {
        get {
            registrar.access(self, keyPath: \.value)
            return lock.withLock { _ in stored }
        }
        set {
            lock.withLock { _ in stored = newValue }
            // Told afterwards: who hears of it on another thread and looks at once must not find the old value.
            registrar.withMutation(of: self, keyPath: \.value) {}
        }
    }

    /// The value, without being told of changes.
    package var untracked: Value { lock.withLock { _ in stored } }
}
