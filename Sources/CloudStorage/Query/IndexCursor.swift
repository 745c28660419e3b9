import CloudCore
import SQLCore

/// Walks an index of one or more zones in key order, a batch at a time.
final class IndexCursor {
    enum Source {
        case entries(field: Int64)
        /// The record names themselves, of all types.
        case names
    }

    struct Hit {
        let key: [UInt8]
        let row: Int64
        let zone: Int
    }

    private struct Lane {
        var buffer: [Hit] = []
        var next = 0
        var lower: (key: [UInt8], row: Int64)
        var upper: (key: [UInt8], row: Int64)
        var isExhausted = false
    }

    private static let batch = 256

    private let connection: any SQLConnection
    private let database: Int64
    private let zones: [ZoneRef]
    private let source: Source
    private let ascending: Bool
    private var lanes: [Lane]

    /// - Parameter start: Where to begin: at the keys equal to `key` (row `nil`), or behind `key` and row.
    init(
        connection: any SQLConnection, database: Int64, zones: [ZoneRef], source: Source, range: KeyRange,
        ascending: Bool, start: (key: [UInt8], row: Int64?)?
    ) {
        self.connection = connection
        self.database = database
        self.zones = zones
        self.source = source
        self.ascending = ascending
        // Bounds are exclusive pairs of key and row.
        var lower = (key: range.lower, row: Int64.min)
        var upper = (key: range.upper, row: Int64.min)
        if let start {
            if ascending {
                let place = (key: start.key, row: start.row ?? Int64.min)
                if !IndexKey.less(place.key, lower.key) { lower = place }
            } else {
                let place = (key: start.key, row: start.row ?? Int64.max)
                if IndexKey.less(place.key, upper.key) { upper = place }
            }
        }
        lanes = zones.map { _ in Lane(lower: lower, upper: upper) }
    }

    /// The next entry in order over all zones.
    func next() throws -> Hit? {
        var best: Int?
        for index in lanes.indices {
            try fill(index)
            guard let hit = head(index) else { continue }
            if let current = best.flatMap({ head($0) }) {
                let isLess =
                    hit.key == current.key ? hit.row < current.row : IndexKey.less(hit.key, current.key)
                if isLess == ascending { best = index }
            } else {
                best = index
            }
        }
        guard let best else { return nil }
        defer { lanes[best].next += 1 }
        return head(best)
    }

    private func head(_ lane: Int) -> Hit? {
        lanes[lane].next < lanes[lane].buffer.count ? lanes[lane].buffer[lanes[lane].next] : nil
    }

    private func fill(_ index: Int) throws {
        var lane = lanes[index]
        guard lane.next == lane.buffer.count, !lane.isExhausted else { return }
        var hits: [Hit] = []
        let order = ascending ? "ASC" : "DESC"
        switch source {
        case .entries(let field):
            try connection.query(
                """
                SELECT key, record FROM entry WHERE db = ?1 AND zone = ?2 AND field = ?3
                AND (key, record) > (?4, ?5) AND (key, record) < (?6, ?7)
                ORDER BY key \(order), record \(order) LIMIT ?8
                """,
                [
                    .integer(database), .integer(zones[index].row), .integer(field), .blob(lane.lower.key),
                    .integer(lane.lower.row), .blob(lane.upper.key), .integer(lane.upper.row),
                    .integer(Int64(Self.batch)),
                ]
            ) { row in
                hits.append(Hit(key: row.blob(0), row: row.integer(1), zone: index))
                return true
            }
        case .names:
            try connection.query(
                """
                SELECT name, id FROM record WHERE db = ?1 AND zone = ?2 AND (name, id) > (?3, ?4)
                \(lane.upper.key == KeyRange.all.upper ? "" : "AND (name, id) < (?5, ?6)") AND deleted = 0
                ORDER BY name \(order), id \(order) LIMIT ?7
                """,
                [
                    .integer(database), .integer(zones[index].row), .text(Self.name(lane.lower.key)),
                    .integer(lane.lower.row), .text(Self.name(lane.upper.key)), .integer(lane.upper.row),
                    .integer(Int64(Self.batch)),
                ]
            ) { row in
                hits.append(Hit(key: [1] + row.text(0).utf8, row: row.integer(1), zone: index))
                return true
            }
        }
        lane.isExhausted = hits.count < Self.batch
        if let last = hits.last {
            if ascending { lane.lower = (last.key, last.row) } else { lane.upper = (last.key, last.row) }
        }
        lane.buffer = hits
        lane.next = 0
        lanes[index] = lane
    }

    private static func name(_ key: [UInt8]) -> String { String(decoding: key.dropFirst(), as: UTF8.self) }
}
