import CloudCore
import CloudStorage
import CloudWire

enum ZonesLookup: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: ZonesLookupRequest, for call: Call, in transaction: CloudTransaction) throws
        -> ZonesLookupResponse
    {
        try ItemCount.check(body.zones.count, of: "zones", in: transaction)
        return ZonesLookupResponse(
            zones: try body.zones.map { wanted in
                let id = call.zone(wanted)
                do {
                    let zone = try transaction.zone(id, in: call.database)
                    return .zone(WireZone(zone, in: call.database))
                } catch let error as CloudError {
                    return .failure(id, error, uuid: UniqueID.make())
                }
            })
    }
}

/// The bound on what one request may list.
enum ItemCount {
    static func check(_ count: Int, of what: String, in transaction: CloudTransaction) throws(CloudError) {
        let limit = transaction.limits.operationsPerRequest
        guard count <= limit else {
            throw CloudError(
                .badRequest, "\(count) \(what) in one request; at most \(limit) are allowed", nativeCode: 27)
        }
    }
}
