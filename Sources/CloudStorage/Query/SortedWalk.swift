import CloudCore
import SQLCore

/// Finds a page's records in their order, sort by sort, and examines no more than the query's budget.
///
/// The index of the first sort gives records by their first key. Those with one key are a group, to be sorted by the
/// other sorts. A group that fits into the budget is read and sorted. For a larger one the index of the next sort is
/// walked and what does not belong to the group is left out; and so on, until the last sort, whose index has the order
/// itself. Records that lack the field of a sort are a group too, the one that no entry tells of; below the last sort
/// they go by their creation, which every record has. A sort by distance has an index in that order too, whatever the point.
///
/// So a page costs what it examines, however large the zone or a group is. When the budget is spent the page ends where
/// it is, with the matches it has, and the next one goes on from there.
struct SortedWalk {
    /// Sorted; one more than the page takes if the page ends because it is full.
    private(set) var matches: [QueryRun.Match] = []
    /// Where the walk ended early.
    private(set) var end: SortPosition?

    private let run: QueryRun
    private var examined = 0
    /// Everything up to here has been examined.
    private var done: SortPosition?

    init(run: QueryRun) { self.run = run }

    mutating func perform() throws { _ = try walk([]) }

    private var isFull: Bool { matches.count > run.limit }

    /// Ends the walk if examining `next` more is too much. What comes first is always examined, so every page gets on.
    private mutating func isSpent(_ next: Int) -> Bool {
        guard let done, examined > 0, examined + next > run.budget else { return false }
        end = done
        return true
    }

    /// Walks the records whose keys begin with `prefix`.
    /// - Returns: Whether to go on behind them; false when the page is full or the budget spent.
    private mutating func walk(_ prefix: [[UInt8]]) throws -> Bool {
        let level = prefix.count
        let start = run.start.flatMap { $0.keys.count > level && $0.keys.starts(with: prefix) ? $0 : nil }
        guard level < run.sorts.count else {
            return try stream(prefix, try cursor(level, at: start.map { .row($0) }))
        }
        var parts = parts(level)
        if let start, let current = parts.firstIndex(of: start.keys[level] == IndexKey.absent ? .absent : .present) {
            parts.removeFirst(current)
        }
        for part in parts {
            let place = start.flatMap { ($0.keys[level] == IndexKey.absent) == (part == .absent) ? $0 : nil }
            let goesOn = part == .absent ? try walkAbsent(prefix, place) : try walkPresent(prefix, place)
            guard goesOn else { return false }
        }
        return true
    }

    private enum Part { case absent, present }

    /// Which records there can be: without a sort's field, with it; in their order.
    private func parts(_ level: Int) -> [Part] {
        let sort = run.sorts[level]
        if case .system = sort.field { return [.present] }
        // No comparator of a field that can be sorted by matches a record without it.
        if run.matcher.filters.contains(where: { $0.field == sort.field }) { return [.present] }
        return sort.absentComesLast ? [.present, .absent] : [.absent, .present]
    }

    private mutating func walkAbsent(_ prefix: [[UInt8]], _ start: SortPosition?) throws -> Bool {
        let group = prefix + [IndexKey.absent]
        if let start, start.keys == group { return true }
        guard try walk(group) else { return false }
        done = .behind(group)
        return true
    }

    private mutating func walkPresent(_ prefix: [[UInt8]], _ start: SortPosition?) throws -> Bool {
        let level = prefix.count
        if level == run.sorts.count - 1 {
            let place = start.map { $0.row == nil ? Start.behind($0.keys[level]) : .row($0) }
            return try stream(prefix, try cursor(level, at: place))
        }
        let place = start.map { start -> Start in
            start.keys.count == level + 1 ? .behind(start.keys[level]) : .before(start.keys[level])
        }
        guard let cursor = try cursor(level, at: place) else { return true }
        var groups: [IndexHit] = []
        while let key = try cursor.peek()?.key {
            let hits = try cursor.run(most: run.budget)
            let isLarge = hits.count > run.budget
            if isLarge || groups.count >= wanted || examined + groups.cost + hits.cost > run.budget {
                try take(&groups, prefix)
                if isFull { return false }
            }
            if isLarge {
                guard try walk(prefix + [key]) else { return false }
                cursor.skip(key)
                done = .behind(prefix + [key])
            } else {
                if isSpent(hits.cost) { return false }
                groups += hits
            }
        }
        try take(&groups, prefix)
        return !isFull
    }

