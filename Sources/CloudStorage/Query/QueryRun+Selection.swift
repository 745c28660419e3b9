import CloudCore
import SQLCore

/// A filter that finds few records: they are all read and sorted.
extension QueryRun {
    /// Rows that one filter selects, or `nil` if none selects few enough.
    func selection() throws -> [IndexCursor.Hit]? {
        for filter in matcher.filters {
            if filter.field == .system(.recordName), [.equals, .in].contains(filter.comparator) {
                return try named(filter.values)
            }
        }
        for filter in matcher.filters {
            guard let ranges = selectiveRanges(filter), let field = indexedField(filter) else { continue }
            if let rows = try rows(field: field, ranges: ranges, most: budget / 2) { return rows }
        }
        return nil
    }

    private func named(_ names: [FieldValue]) throws -> [IndexCursor.Hit] {
        var rows: [IndexCursor.Hit] = []
        var seen: Set<Int64> = []
        for case .string(let name) in names {
            for (zone, table) in tables.enumerated() {
                if let stored = try table.record(named: name), seen.insert(stored.row).inserted {
                    rows.append(.init(key: IndexKey.absent, row: stored.row, zone: zone, isCandidate: true))
                }
            }
        }
        return rows
    }

    private func indexedField(_ filter: FilterMatcher.Filter) -> Int64? {
        switch filter.field {
        case .system(.createdTimestamp), .system(.modifiedTimestamp), .user: schema.field(filter.field)?.id
        case .system(.createdUserRecordName), .system(.modifiedUserRecordName):
            database.id.scope == .public ? schema.field(filter.field)?.id : nil
        case .system: nil
        }
    }

    private func selectiveRanges(_ filter: FilterMatcher.Filter) -> [KeyRange]? {
        if case .unknownList = filter.fieldType { return nil }
        let keys = filter.values.compactMap(IndexKey.key)
        guard keys.count == filter.values.count else { return nil }
        switch filter.comparator {
        case .equals, .in, .listContains, .listContainsAny: return Set(keys).map(KeyRange.exactly)
        case .listContainsAll: return keys.first.map { [KeyRange.exactly($0)] }
        case .beginsWith, .listMemberBeginsWith: return keys.map(KeyRange.prefix)
        default: return nil
        }
    }

    private func rows(field: Int64, ranges: [KeyRange], most: Int) throws -> [IndexCursor.Hit]? {
        var rows: [IndexCursor.Hit] = []
        var seen: Set<Int64> = []
        var entries = 0  // a record has one for each element of a list
        for (zone, table) in tables.enumerated() {
            for range in ranges {
                try connection.query(
                    """
                    SELECT key, record FROM entry WHERE db = ?1 AND zone = ?2 AND field = ?3 AND key >= ?4 AND key < ?5
                    LIMIT ?6
                    """,
                    [
                        .integer(database.row), .integer(table.zone.row), .integer(field), .blob(range.lower),
                        .blob(range.upper), .integer(Int64(most + 1 - entries)),
                    ]
                ) { row in
                    entries += 1
                    let id = row.integer(1)
                    if seen.insert(id).inserted {
                        rows.append(.init(key: row.blob(0), row: id, zone: zone, isCandidate: true))
                    }
                    return true
                }
                if entries > most { return nil }
            }
        }
        return rows
    }
}
