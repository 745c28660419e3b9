import Glibc
import Synchronization

/// A cell that counts how often it was changed.
protocol CountedCell: AnyObject {
    var changes: Int { get }
}

/// The cells that are read while a node makes a value.
///
/// Observation begins to listen when the value is made, not when something is read for it: what another thread changes between
/// the two is told to nobody. So the cells are looked at again once it listens.
enum Readings {
    private struct Reading {
        let cell: any CountedCell
        let changes: Int
    }

    /// The thread that reads; it alone uses `current`.
    private static let reader = Atomic<UInt>(0)
    private nonisolated(unsafe) static var current: [Reading] = []

    static func note(_ cell: any CountedCell, _ changes: Int) {
        guard reader.load(ordering: .relaxed) == UInt(pthread_self()) else { return }
        current.append(Reading(cell: cell, changes: changes))
    }

    /// Runs `read`, which listens when it is done.
    /// - Returns: Whether a cell that it read was changed before it listened.
    @MainActor
    static func during<Value>(_ read: () -> Value) -> (value: Value, isOutdated: Bool) {
        let outer = (reader.load(ordering: .relaxed), current)
        current = []
        reader.store(UInt(pthread_self()), ordering: .relaxed)
        let value = read()
        let isOutdated = current.contains { $0.cell.changes != $0.changes }
        current = outer.1
        reader.store(outer.0, ordering: .relaxed)
        return (value, isOutdated)
    }
}
