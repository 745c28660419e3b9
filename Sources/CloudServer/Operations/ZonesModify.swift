import CloudCore
import CloudStorage
import CloudWire

enum ZonesModify: ServiceOperation {
    static let isWrite = true

    static func perform(_ body: ZonesModifyRequest, for call: Call, in transaction: CloudTransaction) throws
        -> ZonesModifyResponse
    {
        try ItemCount.check(body.operations.count, of: "operations", in: transaction)
        let writer = try call.writer
        return ZonesModifyResponse(
            zones: try body.operations.map { operation in
                let id: ZoneID
                switch operation {
                case .create(let zone), .delete(let zone): id = call.zone(zone)
                }
                do {
                    return try transaction.savepoint {
                        switch operation {
                        case .create:
                            let zone = try transaction.createZone(id, in: call.database, by: writer)
                            return .zone(WireZone(zone, in: call.database))
                        case .delete:
                            try transaction.deleteZone(id, in: call.database, by: writer)
                            return .deleted(id)
                        }
                    }
                } catch let error as CloudError {
                    return .failure(id, error, uuid: UniqueID.make())
                }
            })
    }
}
