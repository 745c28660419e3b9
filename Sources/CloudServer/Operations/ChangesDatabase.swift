import CloudCore
import CloudStorage
import CloudWire

enum ChangesDatabase: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: ChangesDatabaseRequest, for call: Call, in transaction: CloudTransaction) throws
        -> ChangesDatabaseResponse
    {
        let most = transaction.limits.resultsPerPage
        let page = try transaction.databaseChanges(
            in: call.database, since: body.syncToken, limit: min(body.resultsLimit ?? most, most))
        return ChangesDatabaseResponse(
            zones: page.changed.map { .changed($0) }
                + page.deleted.map { .deleted($0, isPurged: page.purged.contains($0)) },
            syncToken: page.syncToken, moreComing: page.moreComing)
    }
}
