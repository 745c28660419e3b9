import CloudCore
import CloudStorage
import CloudWire

enum ChangesZone: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: ChangesZoneRequest, for call: Call, in transaction: CloudTransaction) throws
        -> ChangesZoneResponse
    {
        try ItemCount.check(body.zones.count, of: "zones", in: transaction)
        var (keys, types) = (NameSets(), NameSets())
        return ChangesZoneResponse(
            zones: try body.zones.map { entry in
                let zone = call.zone(entry.zone)
                do {
                    return .changes(
                        try changes(
                            of: zone, entry, keys: keys.set(of: entry.desiredKeys),
                            types: types.set(of: entry.desiredRecordTypes), call, transaction))
                } catch let error as CloudError {
                    return .failure(zone, error, uuid: UniqueID.make())
                }
            })
    }

    private static func changes(
        of zone: ZoneID, _ entry: ChangesZoneRequest.Entry, keys: Set<String>?, types: Set<String>?, _ call: Call,
        _ transaction: CloudTransaction
    ) throws -> WireZoneChanges {
        let most = transaction.limits.resultsPerPage
        let page = try transaction.zoneChanges(
            zone, in: call.database, since: entry.syncToken, limit: min(entry.resultsLimit ?? most, most),
            reverse: entry.reverse, recordTypes: types)
        return WireZoneChanges(
            zone: zone, records: page.items(keeping: keys), syncToken: page.syncToken, moreComing: page.moreComing,
            numbersAsStrings: entry.numbersAsStrings)
    }
}

extension ZoneChangesPage {
    /// The changes as items of an answer.
    func items(keeping keys: Set<String>?) -> [RecordItem] {
        changes.map { change in
            switch change {
            case .record(let record): .record(record.keeping(keys))
            case .deleted(let id, let type): .deleted(id, recordType: type)
            }
        }
    }
}
