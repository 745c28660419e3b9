import Foundation

extension CKDatabase {
    // MARK: - Zones

    @discardableResult
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        try await client.zones([zoneID]).only(zoneID)
    }

    public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID, completionHandler: @escaping (CKRecordZone?, (any Error)?) -> Void
    ) {
        deliver({ try await self.recordZone(for: zoneID) }, to: completionHandler)
    }

    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await client.zones(ids)
    }

    public func fetch(
        withRecordZoneIDs zoneIDs: [CKRecordZone.ID],
        completionHandler: @escaping (Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>) -> Void
    ) {
        deliver({ try await self.recordZones(for: zoneIDs) }, to: completionHandler)
    }

    @discardableResult
    public func allRecordZones() async throws -> [CKRecordZone] { try await client.allZones() }

    public func fetchAllRecordZones(completionHandler: @escaping ([CKRecordZone]?, (any Error)?) -> Void) {
        deliver({ try await self.allRecordZones() }, to: completionHandler)
    }

    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        try await client.modifyZones(saving: [zone], deleting: []).saves.only(zone.zoneID)
    }

    public func save(_ zone: CKRecordZone, completionHandler: @escaping (CKRecordZone?, (any Error)?) -> Void) {
        deliver({ try await self.save(zone) }, to: completionHandler)
    }

    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        try await client.modifyZones(saving: [], deleting: [zoneID]).deletes.only(zoneID)
        return zoneID
    }

    @discardableResult
    public func delete(withRecordZoneID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        try await deleteRecordZone(withID: zoneID)
    }

    public func delete(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping (CKRecordZone.ID?, (any Error)?) -> Void
    ) {
        deliver({ try await self.deleteRecordZone(withID: zoneID) }, to: completionHandler)
    }

    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        let results = try await client.modifyZones(saving: recordZonesToSave, deleting: recordZoneIDsToDelete)
        return (results.saves, results.deletes)
    }

    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone], deleting recordZoneIDsToDelete: [CKRecordZone.ID],
        completionHandler:
            @escaping (
                Result<
                    (
                        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        deliver(
            { try await self.modifyRecordZones(saving: recordZonesToSave, deleting: recordZoneIDsToDelete) },
            to: completionHandler)
    }

    // MARK: - Changes

    /// One page of the database's changes; call again with the new token while `moreComing`.
    public func databaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> (
        modifications: [CKDatabase.DatabaseChange.Modification], deletions: [CKDatabase.DatabaseChange.Deletion],
        changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        let page = try await client.databaseChanges(since: changeToken, limit: resultsLimit)
        return (
            page.changed.map { DatabaseChange.Modification(zoneID: $0) },
            page.deleted, page.token, page.moreComing
        )
    }

    public func fetchDatabaseChanges(
        since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil,
        completionHandler:
            @escaping (
                Result<
                    (
                        modifications: [CKDatabase.DatabaseChange.Modification],
                        deletions: [CKDatabase.DatabaseChange.Deletion], changeToken: CKServerChangeToken,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        deliver(
            { try await self.databaseChanges(since: changeToken, resultsLimit: resultsLimit) }, to: completionHandler)
    }

    /// One page of a zone's changes; call again with the new token while `moreComing`.
    public func recordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil
    ) async throws -> (
        modificationResultsByID: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>],
        deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        let page = try await client.zoneChanges(
            zoneID, since: changeToken, desiredKeys: desiredKeys, limit: resultsLimit)
        var modifications: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>] = [:]
        var deletions: [CKDatabase.RecordZoneChange.Deletion] = []
        for change in page.changes {
            switch change {
            case .changed(let id, let result):
                modifications[id] = result.map { RecordZoneChange.Modification(record: $0) }
            case .deleted(let id, let type):
                deletions.append(RecordZoneChange.Deletion(recordID: id, recordType: type))
            }
        }
        return (modifications, deletions, page.token, page.moreComing)
    }

    public func fetchRecordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil, resultsLimit: Int? = nil,
        completionHandler:
            @escaping (
                Result<
                    (
                        modificationResultsByID: [CKRecord.ID: Result<
                            CKDatabase.RecordZoneChange.Modification, any Error
                        >],
                        deletions: [CKDatabase.RecordZoneChange.Deletion], changeToken: CKServerChangeToken,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        deliver(
            {
                try await self.recordZoneChanges(
                    inZoneWith: zoneID, since: changeToken, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
            }, to: completionHandler)
    }
}
