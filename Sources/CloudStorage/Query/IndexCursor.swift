import CloudCore
import SQLCore

/// Walks an index of one or more zones in key order, a batch at a time.
final class IndexCursor {
    enum Source {
        case entries(field: Int64)
        /// The record names themselves, of all types; only those of `type` are candidates.
        case names(type: Int64)
    }

    struct Hit {
        let key: [UInt8]
        let row: Int64
        let zone: Int
        /// False for a tombstone and for a record of another type: read, and known to be none of the results.
        let isCandidate: Bool
    }

    /// Between two entries.
    struct Place {
        let key: [UInt8]
        let row: Int64

        /// In front of all entries of a key, as the walk goes.
        static func before(_ key: [UInt8], ascending: Bool) -> Place {
            Place(key: key, row: ascending ? .min : .max)
        }

        /// Behind all entries of a key, as the walk goes.
        static func behind(_ key: [UInt8], ascending: Bool) -> Place { before(key, ascending: !ascending) }
    }

    private struct Lane {
        var buffer: [Hit] = []
        var next = 0
        /// What is left lies strictly between these.
        var lower: Place
        var upper: Place
        var isExhausted = false

        var head: Hit? { next < buffer.count ? buffer[next] : nil }
    }

    private let connection: any SQLConnection
    private let database: Int64
    private let zones: [ZoneRef]
    private let source: Source
    private let range: KeyRange
    private let ascending: Bool
    private let batch: Int
    private var lanes: [Lane]

    /// - Parameters:
    ///   - start: Where to begin, if not at the end of the range.
    ///   - batch: Entries to read at once, over all zones together.
    init(
        connection: any SQLConnection, database: Int64, zones: [ZoneRef], source: Source, range: KeyRange,
        ascending: Bool, start: Place?, batch: Int
    ) {
        self.connection = connection
        self.database = database
        self.zones = zones
        self.source = source
        self.range = range
        self.ascending = ascending
        self.batch = max(2, batch / max(1, zones.count))
        lanes = []
        // In front of the range, either way, is its end.
        move(to: start ?? Place(key: ascending ? [] : range.upper, row: .min))
    }

    /// The next entry over all zones, which stays the next.
    func peek() throws -> Hit? { try best().flatMap { lanes[$0].head } }

    /// The next entry over all zones.
    func next() throws -> Hit? {
        guard let lane = try best() else { return nil }
        defer { lanes[lane].next += 1 }
        return lanes[lane].head
    }

    /// The next entries, as many as there are up to `count`.
    func next(_ count: Int) throws -> [Hit] {
        var hits: [Hit] = []
        while hits.count < count, let hit = try next() { hits.append(hit) }
        return hits
    }

    /// The next entries with the key of the first of them; no more than `most` and one.
    func run(most: Int) throws -> [Hit] {
        var hits: [Hit] = []
        while hits.count <= most, let hit = try peek(), hits.isEmpty || hit.key == hits[0].key {
            hits.append(hit)
            _ = try next()
        }
        return hits
    }

    /// Goes on behind every entry of the key.
    func skip(_ key: [UInt8]) { move(to: .behind(key, ascending: ascending)) }

    private func move(to place: Place) {
        var lane = Lane(lower: Place(key: range.lower, row: .min), upper: Place(key: range.upper, row: .min))
        if ascending {
            if !IndexKey.less(place.key, range.lower) { lane.lower = place }
        } else if IndexKey.less(place.key, range.upper) {
            lane.upper = place
        }
        lanes = zones.map { _ in lane }
    }

    /// The lane whose head is the next entry.
    private func best() throws -> Int? {
        var best: (lane: Int, hit: Hit)?
        for index in lanes.indices {
            try fill(index)
            guard let hit = lanes[index].head else { continue }
            if let current = best?.hit {
                let isLess = hit.key == current.key ? hit.row < current.row : IndexKey.less(hit.key, current.key)
                if isLess == ascending { best = (index, hit) }
            } else {
                best = (index, hit)
            }
        }
        return best?.lane
    }

    private func fill(_ index: Int) throws {
        guard lanes[index].head == nil, !lanes[index].isExhausted else { return }
        let lane = lanes[index]
        let hits: [Hit]
        switch source {
        case .entries(let field): hits = try entries(of: field, lane, zone: index)
        case .names(let type): hits = try names(of: type, lane, zone: index)
        }
        lanes[index].isExhausted = hits.count < batch
        if let last = hits.last {
            let place = Place(key: last.key, row: last.row)
            if ascending { lanes[index].lower = place } else { lanes[index].upper = place }
        }
        lanes[index].buffer = hits
        lanes[index].next = 0
    }

    private var order: String { ascending ? "ASC" : "DESC" }

    private func entries(of field: Int64, _ lane: Lane, zone: Int) throws -> [Hit] {
        var hits: [Hit] = []
        try connection.query(
            """
            SELECT key, record FROM entry WHERE db = ?1 AND zone = ?2 AND field = ?3
            AND (key, record) > (?4, ?5) AND (key, record) < (?6, ?7)
            ORDER BY key \(order), record \(order) LIMIT ?8
            """,
            [
                .integer(database), .integer(zones[zone].row), .integer(field), .blob(lane.lower.key),
                .integer(lane.lower.row), .blob(lane.upper.key), .integer(lane.upper.row), .integer(Int64(batch)),
            ]
        ) { row in
            hits.append(Hit(key: row.blob(0), row: row.integer(1), zone: zone, isCandidate: true))
            return true
        }
        return hits
    }

    /// Tombstones and other types are read too: how much a statement reads must not depend on what it finds.
    private func names(of type: Int64, _ lane: Lane, zone: Int) throws -> [Hit] {
        var hits: [Hit] = []
        let isOpen = lane.upper.key == KeyRange.all.upper
        let bound = isOpen ? "" : "AND (name, id) < (?6, ?7)"
        let upper: [SQLValue] = isOpen ? [] : [.text(Self.name(lane.upper.key)), .integer(lane.upper.row)]
        try connection.query(
            """
            SELECT name, id, type, deleted FROM record WHERE db = ?1 AND zone = ?2 AND (name, id) > (?3, ?4) \(bound)
            ORDER BY name \(order), id \(order) LIMIT ?5
            """,
            [
                .integer(database), .integer(zones[zone].row), .text(Self.name(lane.lower.key)),
                .integer(lane.lower.row), .integer(Int64(batch)),
            ] + upper
        ) { row in
            hits.append(
                Hit(
                    key: [1] + row.text(0).utf8, row: row.integer(1), zone: zone,
                    isCandidate: row.integer(2) == type && row.integer(3) == 0))
            return true
        }
        return hits
    }

    private static func name(_ key: [UInt8]) -> String { String(decoding: key.dropFirst(), as: UTF8.self) }
}
