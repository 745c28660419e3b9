import CloudCore

/// All indexes of a record.
struct RecordIndexes: IndexMaintainer {
    private let maintainers: [any IndexMaintainer]

    init(of database: DatabaseID) {
        maintainers = [ValueIndex(indexesUsers: database.scope == .public), LocationIndex(), TextIndex()]
    }

    func entries(of record: Record, schema: RecordTypeSchema) -> [IndexEntry] {
        maintainers.flatMap { $0.entries(of: record, schema: schema) }
    }
}
