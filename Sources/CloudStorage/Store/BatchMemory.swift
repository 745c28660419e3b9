import CloudCore

/// What the transactions of one commit know of rows that nobody else can change before it: the databases that the commit
/// has locked, their zones and subscriptions. Or what those of one snapshot know of it. Read once for all of them, so that
/// the second costs no journey.
///
/// Whoever changes such a row tells the memory; whoever undoes changes empties it. Used by one thread only.
final class BatchMemory {
    struct ZoneKey: Hashable {
        let database: Int64
        let name: ExactName
    }

    struct SubscriptionKey: Hashable {
        let database: Int64
        let recordType: ExactName
    }

    /// Whether nothing changes at all, so that what a reading transaction finds may be kept too.
    let isSnapshot: Bool
    var databases: [DatabaseID: DatabaseRef] = [:]
    var zones: [ZoneKey: ZoneRef] = [:]
    var subscriptions: [SubscriptionKey: [StoredSubscription]] = [:]
    /// Versions of schemas as the commit began with them, or as it has changed them.
    var schemaVersions: [SchemaScope: Int64] = [:]

    init(isSnapshot: Bool = false) { self.isSnapshot = isSnapshot }

    func forget() {
        databases = [:]
        zones = [:]
        subscriptions = [:]
        schemaVersions = [:]
    }
}
