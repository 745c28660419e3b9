import CloudCore
import SQLCore

/// A filter that finds few records: they are all read and sorted.
extension QueryRun {
    /// Rows that one filter selects, or `nil` if none selects few enough.
    func selection() throws -> [IndexHit]? {
        if let names = matcher.filters.first(where: selectsNames) { return try named(names.values) }
        for filter in matcher.filters {
            guard let field = indexedField(filter) else { continue }
            for ranges in selectiveRanges(filter) {
                if let rows = try rows(field: field, ranges: ranges, most: budget / 2) { return rows }
            }
        }
        return nil
    }

    /// Whether a filter names the records, in zones few enough.
    func selectsNames(_ filter: FilterMatcher.Filter) -> Bool {
        filter.field == .system(.recordName) && [.equals, .in].contains(filter.comparator)
            && filter.values.count * tables.count <= max(budget, filter.values.count)
    }

    private func named(_ names: [FieldValue]) throws -> [IndexHit] {
        var rows: [IndexHit] = []
        var seen: Set<Int64> = []
        let texts = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        for (zone, table) in tables.enumerated() {
            try table.rows(named: texts) { stored in
                if !stored.isDeleted, seen.insert(stored.row).inserted {
                    rows.append(IndexHit(key: IndexKey.absent, row: stored.row, zone: zone))
                }
            }
        }
        return rows
    }

    private func indexedField(_ filter: FilterMatcher.Filter) -> Int64? {
        if filter.comparator.seeksTokens { return schema.field(.text)?.id }
        return switch filter.field {
        case .system(.createdTimestamp), .system(.modifiedTimestamp), .user: schema.field(filter.field)?.id
        case .system(.createdUserRecordName), .system(.modifiedUserRecordName):
            database.id.scope == .public ? schema.field(filter.field)?.id : nil
        case .system, .text: nil
        }
    }

    /// Ranges of which each list has all that the filter can match.
    private func selectiveRanges(_ filter: FilterMatcher.Filter) -> [[KeyRange]] {
        switch filter.comparator {
        case .near:
            // The walk by that distance finds the nearest without reading all.
            if sorts.first?.relativeLocation != nil, sorts.first?.field == filter.field { return [] }
            return filter.circle.map { [$0.ranges(most: Self.cells)] } ?? []
        case .containsAllTokens, .containsAnyTokens:
            // The walk by creation has the words' rows in its order.
            if wordPrefixes != nil, sorts.first?.field == .system(.createdTimestamp) { return [] }
            let ranges = filter.words.map { KeyRange.prefix(TextIndex.prefix($0)) }
            return filter.comparator == .containsAnyTokens ? [ranges] : ranges.prefix(Self.words).map { [$0] }
        default: break
        }
        if case .unknownList = filter.fieldType { return [] }
        if case .location? = filter.values.first {
            let cells = filter.values.compactMap {
                if case .location(let place) = $0 { GeoCell(place).keys } else { nil }
            }
            return ranges(Set(cells), filter.comparator)
        }
        let keys = filter.values.compactMap(IndexKey.key)
        guard keys.count == filter.values.count else { return [] }
        switch filter.comparator {
        case .beginsWith, .listMemberBeginsWith: return [keys.map(KeyRange.prefix)]
        default: return ranges(Set(keys.map(KeyRange.exactly)), filter.comparator)
        }
    }

    private func ranges(_ values: Set<KeyRange>, _ comparator: Comparator) -> [[KeyRange]] {
        switch comparator {
        case .equals, .in, .listContains, .listContainsAny: [Array(values)]
        case .listContainsAll: values.first.map { [[$0]] } ?? []
        default: []
        }
    }

    /// Ranges that stand for a circle.
    private static let cells = 16
    /// Words whose rows are looked at when all are wanted.
    private static let words = 4

    /// How the rows of words begin, whose order below that is the order of creation; `nil` without a filter by words, or
    /// when the words are too many in too many zones.
    var wordPrefixes: IndexCursor.Prefixes? {
        for filter in matcher.tokenFilters {
            let isAll = filter.comparator == .containsAllTokens
            let words = isAll ? Array(filter.words.prefix(Self.words)) : filter.words
            guard words.count * tables.count <= max(budget, Self.words) else { continue }
            return .init(list: words.map(TextIndex.prefix), needsAll: isAll)
        }
        return nil
    }

    /// The rows of the ranges in all zones, or `nil` if they have more than `most` entries, or are so many that looking
    /// costs more.
    private func rows(field: Int64, ranges: [KeyRange], most: Int) throws -> [IndexHit]? {
        let places = tables.indices.flatMap { zone in ranges.map { (zone: zone, range: $0) } }
        guard places.count <= max(most, ranges.count) else { return nil }
        // Every range a little at first, in one journey; those that have more one after the other.
        let share = Int64(places.count == 1 ? most + 1 : max(4, most / max(1, places.count)))
        var rows: [IndexHit] = []
        var seen: Set<Int64> = []
        var entries = 0  // a record has one for each element of a list
        var counts = [Int64](repeating: 0, count: places.count)
        var last = [IndexCursor.Place?](repeating: nil, count: places.count)
        func take(_ index: Int, _ row: any SQLRow) {
            entries += 1
            counts[index] += 1
            let place = IndexCursor.Place(key: row.blob(0), row: row.integer(1))
            last[index] = place
            if seen.insert(place.row).inserted {
                rows.append(IndexHit(key: place.key, row: place.row, zone: places[index].zone))
            }
        }
        func binds(_ index: Int, most: Int64) -> [SQLValue] {
            let range = places[index].range
            return EntryRows(
                database: database.row, zone: tables[places[index].zone].zone.row, field: field,
                lower: last[index] ?? .before(range.lower, ascending: true),
                upper: .before(range.upper, ascending: true), most: Int(most)
            ).binds
        }
        let sql = EntryRows.statement()
        for start in stride(from: 0, to: places.count, by: 64) {
            let chunk = start..<min(start + 64, places.count)
            try connection.query(sql, each: chunk.map { binds($0, most: share) }) { take(start + $0, $1) }
            if entries > most { return nil }
        }
        for index in places.indices where counts[index] == share {
            try connection.query(sql, binds(index, most: Int64(most + 1 - entries))) { row in
                take(index, row)
                return true
            }
            if entries > most { return nil }
        }
        return rows
    }
}
