import Foundation

extension CKDatabase {
    // MARK: - One record

    @discardableResult
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        try await client.records([recordID], desiredKeys: nil).only(recordID)
    }

    public func fetch(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping (CKRecord?, (any Error)?) -> Void
    ) {
        deliver({ try await self.record(for: recordID) }, to: completionHandler)
    }

    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        let modification = DatabaseClient.Modification(
            saves: [record], deletes: [], policy: .ifServerRecordUnchanged, isAtomic: true)
        return try await client.modifyRecords(modification).saves.only(record.recordID)
    }

    public func save(_ record: CKRecord, completionHandler: @escaping (CKRecord?, (any Error)?) -> Void) {
        deliver({ try await self.save(record) }, to: completionHandler)
    }

    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        let modification = DatabaseClient.Modification(
            saves: [], deletes: [recordID], policy: .ifServerRecordUnchanged, isAtomic: true)
        try await client.modifyRecords(modification).deletes.only(recordID)
        return recordID
    }

    @discardableResult
    public func delete(withRecordID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        try await deleteRecord(withID: recordID)
    }

    public func delete(
        withRecordID recordID: CKRecord.ID, completionHandler: @escaping (CKRecord.ID?, (any Error)?) -> Void
    ) {
        deliver({ try await self.deleteRecord(withID: recordID) }, to: completionHandler)
    }

    // MARK: - Many records

    public func records(
        for ids: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await client.records(ids, desiredKeys: desiredKeys)
    }

    public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID], desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler: @escaping (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
    ) {
        deliver({ try await self.records(for: recordIDs, desiredKeys: desiredKeys) }, to: completionHandler)
    }

    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>], deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        let results = try await client.modifyRecords(
            DatabaseClient.Modification(
                saves: recordsToSave, deletes: recordIDsToDelete, policy: savePolicy, isAtomic: atomically))
        return (results.saves, results.deletes)
    }

    public func modifyRecords(
        saving recordsToSave: [CKRecord], deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged, atomically: Bool = true,
        completionHandler:
            @escaping (
                Result<
                    (
                        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
                        deleteResults: [CKRecord.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        deliver(
            {
                try await self.modifyRecords(
                    saving: recordsToSave, deleting: recordIDsToDelete, savePolicy: savePolicy, atomically: atomically)
            }, to: completionHandler)
    }

    // MARK: - Queries

    public func records(
        matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        let page = try await client.query(.first(query, zoneID), desiredKeys: desiredKeys, resultsLimit: resultsLimit)
        return (page.matches, page.cursor)
    }

    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?
    ) {
        let page = try await client.query(.next(queryCursor), desiredKeys: desiredKeys, resultsLimit: resultsLimit)
        return (page.matches, page.cursor)
    }

    public func fetch(
        withQuery query: CKQuery, inZoneWith zoneID: CKRecordZone.ID? = nil, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping (
                Result<
                    (matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?),
                    any Error
                >
            ) -> Void
    ) {
        deliver(
            {
                try await self.records(
                    matching: query, inZoneWith: zoneID, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
            }, to: completionHandler)
    }

    public func fetch(
        withCursor queryCursor: CKQueryOperation.Cursor, desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping (
                Result<
                    (matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)], queryCursor: CKQueryOperation.Cursor?),
                    any Error
                >
            ) -> Void
    ) {
        deliver(
            {
                try await self.records(
                    continuingMatchFrom: queryCursor, desiredKeys: desiredKeys, resultsLimit: resultsLimit)
            }, to: completionHandler)
    }

    /// The first batch of matches only, without a way to the rest.
    @available(*, deprecated, message: "use records(matching:inZoneWith:desiredKeys:resultsLimit:)")
    @_disfavoredOverload
    public func records(matching query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?) async throws -> [CKRecord] {
        try await client.query(.first(query, zoneID), desiredKeys: nil, resultsLimit: 0).matches.map { try $0.1.get() }
    }

    @available(*, deprecated, message: "use records(matching:inZoneWith:desiredKeys:resultsLimit:)")
    @discardableResult
    public func perform(_ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?) async throws -> [CKRecord] {
        try await client.query(.first(query, zoneID), desiredKeys: nil, resultsLimit: 0).matches.map { try $0.1.get() }
    }

    @available(*, deprecated, message: "use fetch(withQuery:inZoneWith:desiredKeys:resultsLimit:completionHandler:)")
    public func perform(
        _ query: CKQuery, inZoneWith zoneID: CKRecordZone.ID?,
        completionHandler: @escaping ([CKRecord]?, (any Error)?) -> Void
    ) {
        let client = client
        deliver(
            {
                try await client.query(.first(query, zoneID), desiredKeys: nil, resultsLimit: 0).matches
                    .map { try $0.1.get() }
            }, to: completionHandler)
    }
}
