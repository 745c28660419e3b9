import CloudCore
import CloudStorage
import CloudWire

enum RecordsLookup: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: RecordsLookupRequest, for call: Call, in transaction: CloudTransaction) throws
        -> RecordsLookupResponse
    {
        let limit = transaction.limits.operationsPerRequest
        guard body.records.count <= limit else {
            throw CloudError(
                .badRequest, "\(body.records.count) records in one request; at most \(limit) are allowed",
                nativeCode: 27)
        }
        let user = call.caller.userRecordName
        var items: [RecordItem] = []
        items.reserveCapacity(body.records.count)
        var desired = NameSets()
        // Runs of one zone are looked up together.
        var start = 0
        while start < body.records.count {
            let zone = call.zone(body.records[start].zone ?? body.zone)
            var end = start + 1
            while end < body.records.count, call.zone(body.records[end].zone ?? body.zone) == zone { end += 1 }
            let entries = body.records[start..<end]
            let found = try transaction.records(
                entries.map(\.recordName), zone: zone, in: call.database, for: user)
            for (entry, record) in zip(entries, found) {
                if let record {
                    items.append(.record(record.keeping(desired.set(of: entry.desiredKeys ?? body.desiredKeys))))
                } else {
                    let error = CloudError(.notFound, "Record not found", nativeCode: 11)
                    items.append(.failure(recordName: entry.recordName, error, uuid: UniqueID.make()))
                }
            }
            start = end
        }
        return RecordsLookupResponse(records: items, numbersAsStrings: body.numbersAsStrings)
    }
}
