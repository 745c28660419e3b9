import CloudCore
import SQLCore

/// Walks an index of one or more zones in key order, a batch at a time.
final class IndexCursor: QueryCursor {
    enum Source {
        case entries(field: Int64)
        /// The record names themselves, of all types; only those of `type` are candidates.
        case names(type: Int64)
    }

    /// Parts of an index that are walked side by side, each as if its keys began behind its prefix.
    struct Prefixes {
        let list: [[UInt8]]
        /// Whether a row must be in all parts to be a candidate, or in any.
        let needsAll: Bool
    }

    /// Between two entries.
    struct Place {
        let key: [UInt8]
        let row: Int64

        /// The place in a whole index of one in a part of it.
        func behind(_ prefix: [UInt8]) -> Place { prefix.isEmpty ? self : Place(key: prefix + key, row: row) }

        /// In front of all entries of a key, as the walk goes.
        static func before(_ key: [UInt8], ascending: Bool) -> Place {
            Place(key: key, row: ascending ? .min : .max)
        }

        /// Behind all entries of a key, as the walk goes.
        static func behind(_ key: [UInt8], ascending: Bool) -> Place { before(key, ascending: !ascending) }
    }

    /// One part in one zone.
    private struct Lane {
        let zone: Int
        let prefix: [UInt8]
        /// Entries to read at once; grows while the lane is read.
        var batch: Int
        var buffer: [IndexHit] = []
        var next = 0
        /// What is left lies strictly between these.
        var lower: Place
        var upper: Place
        var isExhausted = false

        var head: IndexHit? { next < buffer.count ? buffer[next] : nil }
    }

    private let connection: any SQLConnection
    private let database: Int64
    private let zones: [ZoneRef]
    private let source: Source
    private let prefixes: [[UInt8]]
    /// Lanes that a row must be in.
    private let needed: Int
    private let range: KeyRange
    private let ascending: Bool
    private let batch: Int
    private var lanes: [Lane] = []

    /// - Parameters:
    ///   - prefixes: `nil` for the whole index.
    ///   - start: Where to begin, if not at the end of the range.
    ///   - batch: Entries to read at once, over all zones and parts together.
    init(
        connection: any SQLConnection, database: Int64, zones: [ZoneRef], source: Source, prefixes: Prefixes?,
        range: KeyRange, ascending: Bool, start: Place?, batch: Int
    ) {
        self.connection = connection
        self.database = database
        self.zones = zones
        self.source = source
        self.prefixes = prefixes?.list ?? [[]]
        needed = prefixes?.needsAll == true ? self.prefixes.count : 1
        self.range = range
        self.ascending = ascending
        self.batch = batch
        // In front of the range, either way, is its end.
        move(to: start ?? Place(key: ascending ? [] : range.upper, row: .min))
    }

    func peek() throws -> IndexHit? { try best().flatMap { lanes[$0].head } }

    func next() throws -> IndexHit? {
        guard let best = try best(), var hit = lanes[best].head else { return nil }
        lanes[best].next += 1
        guard prefixes.count > 1 else { return hit }
        hit.cost = 1
        for index in lanes.indices {
            guard let other = lanes[index].head, other.row == hit.row, other.key == hit.key else { continue }
            lanes[index].next += 1
            hit.cost += 1
        }
        hit.isCandidate = hit.isCandidate && hit.cost >= needed
        return hit
    }

    func skip(_ key: [UInt8]) { move(to: .behind(key, ascending: ascending)) }

    private func move(to place: Place) {
        var (lower, upper) = (Place(key: range.lower, row: .min), Place(key: range.upper, row: .min))
        if ascending {
            if !IndexKey.less(place.key, range.lower) { lower = place }
        } else if IndexKey.less(place.key, range.upper) {
            upper = place
        }
        let share = max(2, batch / max(1, zones.count * prefixes.count))
        lanes = zones.indices.flatMap { zone in
            prefixes.map { Lane(zone: zone, prefix: $0, batch: share, lower: lower, upper: upper) }
        }
    }

