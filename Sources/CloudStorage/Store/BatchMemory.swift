import CloudCore

/// What the transactions of one commit know of rows that nobody else can change before it: the databases that the commit
/// has locked, their zones and subscriptions. Read once for all of them, so that the second costs no journey.
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

    var databases: [DatabaseID: DatabaseRef] = [:]
    var zones: [ZoneKey: ZoneRef] = [:]
    var subscriptions: [SubscriptionKey: [StoredSubscription]] = [:]
    /// Versions of schemas as the commit began with them, or as it has changed them.
    var schemaVersions: [SchemaScope: Int64] = [:]

    func forget() {
        databases = [:]
        zones = [:]
        subscriptions = [:]
        schemaVersions = [:]
    }
}
