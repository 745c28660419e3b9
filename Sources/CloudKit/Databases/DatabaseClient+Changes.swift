import CloudClient
import CloudCore
import CloudWire
import Foundation

extension DatabaseClient {
    struct DatabasePage: Sendable {
        var changed: [CKRecordZone.ID]
        var deleted: [CKDatabase.DatabaseChange.Deletion]
        var token: CKServerChangeToken
        var moreComing: Bool
    }

    struct ZonePage: Sendable {
        enum Change: Sendable {
            case changed(CKRecord.ID, Result<CKRecord, any Error>)
            case deleted(CKRecord.ID, CKRecord.RecordType)
        }

        var changes: [Change]
        var token: CKServerChangeToken
        var moreComing: Bool
    }

    /// One page of the database's feed.
    func databaseChanges(since token: CKServerChangeToken?, limit: Int?) async throws -> DatabasePage {
        try await call(isRead: true) {
            let answer = try await api.databaseChanges(
                ChangesDatabaseRequest(syncToken: token?.encoded, resultsLimit: Self.limit(limit)))
            var page = DatabasePage(
                changed: [], deleted: [], token: CKServerChangeToken(answer.syncToken), moreComing: answer.moreComing)
            for item in answer.zones {
                switch item {
                case .changed(let zone): page.changed.append(CKRecordZone.ID(zone, scope: core))
                case .deleted(let zone, let isPurged):
                    page.deleted.append(
                        CKDatabase.DatabaseChange.Deletion(
                            zoneID: CKRecordZone.ID(zone, scope: core), reason: isPurged ? .purged : .deleted))
                case .failure(_, let error, _): throw error
                }
            }
            return page
        }
    }

    /// One page of a zone's feed. A zone's own failure is thrown.
    func zoneChanges(
        _ zone: CKRecordZone.ID, since token: CKServerChangeToken?, desiredKeys: [String]?, limit: Int?
    ) async throws -> ZonePage {
        try await call(isRead: true) {
            let entry = ChangesZoneRequest.Entry(
                zone: zone.wire, syncToken: token?.encoded, resultsLimit: Self.limit(limit), desiredKeys: desiredKeys)
            guard let item = try await api.zoneChanges(ChangesZoneRequest(zones: [entry])).first else {
                throw CloudError(.internalError, "the service did not answer for zone '\(zone.zoneName)'")
            }
            switch item {
            case .failure(_, let error, _): throw error
            case .changes(let changes):
                let answer = try await materialise(changes.records, try await viewpoint())
                return ZonePage(
                    changes: changes.records.map { change($0, in: zone, answer) },
                    token: CKServerChangeToken(changes.syncToken), moreComing: changes.moreComing)
            }
        }
    }

    private func change(_ item: RecordItem, in zone: CKRecordZone.ID, _ answer: Materialised) -> ZonePage.Change {
        switch item {
        case .record(let record): return .changed(CKRecord.ID(record.id, scope: core), answer.record(record))
        case .deleted(let id, let type): return .deleted(CKRecord.ID(recordName: id.name, zoneID: zone), type ?? "")
        case .failure(let name, let error, _):
            return .changed(CKRecord.ID(recordName: name, zoneID: zone), .failure(self.error(error)))
        }
    }

    private static func limit(_ limit: Int?) -> Int? { limit.flatMap { $0 > 0 ? $0 : nil } }
}
