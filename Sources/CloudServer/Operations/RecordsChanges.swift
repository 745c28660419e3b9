import CloudCore
import CloudStorage
import CloudWire

/// The changes of one zone: the form that `changes/zone` has replaced.
enum RecordsChanges: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: RecordsChangesRequest, for call: Call, in transaction: CloudTransaction) throws
        -> RecordsChangesResponse
    {
        let most = transaction.limits.resultsPerPage
        let page = try transaction.zoneChanges(
            call.zone(body.zone), in: call.database, since: body.syncToken, limit: min(body.resultsLimit ?? most, most))
        return RecordsChangesResponse(
            records: page.items(keeping: body.desiredKeys.map { Set($0) }), syncToken: page.syncToken,
            moreComing: page.moreComing, numbersAsStrings: body.numbersAsStrings)
    }
}