    /// The lane whose head is the next entry.
    private func best() throws -> Int? {
        try fill()
        var best: (lane: Int, hit: IndexHit)?
        for index in lanes.indices {
            guard let hit = lanes[index].head else { continue }
            if let current = best?.hit {
                let isLess = hit.key == current.key ? hit.row < current.row : IndexKey.less(hit.key, current.key)
                if isLess == ascending, hit.row != current.row { best = (index, hit) }
            } else {
                best = (index, hit)
            }
        }
        return best?.lane
    }

    /// Reads on in the lanes that are empty, all in one journey.
    private func fill() throws {
        let empty = lanes.indices.filter { lanes[$0].head == nil && !lanes[$0].isExhausted }
        guard !empty.isEmpty else { return }
        for index in empty {
            lanes[index].buffer = []
            lanes[index].next = 0
        }
        switch source {
        case .entries(let field): try fillEntries(of: field, empty)
        case .names(let type): try fillNames(of: type, empty)
        }
        for index in empty {
            lanes[index].isExhausted = lanes[index].buffer.count < lanes[index].batch
            lanes[index].batch = min(2 * lanes[index].batch, max(2, batch))
            guard let last = lanes[index].buffer.last else { continue }
            let place = Place(key: last.key, row: last.row)
            if ascending { lanes[index].lower = place } else { lanes[index].upper = place }
        }
    }

    private var order: String { ascending ? "ASC" : "DESC" }

    private func fillEntries(of field: Int64, _ empty: [Int]) throws {
        try connection.query(
            EntryRows.statement(ascending: ascending),
            each: empty.map { index in
                let lane = lanes[index]
                return EntryRows(
                    database: database, zone: zones[lane.zone].row, field: field, lower: lane.lower.behind(lane.prefix),
                    upper: lane.upper.behind(lane.prefix), most: lane.batch
                ).binds
            }
        ) { position, row in
            let index = empty[position]
            let key =
                lanes[index].prefix.isEmpty ? row.blob(0) : Array(row.blob(0).dropFirst(lanes[index].prefix.count))
            lanes[index].buffer.append(IndexHit(key: key, row: row.integer(1), zone: lanes[index].zone))
        }
    }

    /// Tombstones and other types are read too: how much a statement reads must not depend on what it finds.
    private func fillNames(of type: Int64, _ empty: [Int]) throws {
        // All lanes begin with one upper end; going up it stays the open one.
        let (open, bounded) = (
            empty.filter { lanes[$0].upper.key == KeyRange.all.upper },
            empty.filter { lanes[$0].upper.key != KeyRange.all.upper }
        )
        for (group, bound) in [(open, ""), (bounded, "AND (name, id) < (?6, ?7)")] where !group.isEmpty {
            try connection.query(
                """
                SELECT name, id, type, deleted FROM record WHERE db = ?1 AND zone = ?2 AND (name, id) > (?3, ?4) \(bound)
                ORDER BY name \(order), id \(order) LIMIT ?5
                """,
                each: group.map { index in
                    let lane = lanes[index]
                    let upper: [SQLValue] =
                        bound.isEmpty ? [] : [.text(Self.name(lane.upper.key)), .integer(lane.upper.row)]
                    return [
                        .integer(database), .integer(zones[lane.zone].row), .text(Self.name(lane.lower.key)),
                        .integer(lane.lower.row), .integer(Int64(lane.batch)),
                    ] + upper
                }
            ) { position, row in
                let index = group[position]
                lanes[index].buffer.append(
                    IndexHit(
                        key: [1] + row.text(0).utf8, row: row.integer(1), zone: lanes[index].zone,
                        isCandidate: row.integer(2) == type && row.integer(3) == 0))
            }
        }
    }

    private static func name(_ key: [UInt8]) -> String { String(decoding: key.dropFirst(), as: UTF8.self) }
}
