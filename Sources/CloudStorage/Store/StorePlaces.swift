import CloudCore
import Synchronization

/// The numbers under which databases and zones were found, remembered by the process so that a transaction can ask for
/// their rows before it has read theirs. They are guesses: whoever uses one compares it with what the same transaction reads.
final class StorePlaces: Sendable {
    struct Place {
        let row: Int64
        var zones: [ExactName: Int64] = [:]
    }

    private struct State {
        var databases: [DatabaseID: Place] = [:]
        var zones = 0
    }

    /// Databases, and zones of all of them, that are remembered at most.
    private static let limit = 20_000

    private let state = Mutex(State())

    func place(of database: DatabaseID) -> Place? { state.withLock { $0.databases[database] } }

    func keep(_ database: DatabaseRef) {
        state.withLock { state in
            guard state.databases[database.id]?.row != database.row else { return }
            if state.databases.count >= Self.limit { state = State() }
            state.databases[database.id] = Place(row: database.row)
        }
    }

    func keep(_ zone: ZoneRef, in database: DatabaseID) {
        let name = ExactName(zone.id.name)
        state.withLock { state in
            guard let known = state.databases[database], known.zones[name] != zone.row else { return }
            if state.zones >= Self.limit { state = State() }
            state.databases[database]?.zones[name] = zone.row
            state.zones += 1
        }
    }
}
