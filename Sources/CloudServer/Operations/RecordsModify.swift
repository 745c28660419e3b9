import CloudCore
import CloudStorage
import CloudWire

enum RecordsModify: ServiceOperation {
    static let isWrite = true

    static func perform(_ body: RecordsModifyRequest, for call: Call, in transaction: CloudTransaction) throws
        -> RecordsModifyResponse
    {
        let zone = zone(of: body, for: call)
        let operations = try body.operations.map { try resolve($0, zone: zone, for: call) }
        let results = try transaction.modify(
            operations, in: call.database, zone: zone, atomic: body.atomic ?? !zone.isDefault, by: call.writer)
        var items: [RecordItem] = []
        items.reserveCapacity(results.count)
        var desired = NameSets()
        for (index, result) in results.enumerated() {
            let keys = desired.set(of: body.operations[index].desiredKeys ?? body.desiredKeys)
            switch result {
            case .success(.saved(let record)): items.append(.record(record.keeping(keys)))
            case .success(.deleted(let id)): items.append(.deleted(id, recordType: nil))
            case .failure(let error):
                items.append(.failure(recordName: operations[index].id.name, error, uuid: UniqueID.make()))
            }
        }
        return RecordsModifyResponse(records: items, numbersAsStrings: body.numbersAsStrings)
    }

    /// Records of a shared zone lie with its owner.
    static func changedDatabase(_ body: RecordsModifyRequest, for call: Call) -> DatabaseID? {
        CloudTransaction.changedDatabase(by: call.database, zone(of: body, for: call))
    }

    /// Of a shared zone nothing: what may be read there is known only from the shares.
    static func ahead(_ body: RecordsModifyRequest, for call: Call) -> ReadAhead? {
        guard call.database.scope != .shared else { return nil }
        var needs = RecordNeeds(capacity: body.operations.count)
        for operation in body.operations {
            guard let name = operation.recordName else { continue }
            needs.add(
                operation.type, name, recordType: operation.recordType, operation.fields,
                parent: operation.parent ?? nil, shareRoot: operation.sharing?.root)
        }
        return ReadAhead(needs, in: call.database, zone: zone(of: body, for: call))
    }

    /// Clients name the zone in the request, in each operation, or both.
    private static func zone(of body: RecordsModifyRequest, for call: Call) -> ZoneID {
        call.zone(body.zone ?? body.operations.first { $0.zone != nil }?.zone)
    }

    private static func resolve(_ operation: WireRecordOperation, zone: ZoneID, for call: Call) throws(CloudError)
        -> RecordOperation
    {
        let name: String
        if let given = operation.recordName {
            name = given
        } else {
            guard operation.type == .create else {
                throw CloudError(
                    .badRequest, "the operation '\(operation.type.rawValue)' needs a recordName", nativeCode: 12)
            }
            name = UniqueID.make().uppercased()
        }
        let ownZone = operation.zone.map { call.zone($0) } ?? zone
        for (key, named) in [("parent", operation.parentZone), ("forRecord", operation.rootZone)] {
            guard let named, named.resolved(owner: ownZone.owner) != ownZone else { continue }
            throw CloudError(
                .badRequest,
                "\(key) of record '\(name)' is in zone '\(named.zoneName)'; it must be in the record's own zone "
                    + "'\(ownZone.name)'", nativeCode: 12)
        }
        return RecordOperation(
            type: operation.type, id: RecordID(name: name, zone: ownZone), recordType: operation.recordType,
            changeTag: operation.changeTag, fields: operation.fields.map { $0.resolvingOwner(zone.owner) },
            parent: operation.parent, createShortGUID: operation.createShortGUID,
            sharing: try operation.sharing?.resolvingOwner(call.actor.name))
    }
}
