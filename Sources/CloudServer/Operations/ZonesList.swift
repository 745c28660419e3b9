import CloudCore
import CloudStorage
import CloudWire

enum ZonesList: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: EmptyBody, for call: Call, in transaction: CloudTransaction) throws
        -> ZonesListResponse
    {
        let zones = try transaction.zones(in: call.database)
        return ZonesListResponse(zones: zones.map { .zone(WireZone(id: $0.id, syncToken: $0.syncToken)) })
    }
}
