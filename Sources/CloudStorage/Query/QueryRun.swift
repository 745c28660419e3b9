import CloudCore
import SQLCore

/// One page of one query. Results are in the order of ``SortPosition``, whichever way they are found.
struct QueryRun {
    /// Rows read for one page before it is cut short.
    static let readBound = 2000
    /// Matches of one filter that are read and sorted as a whole.
    static let selectionBound = 1000

    let connection: any SQLConnection
    let database: DatabaseRef
    let tables: [RecordTable]
    let schema: RecordTypeSchema
    let matcher: FilterMatcher
    let sorts: [QuerySort]
    let start: SortPosition?
    let limit: Int

    struct Page {
        var records: [Record] = []
        var end: SortPosition?
    }

    private typealias Match = (position: SortPosition, record: Record)

    func page() throws -> Page {
        if let rows = try selection() { return try sortedPage(rows) }
        return try scannedPage()
    }

    private func read(_ row: Int64, zone: Int) throws -> Match? {
        guard let stored = try tables[zone].row(id: row), !stored.isDeleted, stored.typeID == schema.id,
            matcher.matches(stored.record)
        else { return nil }
        return (SortPosition(of: stored, sorts: sorts), stored.record)
    }

    private func isAfterStart(_ position: SortPosition) -> Bool {
        start.map { $0.precedes(position, sorts: sorts) } ?? true
    }

    private func cut(_ matches: [Match]) -> Page {
        let page = matches.prefix(limit)
        return Page(records: page.map(\.record), end: matches.count > limit ? page.last?.position : nil)
    }

    // MARK: A filter that finds few records

    /// Rows that the most telling filter selects, or `nil` if none selects few enough.
    private func selection() throws -> [(row: Int64, zone: Int)]? {
        for filter in matcher.filters {
            if filter.field == .system(.recordName), [.equals, .in].contains(filter.comparator) {
                return try named(filter.values)
            }
        }
        for filter in matcher.filters {
            guard let ranges = selectiveRanges(filter), let field = indexedField(filter) else { continue }
            if let rows = try rows(field: field, ranges: ranges) { return rows }
        }
        return nil
    }

    private func named(_ names: [FieldValue]) throws -> [(row: Int64, zone: Int)] {
        var rows: [(row: Int64, zone: Int)] = []
        var seen: Set<Int64> = []
        for case .string(let name) in names {
            for (zone, table) in tables.enumerated() {
                if let stored = try table.record(named: name), seen.insert(stored.row).inserted {
                    rows.append((stored.row, zone))
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

    private func rows(field: Int64, ranges: [KeyRange]) throws -> [(row: Int64, zone: Int)]? {
        var rows: [(row: Int64, zone: Int)] = []
        var seen: Set<Int64> = []
        for (index, table) in tables.enumerated() {
            for range in ranges {
                try connection.query(
                    """
                    SELECT record FROM entry WHERE db = ?1 AND zone = ?2 AND field = ?3 AND key >= ?4 AND key < ?5
                    LIMIT ?6
                    """,
                    [
                        .integer(database.row), .integer(table.zone.row), .integer(field), .blob(range.lower),
                        .blob(range.upper), .integer(Int64(Self.selectionBound) + 1),
                    ]
                ) { row in
                    if seen.insert(row.integer(0)).inserted { rows.append((row.integer(0), index)) }
                    return true
                }
                if rows.count > Self.selectionBound { return nil }
            }
        }
        return rows
    }

    private func sortedPage(_ rows: [(row: Int64, zone: Int)]) throws -> Page {
        let matches = try rows.compactMap { try read($0.row, zone: $0.zone) }.filter { isAfterStart($0.position) }
        return cut(matches.sorted { $0.position.precedes($1.position, sorts: sorts) })
    }

    // MARK: The order of the first sort

    private func scannedPage() throws -> Page {
        let first = sorts[0]
        var phases = [false, true]  // is the sort field present?
        if case .system = first.field {
            phases = [true]
        } else if matcher.filters.contains(where: { $0.field == first.field }) {
            phases = [true]
        } else if !first.ascending {
            phases = [true, false]
        }
        if let start {
            let isPresent = start.keys[0] != IndexKey.absent
            if let current = phases.firstIndex(of: isPresent) { phases.removeFirst(current) }
        }
        var matches: [Match] = []
        var read = 0
        for phase in phases {
            if phase {
                if let end = try scanPresent(into: &matches, read: &read) {
                    return Page(records: matches.map(\.record), end: end)
                }
            } else {
                try scanAbsent(into: &matches)
            }
            if matches.count > limit { break }
        }
        return cut(matches)
    }

    private func range() -> KeyRange {
        var range = KeyRange.all
        for filter in matcher.filters where filter.field == sorts[0].field && filter.field != .system(.recordName) {
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

    /// - Returns: Where a page that had to be cut short ends; `nil` when it is full or the index is at its end.
    private func scanPresent(into matches: inout [Match], read count: inout Int) throws -> SortPosition? {
        let first = sorts[0]
        let source: IndexCursor.Source
        if first.field == .system(.recordName) {
            source = .names
        } else if let field = schema.field(first.field) {
            source = .entries(field: field.id)
        } else {
            return nil
        }
        var place: (key: [UInt8], row: Int64?)?
        if let start, start.keys[0] != IndexKey.absent {
            let behind = first.ascending ? Int64.max : Int64.min
            place = (start.keys[0], start.isBehindKey ? behind : sorts.count == 1 ? start.row : nil)
        }
        let cursor = IndexCursor(
            connection: connection, database: database.row, zones: tables.map(\.zone), source: source, range: range(),
            ascending: first.ascending, start: place)
        // Records with one first key are sorted together by the rest. With one sort the index has the whole order.
        var group: [Match] = []
        var last: IndexCursor.Hit?
        func close() {
            matches += group.sorted { $0.position.precedes($1.position, sorts: sorts) }
            group = []
        }
        while let hit = try cursor.next() {
            if let last, sorts.count == 1 || hit.key != last.key {
                close()
                if matches.count > limit { return nil }
                if count >= Self.readBound {
                    guard matches.count < limit else { return matches.last?.position }
                    let keys = [last.key] + sorts.dropFirst().map { _ in IndexKey.absent }
                    return SortPosition(keys: keys, row: last.row, isBehindKey: sorts.count > 1)
                }
            }
            last = hit
            count += 1
            if let match = try read(hit.row, zone: hit.zone), isAfterStart(match.position) { group.append(match) }
            trim(&group, taken: matches.count)
        }
        close()
        return nil
    }

    /// Records without the first sort field are one group: they are found by their creation.
    private func scanAbsent(into matches: inout [Match]) throws {
        guard let field = schema.field(.system(.createdTimestamp)) else { return }
        let cursor = IndexCursor(
            connection: connection, database: database.row, zones: tables.map(\.zone),
            source: .entries(field: field.id),
            range: .all, ascending: true, start: nil)
        var group: [Match] = []
        while let hit = try cursor.next() {
            guard let match = try read(hit.row, zone: hit.zone), match.position.keys[0] == IndexKey.absent,
                isAfterStart(match.position)
            else { continue }
            group.append(match)
            trim(&group, taken: matches.count)
        }
        matches += group.sorted { $0.position.precedes($1.position, sorts: sorts) }
    }

    /// Keeps no more of a large group in memory than the page can take.
    private func trim(_ group: inout [Match], taken: Int) {
        let needed = max(limit + 1 - taken, 1)
        guard group.count > 4 * needed + 64 else { return }
        group.sort { $0.position.precedes($1.position, sorts: sorts) }
        group.removeLast(group.count - needed)
    }
}
