import SQLCore
import Synchronization

/// Keeps the database's planner from taking young tables for empty ones.
///
/// While nothing is known of a table's rows, every index whose first columns fit looks alike, and a record may be sought
/// by name among all records of its zone. A database gathers what it needs by itself, but within minutes; until the tables
/// are large enough for that to serve, the store asks for it, each time that twice as many rows have come.
///
/// Statistics of single columns do not do: a zone belongs to one database, so the share of rows that have both is not the
/// product of their shares. ``CloudSchema/recordStatistics(_:)`` tells the planner.
final class PlannerStatistics: Sendable {
    private struct State {
        var added = 0
        var next = 200
    }

    /// Rows from which on the database's own schedule is enough.
    private static let enough = 200_000

    private let state = Mutex(State())

    /// Counts the rows of a commit and, when it is time, renews the statistics; outside of a transaction.
    func added(_ rows: Int, on kept: KeptConnection) {
        guard let connection = kept.connection, let analyze = connection.dialect.analyze else { return }
        let isDue = state.withLock { state in
            state.added += rows
            guard state.added >= state.next, state.next < Self.enough else { return false }
            while state.next <= state.added { state.next *= 2 }
            return true
        }
        // Nothing rests on it but speed, and the database does it again in time.
        if isDue { try? connection.script("\(analyze) record, entry, reference") }
    }
}
