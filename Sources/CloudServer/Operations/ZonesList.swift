import CloudCore
import CloudStorage
import CloudWire

enum ZonesList: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: EmptyBody, for call: Call, in transaction: CloudTransaction) throws
        -> ZonesListResponse
    {
        let zones = try transaction.zones(in: call.database)
        return ZonesListResponse(zones: zones.map { .zone(WireZone($0, in: call.database)) })
    }
}

extension WireZone {
    /// The zone as an answer about the database shows it.
    init(_ zone: Zone, in database: DatabaseID) {
        self.init(
            id: zone.id, syncToken: zone.syncToken,
            isEligibleForShare: database.scope == .private && !zone.id.isDefault, isShared: zone.isShared)
    }
}
