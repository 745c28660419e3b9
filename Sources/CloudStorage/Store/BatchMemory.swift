import CloudCore

/// What the transactions of one commit know of rows that nobody else can change before it: the databases that the commit
/// has locked, their zones, subscriptions and records. Or what those of one snapshot know of it. Read once for all of
/// them, so that the second costs no journey.
///
/// Whoever changes such a row tells the memory; whoever undoes changes gives it back what it knew before them. Used by one
/// thread only.
final class BatchMemory {
    struct ZoneKey: Hashable {
        let database: Int64
        let name: ExactName
    }

    struct SubscriptionKey: Hashable {
        let database: Int64
        let recordType: ExactName
    }

    /// A zone by its numbers.
    struct ZonePlace: Hashable {
        let database: Int64
        let zone: Int64
    }

    /// What a name was found to have.
    enum KnownRecord {
        case row(RecordRow)
        case noRow
    }

    /// What is known at one time, to be returned to.
    struct Mark {
        fileprivate let databases: [DatabaseID: DatabaseRef]
        fileprivate let zones: [ZoneKey: ZoneRef]
        fileprivate let subscriptions: [SubscriptionKey: [StoredSubscription]]
        fileprivate let schemaVersions: [SchemaScope: Int64]
    }

    /// Whether nothing changes at all, so that what a reading transaction finds may be kept too.
    let isSnapshot: Bool
    var databases: [DatabaseID: DatabaseRef] = [:]
    var zones: [ZoneKey: ZoneRef] = [:]
    var subscriptions: [SubscriptionKey: [StoredSubscription]] = [:]
    /// Versions of schemas as the commit began with them, or as it has changed them.
    var schemaVersions: [SchemaScope: Int64] = [:]
    /// What the commit has done for indexes; see ``CloudTransaction/indexingWork``.
    var indexingWork = 0
    /// Records that were read ahead and have not been changed since. What was undone is not put back: it is read again.
    private var records: [ZonePlace: [ExactName: KnownRecord]] = [:]
    /// Where databases and zones are, for transactions to come.
    private let places: StorePlaces?

    init(isSnapshot: Bool = false, places: StorePlaces? = nil) {
        self.isSnapshot = isSnapshot
        self.places = places
    }

    var mark: Mark {
        Mark(databases: databases, zones: zones, subscriptions: subscriptions, schemaVersions: schemaVersions)
    }

    /// Forgets what came after the mark, and what was changed since.
    func restore(_ mark: Mark) {
        databases = mark.databases
        zones = mark.zones
        subscriptions = mark.subscriptions
        schemaVersions = mark.schemaVersions
    }

    func keep(_ database: DatabaseRef) {
        databases[database.id] = database
        places?.keep(database)
    }

    func keep(_ zone: ZoneRef, in database: DatabaseRef) {
        zones[ZoneKey(database: database.row, name: ExactName(zone.id.name))] = zone
        places?.keep(zone, in: database.id)
    }

    func keep(_ rows: [ExactName: KnownRecord], of place: ZonePlace) { records[place] = rows }

    /// What was read ahead; `nil` when the database has to be asked.
    func record(_ name: ExactName, of place: ZonePlace) -> KnownRecord? { records[place]?[name] }

    func forgetRecord(_ name: ExactName, of place: ZonePlace) {
        _ = records[place]?.removeValue(forKey: name)
    }

    func forget() {
        restore(Mark(databases: [:], zones: [:], subscriptions: [:], schemaVersions: [:]))
        forgetRecords()
    }

    /// Forgets the records of all zones.
    func forgetRecords() { records = [:] }
}
