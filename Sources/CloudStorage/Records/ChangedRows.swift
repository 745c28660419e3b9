import SQLCore

/// New, changed and removed rows of one zone on their way to the database.
struct ChangedRows {
    private static let place = [SQLColumn("db", .integer), SQLColumn("zone", .integer)]
    private static let content = [
        SQLColumn("type", .integer), SQLColumn("seq", .integer), SQLColumn("deleted", .integer),
        SQLColumn("payload", .blob),
    ]
    private static let entry = [
        SQLColumn("field", .integer), SQLColumn("key", .blob), SQLColumn("record", .integer),
    ]
    private static let reference = [
        SQLColumn("target", .text), SQLColumn("kind", .integer), SQLColumn("source", .integer),
    ]
    private static let recordInsert = SQLInsert(
        into: "record", place + [.init("id", .integer), .init("name", .text)] + content)
    private static let recordUpdate = SQLChange(
        update: "record", set: content, where: [.init("db", .integer), .init("id", .integer)])
    private static let entryInsert = SQLInsert(into: "entry", place + entry)
    private static let entryDelete = SQLChange(delete: "entry", where: place + entry)
    private static let referenceInsert = SQLInsert(into: "reference", place + reference)
    private static let referenceDelete = SQLChange(delete: "reference", where: place + reference)

    private let database: SQLValue
    private let zone: SQLValue
    private var records: [[SQLValue]] = []
    private var updates: [[SQLValue]] = []
    private var entries: [[SQLValue]] = []
    private var removedEntries: [[SQLValue]] = []
    private var references: [[SQLValue]] = []
    private var removedReferences: [[SQLValue]] = []
    private var assets: [[SQLValue]] = []
    /// The number of new rows.
    private(set) var added = 0

    init(database: Int64, zone: Int64) {
        self.database = .integer(database)
        self.zone = .integer(zone)
    }

    mutating func reserve(_ count: Int) {
        records.reserveCapacity(count)
        entries.reserveCapacity(4 * count)
    }

    mutating func add(
        _ row: Int64, _ name: String, _ type: Int64, _ sequence: Int64, isDeleted: Bool, _ content: [UInt8], isNew: Bool
    ) {
        let (type, sequence) = (SQLValue.integer(type), SQLValue.integer(sequence))
        let deleted = SQLValue.integer(isDeleted ? 1 : 0)
        if isNew {
            records.append([database, zone, .integer(row), .text(name), type, sequence, deleted, .blob(content)])
        } else {
            updates.append([type, sequence, deleted, .blob(content), database, .integer(row)])
        }
    }

    mutating func add(_ entry: IndexEntry, of row: Int64) { entries.append(values(entry, row)) }

    mutating func remove(_ entry: IndexEntry, of row: Int64) { removedEntries.append(values(entry, row)) }

    mutating func add(_ entry: ReferenceEntry, of row: Int64) { references.append(values(entry, row)) }

    mutating func remove(_ entry: ReferenceEntry, of row: Int64) { removedReferences.append(values(entry, row)) }

    mutating func add(_ entry: AssetEntry, of row: Int64) {
        assets.append([database, zone, .integer(row), .blob(entry.content), .integer(entry.size)])
    }

    private func values(_ entry: IndexEntry, _ row: Int64) -> [SQLValue] {
        [database, zone, .integer(entry.field), .blob(entry.key), .integer(row)]
    }

    private func values(_ entry: ReferenceEntry, _ row: Int64) -> [SQLValue] {
        [database, zone, .text(entry.target.text), .integer(entry.kind.rawValue), .integer(row)]
    }

    /// Writes the records given so far; the database may begin with them at once.
    mutating func sendRecords(on connection: any SQLConnection) throws(SQLError) {
        if !updates.isEmpty { try connection.change(Self.recordUpdate, updates) }
        if !records.isEmpty { try connection.insert(Self.recordInsert, records) }
        added += records.count
        (records, updates) = ([], [])
        try connection.send()
    }

    mutating func sendEntries(on connection: any SQLConnection) throws(SQLError) {
        if !removedEntries.isEmpty { try connection.change(Self.entryDelete, removedEntries) }
        if !removedReferences.isEmpty { try connection.change(Self.referenceDelete, removedReferences) }
        if !entries.isEmpty { try connection.insert(Self.entryInsert, entries) }
        if !references.isEmpty { try connection.insert(Self.referenceInsert, references) }
        if !assets.isEmpty { try connection.insert(AssetEntry.insert, assets) }
        added += entries.count + references.count
        (entries, references, assets, removedEntries, removedReferences) = ([], [], [], [], [])
        try connection.send()
    }
}
