import CloudCore
import CloudStorage
import CloudWire

enum RecordsQuery: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: RecordsQueryRequest, for call: Call, in transaction: CloudTransaction) throws
        -> RecordsQueryResponse
    {
        let zone = body.zoneWide && body.zone == nil ? nil : call.zone(body.zone)
        let most = transaction.limits.resultsPerPage
        let page = try transaction.query(
            body.query.resolvingOwner(zone?.owner ?? call.owner), in: call.database, zone: zone,
            limit: min(body.resultsLimit ?? most, most), marker: body.continuationMarker)
        var token: String?
        if let zone, body.getCurrentSyncToken || call.wantsSyncToken {
            token = try transaction.zone(zone, in: call.database).syncToken
        }
        let desired = body.desiredKeys.map { Set($0) }
        return RecordsQueryResponse(
            records: page.records.map { .record($0.keeping(desired)) }, continuationMarker: page.marker,
            syncToken: token, numbersAsStrings: body.numbersAsStrings)
    }
}
