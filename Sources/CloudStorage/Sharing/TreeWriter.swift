import SQLCore

/// Changes of `shared_record` on their way to the database.
struct TreeWriter {
    /// States of a row, stored.
    enum State: Int64 {
        case present = 0
        /// The record left the tree, or was deleted, while the tree was shared.
        case gone = 1
        /// The share was stopped while the record was in the tree.
        case ended = 2
    }

    private struct Key: Hashable {
        let row, share: Int64
    }

    private static let insert = SQLInsert(
        into: "shared_record",
        [
            .init("db", .integer), .init("zone", .integer), .init("share", .integer), .init("record", .integer),
            .init("seq", .integer), .init("gone", .integer), .init("entered", .integer),
        ])

    let database: DatabaseRef
    let zone: ZoneRef
    private var counter: Int64
    private var added: [[SQLValue]] = []
    private var updated: [[SQLValue]] = []
    private var written: Set<Key> = []
    /// The number of the last change of each tree.
    private var last: [Int64: Int64] = [:]
    /// The types of the records that changed in each tree.
    private(set) var types: [Int64: Set<String>] = [:]

    init(database: DatabaseRef, zone: ZoneRef, counter: Int64) {
        self.database = database
        self.zone = zone
        self.counter = counter
    }

    func has(_ row: Int64, _ share: Int64) -> Bool { written.contains(Key(row: row, share: share)) }

    /// The record is in the tree, changed or new in it.
    /// - Parameters:
    ///   - sequence: The number of the record's own change; without one it gets a number here.
    ///   - isKnown: Whether the table has a row for it.
    mutating func have(_ row: Int64, _ share: Int64, _ sequence: Int64?, _ type: String?, isKnown: Bool) {
        guard written.insert(Key(row: row, share: share)).inserted else { return }
        let number = number(sequence, share, type)
        if isKnown {
            update(row, share, number, .present)
        } else {
            added.append([
                .integer(database.row), .integer(zone.row), .integer(share), .integer(row), .integer(number),
                .integer(State.present.rawValue), .integer(number),
            ])
        }
    }

    /// The record is in the tree no more.
    mutating func leave(_ row: Int64, _ share: Int64, _ sequence: Int64?, _ type: String?) {
        guard written.insert(Key(row: row, share: share)).inserted else { return }
        update(row, share, number(sequence, share, type), .gone)
    }

    private mutating func update(_ row: Int64, _ share: Int64, _ number: Int64, _ state: State) {
        updated.append([
            .integer(database.row), .integer(row), .integer(share), .integer(number), .integer(state.rawValue),
        ])
    }

    private mutating func number(_ sequence: Int64?, _ share: Int64, _ type: String?) -> Int64 {
        if sequence == nil { counter += 1 }
        let number = sequence ?? counter
        last[share] = max(last[share] ?? 0, number)
        types[share, default: []].formUnion(type.map { [$0] } ?? [])
        return number
    }

    /// - Parameter ended: Shares that were stopped; their rows stay as they are, but for that.
    /// - Returns: The number of the last change.
    func write(_ connection: any SQLConnection, dropping ended: [Int64]) throws -> Int64 {
        for share in ended {
            try connection.post(
                "UPDATE shared_record SET gone = 2 WHERE db = ?1 AND share = ?2 AND gone = 0",
                .integer(database.row), .integer(share))
        }
        for binds in updated {
            try connection.post(
                "UPDATE shared_record SET seq = ?4, gone = ?5 WHERE db = ?1 AND record = ?2 AND share = ?3", binds)
        }
        if !added.isEmpty { try connection.insert(Self.insert, added) }
        for (share, number) in last {
            try connection.post(
                "UPDATE share SET last_change = ?3 WHERE db = ?1 AND record = ?2", .integer(database.row),
                .integer(share), .integer(number))
        }
        return counter
    }
}
