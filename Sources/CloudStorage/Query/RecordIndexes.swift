import CloudCore

/// All indexes of the records of a zone, as far as the zone has them.
struct RecordIndexes {
    private let maintainers: [(kind: IndexKind, maintainer: any IndexMaintainer)]
    private let reach: IndexReach

    init(of database: DatabaseID, reach: IndexReach) {
        maintainers = [
            (.values, ValueIndex(indexesUsers: database.scope == .public)), (.values, LocationIndex()),
            (.words, TextIndex()),
        ]
        self.reach = reach
    }

    /// The entries that the zone's indexes have, or are to have, of a record with this last change.
    func entries(of record: Record, changed sequence: Int64, schema: RecordTypeSchema) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        for kind in IndexKind.allCases where reach.includes(sequence, kind) {
            entries += self.entries(of: record, kind, schema: schema)
        }
        return entries
    }

    /// All entries of a record in one index.
    func entries(of record: Record, _ kind: IndexKind, schema: RecordTypeSchema) -> [IndexEntry] {
        var entries: [IndexEntry] = []
        for (known, maintainer) in maintainers where known == kind {
            entries += maintainer.entries(of: record, schema: schema)
        }
        return entries
    }

    /// Whether no record of the zone has entries.
    var isEmpty: Bool { IndexKind.allCases.allSatisfy { reach[$0] == 0 } }
}
