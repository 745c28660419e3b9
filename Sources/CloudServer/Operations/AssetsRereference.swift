import CloudCore
import CloudStorage
import CloudWire

enum AssetsRereference: ServiceOperation {
    static let isWrite = true

    static func changedDatabase(_ body: AssetsRereferenceRequest, for call: Call) -> DatabaseID? {
        CloudTransaction.changedDatabase(by: call.database, call.zone(body.zone))
    }

    static func perform(_ body: AssetsRereferenceRequest, for call: Call, in transaction: CloudTransaction) throws
        -> AssetsRereferenceResponse
    {
        try AssetCount.check(body.assets.count, in: transaction)
        let zone = try AssetZone.of(body.zone, for: call)
        let links = AssetLinks(at: call.address, in: transaction)
        let user = try call.actor.name
        return AssetsRereferenceResponse(
            assets: try body.assets.map { entry in
                let place = AssetPlace(
                    database: call.database, zone: zone, recordName: entry.recordName, fieldName: entry.fieldName,
                    user: user)
                do {
                    return .asset(links.download(try transaction.rereferenceAsset(at: place), at: place))
                } catch let error as CloudError where error.code != .zoneNotFound {
                    return .failure(recordName: entry.recordName, error, uuid: UniqueID.make())
                }
            })
    }
}
