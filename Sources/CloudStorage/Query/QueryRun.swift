import CloudCore
import SQLCore

/// What one page of one query is about. Results are in the order of ``SortPosition``, whichever way they are found.
struct QueryRun {
    let connection: any SQLConnection
    let database: DatabaseRef
    let tables: [RecordTable]
    let schema: RecordTypeSchema
    let matcher: FilterMatcher
    let sorts: [QuerySort]
    /// Where the page before ended.
    let start: SortPosition?
    let limit: Int
    /// Index entries and records to examine before the page ends early.
    let budget: Int
    /// Bytes of records that a page may reach.
    let answerBytes: Int

    struct Page {
        var records: [Record] = []
        /// `nil` on the last page.
        var end: SortPosition?
    }

    struct Match {
        let position: SortPosition
        let record: Record
        /// The size of its stored form.
        let bytes: Int
    }

    /// The indexes that it reads: none where names lead to the records.
    var indexes: Set<IndexKind> {
        if matcher.filters.contains(where: selectsNames) { return [] }
        if matcher.filters.isEmpty, sorts.first?.field == .system(.recordName) { return [] }
        return matcher.filters.contains { $0.comparator.seeksTokens } ? [.values, .words] : [.values]
    }

    func page() throws -> Page {
        if let rows = try selection() {
            return cut(try sorted(rows, taken: 0) { _ in true }, end: nil)
        }
        var walk = SortedWalk(run: self)
        try walk.perform()
        return cut(walk.matches, end: walk.end)
    }

    private func cut(_ matches: [Match], end: SortPosition?) -> Page {
        var bytes = 0
        let fitting = matches.prefix(limit).prefix { match in
            defer { bytes += match.bytes }
            return bytes < answerBytes
        }
        guard fitting.count < matches.count else { return Page(records: matches.map(\.record), end: end) }
        let page = fitting
        return Page(records: page.map(\.record), end: page.last?.position)
    }

    // MARK: Reading records

    /// The records of these rows that match, in the order of the rows.
    func read(_ rows: [IndexHit]) throws -> [Match?] {
        var matches = [Match?](repeating: nil, count: rows.count)
        let candidates = rows.indices.filter { rows[$0].isCandidate }
        guard let first = tables.first else { return matches }
        try connection.query(
            first.select("r.id = ?2"),
            each: candidates.map { [.integer(database.row), .integer(rows[$0].row)] }
        ) { position, row in
            let index = candidates[position]
            guard let stored = try tables[rows[index].zone].visible(row), !stored.isDeleted, stored.typeID == schema.id,
                matcher.matches(stored.record)
            else { return }
            matches[index] = Match(
                position: SortPosition(of: stored, sorts: sorts), record: stored.record, bytes: stored.bytes)
        }
        return matches
    }

    /// The matches among these rows that come after the start, sorted; no more are kept than the page has room for.
    /// - Parameter taken: Matches that the page has already.
    func sorted(_ rows: [IndexHit], taken: Int, where isWanted: (SortPosition) -> Bool) throws -> [Match] {
        let needed = max(limit + 1 - taken, 1)
        var group: [Match] = []
        func trim() {
            group.sort { $0.position.precedes($1.position, sorts: sorts) }
            group.removeLast(max(group.count - needed, 0))
        }
        for start in stride(from: 0, to: rows.count, by: Self.readBatch) {
            for match in try read(Array(rows[start..<min(start + Self.readBatch, rows.count)])) {
                if let match, isAfterStart(match.position), isWanted(match.position) { group.append(match) }
            }
            if group.count > 2 * needed { trim() }
        }
        trim()
        return group
    }

    static let readBatch = 128

    func isAfterStart(_ position: SortPosition) -> Bool { start?.precedes(position, sorts: sorts) ?? true }
}
