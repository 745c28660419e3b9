import CloudClient
import CloudCore
import CloudWire
import Foundation

extension DatabaseClient {
    /// What an answer's item says of the record that was asked for.
    func result(_ item: RecordItem, _ answer: Materialised) -> Result<CKRecord, any Error> {
        switch item {
        case .record(let record): answer.record(record)
        case .deleted(let id, _): .failure(CKError(.unknownItem, reason: "record '\(id.name)' was deleted"))
        case .failure(_, let error, _): .failure(self.error(error))
        }
    }

    /// Fetches records and their assets: one request per zone. `itemDone` is called for each, in the order of the answers;
    /// `progress` before, as the assets of a record come.
    func records(
        _ ids: [CKRecord.ID], desiredKeys: [String]?,
        progress: @escaping @Sendable (CKRecord.ID, Double) -> Void = { _, _ in },
        itemDone: (CKRecord.ID, Result<CKRecord, any Error>) -> Void = { _, _ in }
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await call(isRead: true) {
            var results: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
            for (zone, ids) in ids.uniqued().groupedByZone() {
                try Task.checkCancellation()
                let answers: [Result<CKRecord, any Error>]
                do {
                    answers = try await lookup(ids, in: zone, desiredKeys: desiredKeys, progress: progress)
                } catch let error as CloudError where error.code == .zoneNotFound {
                    answers = ids.map { _ in .failure(self.error(error)) }
                }
                for (id, answer) in zip(ids, answers) {
                    results[id] = answer
                    itemDone(id, answer)
                }
            }
            return results
        }
    }

    private func lookup(
        _ ids: [CKRecord.ID], in zone: CKRecordZone.ID, desiredKeys: [String]?,
        progress: @escaping @Sendable (CKRecord.ID, Double) -> Void
    ) async throws -> [Result<CKRecord, any Error>] {
        let request = RecordsLookupRequest(
            records: ids.map { RecordsLookupRequest.Entry(recordName: $0.recordName) }, zone: zone.wire,
            desiredKeys: desiredKeys)
        let items = try await api.lookup(request)
        guard items.count == ids.count else {
            throw CloudError(.internalError, "asked for \(ids.count) records, the service answered \(items.count)")
        }
        let scope = core
        let answer = try await materialise(items, try await viewpoint()) { id, fraction in
            progress(CKRecord.ID(id, scope: scope), fraction)
        }
        return items.map { result($0, answer) }
    }

    /// One page of a query's matches, in order, and where the next page begins.
    func query(
        _ page: QueryPage, desiredKeys: [String]?, resultsLimit: Int
    ) async throws -> (matches: [(CKRecord.ID, Result<CKRecord, any Error>)], cursor: CKQueryOperation.Cursor?) {
        try await call(isRead: true) {
            let viewpoint = try await viewpoint()
            var request = try page.request(currentUser: viewpoint.currentUser)
            if request.zone == nil, !request.zoneWide {
                if core == .shared {
                    throw CKError(.invalidArguments, reason: "SharedDB does not support Zone Wide queries: name a zone")
                }
                if core == .private { request.zoneWide = true }
            }
            request.desiredKeys = desiredKeys
            request.resultsLimit = resultsLimit > 0 ? resultsLimit : nil
            var answer = try await api.query(request)
            // A service may end a page before its first match; apps expect a page with records, or the end.
            while answer.records.isEmpty, let marker = answer.continuationMarker {
                request.continuationMarker = marker
                answer = try await api.query(request)
            }
            let zone = page.zoneID ?? .default
            let materialised = try await materialise(answer.records, viewpoint)
            let matches = answer.records.map { item in
                let result = result(item, materialised)
                let id: CKRecord.ID
                switch item {
                case .record(let record): id = CKRecord.ID(record.id, scope: core)
                case .deleted(let deleted, _):
                    id = CKRecord.ID(recordName: deleted.name, zoneID: CKRecordZone.ID(deleted.zone, scope: core))
                case .failure(let name, _, _): id = CKRecord.ID(recordName: name, zoneID: zone)
                }
                return (id, result)
            }
            guard let marker = answer.continuationMarker else { return (matches, nil) }
            request.continuationMarker = marker
            request.desiredKeys = nil
            request.resultsLimit = nil
            return (matches, CKQueryOperation.Cursor(request.encode(), zoneID: page.zoneID))
        }
    }

    /// The first page of a query, or the page that a cursor stands for.
    enum QueryPage: Sendable {
        case first(CKQuery, CKRecordZone.ID?)
        case next(CKQueryOperation.Cursor)

        var zoneID: CKRecordZone.ID? {
            switch self {
            case .first(_, let zone): zone
            case .next(let cursor): cursor.zoneID
            }
        }

        func request(currentUser: String?) throws -> RecordsQueryRequest {
            switch self {
            case .first(let query, let zone):
                return RecordsQueryRequest(query: try query.recordQuery(currentUser: currentUser), zone: zone?.wire)
            case .next(let cursor):
                do { return try RecordsQueryRequest.decode(cursor.encoded) } catch {
                    throw CKError(.invalidArguments, reason: "the cursor cannot be read: \(error.reason)")
                }
            }
        }
    }
}

extension CKRecordZone.ID {
    /// The zone as a request names it.
    var wire: WireZoneID { WireZoneID(zoneName: zoneName, ownerRecordName: ownerRecordName) }
}

extension Sequence where Element: Hashable {
    /// The elements without repetitions, in order.
    func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Sequence where Element == CKRecord.ID {
    /// The IDs by zone, zones and IDs in the order of their first appearance.
    func groupedByZone() -> [(zone: CKRecordZone.ID, ids: [CKRecord.ID])] {
        var groups: [(zone: CKRecordZone.ID, ids: [CKRecord.ID])] = []
        var places: [CKRecordZone.ID: Int] = [:]
        for id in self {
            if let place = places[id.zoneID] {
                groups[place].ids.append(id)
            } else {
                places[id.zoneID] = groups.count
                groups.append((id.zoneID, [id]))
            }
        }
        return groups
    }
}
