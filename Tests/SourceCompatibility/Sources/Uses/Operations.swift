import CloudKit

#if WITH_FOUNDATION
    import Foundation
#endif

func modify(_ database: CKDatabase, _ records: [CKRecord], _ ids: [CKRecord.ID]) {
    let operation = CKModifyRecordsOperation(recordsToSave: records, recordIDsToDelete: ids)
    operation.savePolicy = .ifServerRecordUnchanged
    operation.isAtomic = true
    operation.qualityOfService = .utility
    operation.perRecordProgressBlock = { record, progress in print(record.recordID, progress) }
    operation.perRecordSaveBlock = { id, result in print(id, result) }
    operation.perRecordDeleteBlock = { id, result in print(id, result) }
    operation.modifyRecordsResultBlock = { result in
        if case .failure(let error) = result { print(error) }
    }
    operation.completionBlock = { print("done") }
    database.add(operation)
    print(operation.recordsToSave as Any, operation.recordIDsToDelete as Any)
    let policies: [CKModifyRecordsOperation.RecordSavePolicy] = [.ifServerRecordUnchanged, .changedKeys, .allKeys]
    print(policies.map(\.rawValue), CKModifyRecordsOperation.RecordSavePolicy(rawValue: 0) as Any)
}

func configure(_ operation: CKDatabaseOperation, _ container: CKContainer) {
    let configuration = CKOperation.Configuration()
    configuration.container = container
    configuration.qualityOfService = .background
    configuration.allowsCellularAccess = false
    configuration.isLongLived = true
    configuration.timeoutIntervalForRequest = 30
    configuration.timeoutIntervalForResource = 3600
    operation.configuration = configuration
    operation.database = container.privateCloudDatabase
    operation.longLivedOperationWasPersistedBlock = { print("kept") }
    let group = CKOperationGroup()
    group.name = "Initial download"
    group.quantity = 2
    group.expectedSendSize = .kilobytes
    group.expectedReceiveSize = .hundredsOfMegabytes
    group.defaultConfiguration = configuration
    operation.group = group
    let id: CKOperation.ID = operation.operationID
    print(id, group.operationGroupID, operation.configuration.isLongLived)
    let sizes: [CKOperationGroup.TransferSize] = [
        .unknown, .kilobytes, .megabytes, .tensOfMegabytes, .hundredsOfMegabytes, .gigabytes, .tensOfGigabytes,
        .hundredsOfGigabytes,
    ]
    print(sizes.map(\.rawValue), CKOperationGroup.TransferSize(rawValue: 1) as Any)
    container.add(operation)
    operation.cancel()
}

func fetchAndQuery(_ database: CKDatabase, _ ids: [CKRecord.ID], _ query: CKQuery, _ zone: CKRecordZone.ID) {
    let fetch = CKFetchRecordsOperation(recordIDs: ids)
    fetch.desiredKeys = ["title"]
    fetch.perRecordProgressBlock = { id, progress in print(id, progress) }
    fetch.perRecordResultBlock = { id, result in print(id, result) }
    fetch.fetchRecordsResultBlock = { result in print(result) }
    database.add(fetch)
    let user = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
    user.recordIDs = nil
    database.add(user)
    let find = CKQueryOperation(query: query)
    find.zoneID = zone
    find.resultsLimit = CKQueryOperation.maximumResults
    find.desiredKeys = nil
    find.recordMatchedBlock = { id, result in print(id, result) }
    find.queryResultBlock = { result in
        guard case .success(let cursor?) = result else { return }
        let next = CKQueryOperation(cursor: cursor)
        print(next.cursor as Any, next.query as Any)
        database.add(next)
    }
    database.add(find)
}

func zones(_ database: CKDatabase, _ zone: CKRecordZone) {
    let modify = CKModifyRecordZonesOperation(recordZonesToSave: [zone], recordZoneIDsToDelete: nil)
    modify.perRecordZoneSaveBlock = { id, result in print(id, result) }
    modify.perRecordZoneDeleteBlock = { id, result in print(id, result) }
    modify.modifyRecordZonesResultBlock = { print($0) }
    print(modify.recordZonesToSave as Any, modify.recordZoneIDsToDelete as Any)
    database.add(modify)
    let fetch = CKFetchRecordZonesOperation(recordZoneIDs: [zone.zoneID])
    fetch.perRecordZoneResultBlock = { id, result in print(id, result) }
    fetch.fetchRecordZonesResultBlock = { print($0) }
    print(fetch.recordZoneIDs as Any)
    database.add(fetch)
    database.add(CKFetchRecordZonesOperation.fetchAllRecordZonesOperation())
}

func changes(_ database: CKDatabase, _ zone: CKRecordZone.ID, since token: CKServerChangeToken?) {
    let all = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
    all.fetchAllChanges = true
    all.resultsLimit = 100
    all.recordZoneWithIDChangedBlock = { print($0) }
    all.recordZoneWithIDWasDeletedBlock = { print($0) }
    all.recordZoneWithIDWasPurgedBlock = { print($0) }
    all.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = { print($0) }
    all.changeTokenUpdatedBlock = { print($0) }
    all.fetchDatabaseChangesResultBlock = { result in
        if case .success(let (serverChangeToken, moreComing)) = result { print(serverChangeToken, moreComing) }
    }
    print(all.previousServerChangeToken as Any)
    database.add(all)
    let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
    configuration.previousServerChangeToken = token
    configuration.resultsLimit = 10
    configuration.desiredKeys = ["title"]
    let one = CKFetchRecordZoneChangesOperation(
        recordZoneIDs: [zone], configurationsByRecordZoneID: [zone: configuration])
    one.fetchAllChanges = true
    one.recordWasChangedBlock = { id, result in print(id, result) }
    one.recordWithIDWasDeletedBlock = { id, type in print(id, type) }
    one.recordZoneChangeTokensUpdatedBlock = { zone, token, data in print(zone, token as Any, data as Any) }
    one.recordZoneFetchResultBlock = { zone, result in
        switch result {
        case .success(let (serverChangeToken, clientChangeTokenData, moreComing)):
            print(zone, serverChangeToken, clientChangeTokenData as Any, moreComing)
        case .failure(let error): print(error)
        }
    }
    one.fetchRecordZoneChangesResultBlock = { print($0) }
    print(one.recordZoneIDs as Any, one.configurationsByRecordZoneID as Any)
    database.add(one)
}

func token(_ container: CKContainer) {
    let operation = CKFetchWebAuthTokenOperation(apiToken: "token")
    operation.fetchWebAuthTokenResultBlock = { print($0) }
    print(operation.apiToken as Any)
    container.privateCloudDatabase.add(operation)
}
