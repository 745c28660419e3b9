import CloudKit
import CoreLocation

#if WITH_FOUNDATION
    import Foundation
#endif

struct Store: Sendable {
    let database: CKDatabase

    func one(_ id: CKRecord.ID) async throws {
        let record = try await database.record(for: id)
        record["title"] = "new"
        try await database.save(record)
        try await database.deleteRecord(withID: id)
        database.fetch(withRecordID: id) { record, error in print(record as Any, error as Any) }
        database.save(record) { record, error in print(record as Any, error as Any) }
        database.delete(withRecordID: id) { id, error in print(id as Any, error as Any) }
    }

    func many(_ ids: [CKRecord.ID], _ records: [CKRecord]) async throws {
        let results: [CKRecord.ID: Result<CKRecord, any Error>] = try await database.records(
            for: ids, desiredKeys: ["title"])
        for (id, result) in results {
            switch result {
            case .success(let record): print(record)
            case .failure(let error): print(id, error)
            }
        }
        let (saved, deleted) = try await database.modifyRecords(
            saving: records, deleting: ids, savePolicy: .changedKeys, atomically: false)
        for result in saved.values { _ = try result.get() }
        for result in deleted.values { try result.get() }
        database.fetch(withRecordIDs: ids, desiredKeys: nil) { result in print((try? result.get().count) ?? 0) }
        database.modifyRecords(saving: records, deleting: []) { result in
            if case .success(let (saveResults, deleteResults)) = result { print(saveResults, deleteResults) }
        }
    }

    func find(_ zone: CKRecordZone.ID, _ here: CLLocation) async throws {
        let query = CKQuery(
            recordType: "Artwork", predicate: NSPredicate(format: "title BEGINSWITH %@ AND count > %d", "M", 2))
        query.sortDescriptors = [
            NSSortDescriptor(key: "creationDate", ascending: false),
            CKLocationSortDescriptor(key: "place", relativeLocation: here),
        ]
        let near = NSPredicate(format: "distanceToLocation:fromLocation:(place, %@) < %f", here, 1000.0)
        let words = NSPredicate(format: "self contains %@", "state park")
        let all = NSCompoundPredicate(andPredicateWithSubpredicates: [near, words, NSPredicate(value: true)])
        print(query.recordType, query.predicate, all)
        var (matches, cursor) = try await database.records(matching: query, inZoneWith: zone, resultsLimit: 50)
        while let next = cursor {
            (matches, cursor) = try await database.records(continuingMatchFrom: next, desiredKeys: nil)
        }
        for (id, result) in matches { print(id, try result.get()) }
        database.fetch(withQuery: query, inZoneWith: zone) { result in
            guard case .success(let (matchResults, queryCursor)) = result else { return }
            print(matchResults)
            if let queryCursor { database.fetch(withCursor: queryCursor) { _ in } }
        }
        print((query.sortDescriptors?.last as? CKLocationSortDescriptor)?.relativeLocation as Any)
    }

    func zones() async throws {
        let zone = try await database.save(CKRecordZone(zoneName: "Notes"))
        let id = CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)
        _ = try await database.recordZone(for: id)
        _ = try await database.recordZones(for: [id, .default])[id]?.get()
        for zone in try await database.allRecordZones() {
            print(zone.zoneID, zone.capabilities.contains(.atomic), zone.share as Any)
        }
        _ = try await database.modifyRecordZones(saving: [zone, CKRecordZone(zoneID: id)], deleting: [])
        try await database.deleteRecordZone(withID: id)
        database.fetchAllRecordZones { zones, error in print(zones as Any, error as Any) }
        database.fetch(withRecordZoneID: id) { _, _ in }
        database.fetch(withRecordZoneIDs: [id]) { _ in }
        database.save(zone) { _, _ in }
        database.delete(withRecordZoneID: id) { _, _ in }
        database.modifyRecordZones(saving: [zone], deleting: [id]) { result in
            if case .success(let (saveResults, deleteResults)) = result { print(saveResults, deleteResults) }
        }
        let capabilities: CKRecordZone.Capabilities = [.atomic, .fetchChanges, .sharing, .zoneWideSharing]
        print(
            capabilities.rawValue, CKRecordZone.default(), CKRecordZone.ID.defaultZoneName,
            CKRecordZone.Capabilities(rawValue: 1))
        print(CKRecordZone.ID.default.zoneName, CKRecordZone.ID(zoneName: "a"), CKOwnerDefaultName)
    }

    func changes(since token: CKServerChangeToken?, in zone: CKRecordZone.ID) async throws {
        let database = self.database
        let page = try await database.databaseChanges(since: token, resultsLimit: 100)
        for modification in page.modifications { print(modification.zoneID) }
        for deletion in page.deletions {
            switch deletion.reason {
            case .deleted, .purged, .encryptedDataReset: print(deletion.zoneID, deletion.purged)
            @unknown default: break
            }
        }
        let changes = try await database.recordZoneChanges(
            inZoneWith: zone, since: page.changeToken, desiredKeys: nil, resultsLimit: 10)
        for (id, result) in changes.modificationResultsByID { print(id, try result.get().record) }
        for deletion in changes.deletions { print(deletion.recordID, deletion.recordType) }
        print(changes.moreComing, changes.changeToken)
        database.fetchDatabaseChanges(since: token) { result in print(result) }
        database.fetchRecordZoneChanges(inZoneWith: zone, since: nil) { result in print(result) }
        let kinds: (CKDatabase.DatabaseChange.Modification.Type, CKDatabase.RecordZoneChange.Deletion.Type) = (
            CKDatabase.DatabaseChange.Modification.self, CKDatabase.RecordZoneChange.Deletion.self
        )
        print(kinds)
    }

    func older(_ query: CKQuery, _ zone: CKRecordZone.ID) async throws {
        database.perform(query, inZoneWith: zone) { (records: [CKRecord]?, error: (any Error)?) in print(records as Any)
        }
        let records: [CKRecord] = try await database.perform(query, inZoneWith: zone)
        print(records)
    }
}
