import CloudCore
import SQLCore

extension CloudTransaction {
    /// Compares what the shared trees of a zone have in them with the records and their parents.
    /// - Returns: What does not agree, in words.
    func verifyTrees(_ zone: ZoneRef, _ rows: [StoredRecord], _ shares: [StoredShare], in database: DatabaseRef) throws
        -> [String]
    {
        struct Place: Hashable {
            let record, share: Int64
        }
        let trees = RecomputedTrees(rows, shares)
        var wanted: Set<Place> = []
        for stored in rows where !stored.isDeleted {
            if let share = trees.share(of: stored.row) { wanted.insert(Place(record: stored.row, share: share)) }
        }
        var kept: Set<Place> = []
        try connection.query(
            "SELECT record, share FROM shared_record WHERE db = ?1 AND zone = ?2 AND gone = 0",
            [.integer(database.row), .integer(zone.row)]
        ) { row in
            kept.insert(Place(record: row.integer(0), share: row.integer(1)))
            return true
        }
        let (missing, surplus) = (wanted.subtracting(kept).count, kept.subtracting(wanted).count)
        var problems: [String] = []
        if missing > 0 { problems.append("\(missing) records are missing from shared trees") }
        if surplus > 0 { problems.append("\(surplus) records are in shared trees that they do not belong to") }
        for name in trees.nestedRoots { problems.append("the shared tree of record '\(name)' lies in another one") }
        return problems
    }
}

/// In which tree each record of a zone is, by its parents alone.
private struct RecomputedTrees {
    private var shares: [Int64: Int64?] = [:]
    /// Names of roots that lie in another tree.
    private(set) var nestedRoots: [String] = []

    init(_ rows: [StoredRecord], _ all: [StoredShare]) {
        let live = rows.filter { !$0.isDeleted }
        let named = Dictionary(uniqueKeysWithValues: live.map { (ExactName($0.record.id.name), $0) })
        var roots: [Int64: Int64] = [:]
        for share in all where !share.isWhole {
            roots[share.root] = share.row
            shares[share.row] = share.row
        }
        func parent(of stored: StoredRecord) -> StoredRecord? { stored.record.parent.flatMap { named[ExactName($0)] } }
        for stored in live {
            var path: [Int64] = []
            var place: StoredRecord? = stored
            var found: Int64?
            while let here = place {
                if let known = shares[here.row] {
                    found = known
                    break
                }
                path.append(here.row)
                // Stands for nothing until it is known: records that are their own ancestors are in no tree.
                shares[here.row] = .some(nil)
                found = roots[here.row]
                if found != nil { break }
                place = parent(of: here)
            }
            for row in path { shares[row] = found }
        }
        for stored in live where roots[stored.row] != nil {
            if let above = parent(of: stored), share(of: above.row) != nil { nestedRoots.append(stored.record.id.name) }
        }
    }

    func share(of row: Int64) -> Int64? { shares[row] ?? nil }
}