    /// Reads and sorts whole groups of one level.
    private mutating func take(_ groups: inout [IndexHit], _ prefix: [[UInt8]]) throws {
        guard let last = groups.last else { return }
        examined += groups.cost
        matches += try run.sorted(groups, taken: matches.count) { $0.keys.starts(with: prefix) }
        done = .behind(prefix + [last.key])
        groups = []
    }

    /// Records worth reading at once.
    private var wanted: Int { min(max(run.limit + 1 - matches.count, 16), QueryRun.readBatch) }

    /// Walks an index that has the order of all that begins with `prefix`.
    private mutating func stream(_ prefix: [[UInt8]], _ cursor: (any QueryCursor)?) throws -> Bool {
        guard let cursor else { return true }
        let isLastSort = prefix.count < run.sorts.count
        while true {
            let hits = try cursor.next(wanted, cost: max(run.budget - examined, 1))
            if hits.isEmpty { return true }
            if examined >= run.budget, isSpent(hits.cost) { return false }
            for (hit, match) in zip(hits, try run.read(hits)) {
                examined += hit.cost
                done = SortPosition(keys: prefix + [hit.key] + (isLastSort ? [hit.tie] : []), row: hit.row)
                guard let match, match.position.keys.starts(with: prefix) else { continue }
                matches.append(match)
                if isFull { return false }
            }
        }
    }

    /// Where a cursor begins.
    private enum Start {
        /// In front of all rows of a key, or behind them.
        case before([UInt8])
        case behind([UInt8])
        /// Behind the row.
        case row(SortPosition)
    }

    /// A cursor over the index of a sort, or below the last sort of the creation; `nil` if nothing was ever indexed.
    private func cursor(_ level: Int, at start: Start?) throws -> (any QueryCursor)? {
        let sort = level < run.sorts.count ? run.sorts[level] : QuerySort(field: .system(.createdTimestamp))
        if let from = sort.relativeLocation {
            return distanceCursor(sort.field, DistanceOrder(from: from), level, start)
        }
        var prefixes: IndexCursor.Prefixes?
        let source: IndexCursor.Source
        if sort.field == .system(.recordName) {
            source = .names(type: run.schema.id)
        } else if sort.field == .system(.createdTimestamp), let words = run.wordPrefixes,
            let field = run.schema.field(.text)
        {
            source = .entries(field: field.id)
            prefixes = words
        } else if let known = run.schema.field(sort.field) {
            source = .entries(field: known.id)
        } else {
            return nil
        }
        let place = start.map { start -> IndexCursor.Place in
            switch start {
            case .before(let key): .before(key, ascending: sort.ascending)
            case .behind(let key): .behind(key, ascending: sort.ascending)
            case .row(let position): IndexCursor.Place(key: position.keys[level], row: position.row ?? .max)
            }
        }
        return IndexCursor(
            connection: run.connection, database: run.database.row, zones: run.tables.map(\.zone), source: source,
            prefixes: prefixes, range: range(of: sort.field), ascending: sort.ascending, start: place,
            batch: min(run.budget + 1, 256))
    }

    private func distanceCursor(
        _ field: QueryField, _ order: DistanceOrder, _ level: Int, _ start: Start?
    ) -> (any QueryCursor)? {
        guard let known = run.schema.field(field) else { return nil }
        let place = start.map { start -> DistanceCursor.Place in
            switch start {
            case .before(let key): .init(millimetres: DistanceOrder.millimetres(of: key))
            case .behind(let key): .init(millimetres: DistanceOrder.millimetres(of: key) + 1)
            case .row(let position):
                .init(
                    millimetres: DistanceOrder.millimetres(of: position.keys[level]), tie: position.keys[level + 1],
                    row: position.row ?? .max)
            }
        }
        return DistanceCursor(
            connection: run.connection, database: run.database.row, zones: run.tables.map(\.zone), field: known.id,
            order: order, circles: run.matcher.filters.filter { $0.field == field }.compactMap(\.circle), start: place)
    }

    /// The keys that the filters leave of a field.
    private func range(of field: QueryField) -> KeyRange {
        var range = KeyRange.all
        for filter in run.matcher.filters where filter.field == field && field != .system(.recordName) {
            guard let value = filter.values.first, let key = IndexKey.key(value) else { continue }
            switch filter.comparator {
            case .equals: range = range.intersection(.exactly(key))
            case .lessThan, .lessThanOrEquals: range = range.intersection(.upTo(key))
            case .greaterThan, .greaterThanOrEquals: range = range.intersection(.from(key))
            case .beginsWith: range = range.intersection(.prefix(key))
            default: break
            }
        }
        return range
    }
}
