import CloudKit

#if WITH_FOUNDATION
    import Foundation
#endif

func oldBlocks(
    _ database: CKDatabase, _ record: CKRecord, _ zone: CKRecordZone, _ query: CKQuery, _ subscription: CKSubscription
) {
    let modify = CKModifyRecordsOperation(recordsToSave: [record], recordIDsToDelete: nil)
    modify.perRecordCompletionBlock = { record, error in print(record, error as Any) }
    modify.modifyRecordsCompletionBlock = { saved, deleted, error in print(saved as Any, deleted as Any, error as Any) }
    modify.isLongLived = true
    modify.allowsCellularAccess = true
    modify.timeoutIntervalForRequest = 1
    modify.timeoutIntervalForResource = 2
    modify.container = CKContainer.default()
    database.add(modify)
    let fetch = CKFetchRecordsOperation(recordIDs: [record.recordID])
    fetch.perRecordCompletionBlock = { record, id, error in print(record as Any, id as Any, error as Any) }
    fetch.fetchRecordsCompletionBlock = { records, error in print(records as Any, error as Any) }
    database.add(fetch)
    let find = CKQueryOperation(query: query)
    find.recordFetchedBlock = { print($0) }
    find.queryCompletionBlock = { cursor, error in print(cursor as Any, error as Any) }
    database.add(find)
    let zones = CKModifyRecordZonesOperation(recordZonesToSave: [zone], recordZoneIDsToDelete: nil)
    zones.modifyRecordZonesCompletionBlock = { saved, deleted, error in
        print(saved as Any, deleted as Any, error as Any)
    }
    database.add(zones)
    let fetchZones = CKFetchRecordZonesOperation(recordZoneIDs: [zone.zoneID])
    fetchZones.fetchRecordZonesCompletionBlock = { zones, error in print(zones as Any, error as Any) }
    database.add(fetchZones)
    let subscriptions = CKModifySubscriptionsOperation(
        subscriptionsToSave: [subscription], subscriptionIDsToDelete: nil)
    subscriptions.modifySubscriptionsCompletionBlock = { saved, deleted, error in
        print(saved as Any, deleted as Any, error as Any)
    }
    database.add(subscriptions)
    let fetchSubscriptions = CKFetchSubscriptionsOperation(subscriptionIDs: ["s"])
    fetchSubscriptions.fetchSubscriptionCompletionBlock = { found, error in print(found as Any, error as Any) }
    database.add(fetchSubscriptions)
    let all = CKFetchDatabaseChangesOperation()
    all.fetchDatabaseChangesCompletionBlock = { token, moreComing, error in
        print(token as Any, moreComing, error as Any)
    }
    database.add(all)
    let options = CKFetchRecordZoneChangesOperation.ZoneOptions()
    let changes = CKFetchRecordZoneChangesOperation(
        recordZoneIDs: [zone.zoneID], optionsByRecordZoneID: [zone.zoneID: options])
    changes.recordChangedBlock = { print($0) }
    changes.recordZoneFetchCompletionBlock = { zone, token, data, moreComing, error in print(zone, moreComing) }
    changes.fetchRecordZoneChangesCompletionBlock = { print($0 as Any) }
    print(changes.optionsByRecordZoneID as Any)
    database.add(changes)
    let one = CKFetchRecordChangesOperation(recordZoneID: zone.zoneID, previousServerChangeToken: nil)
    one.recordChangedBlock = { print($0) }
    one.recordWithIDWasDeletedBlock = { print($0) }
    one.fetchRecordChangesCompletionBlock = { token, data, error in print(token as Any, data as Any, error as Any) }
    print(one.moreComing, one.resultsLimit, one.desiredKeys as Any)
    database.add(one)
}

func oldSharing(
    _ container: CKContainer, _ metadata: CKShare.Metadata, _ url: URL, _ infos: [CKUserIdentity.LookupInfo]
) {
    let accept = CKAcceptSharesOperation(shareMetadatas: [metadata])
    accept.perShareCompletionBlock = { metadata, share, error in print(metadata, share as Any, error as Any) }
    accept.acceptSharesCompletionBlock = { print($0 as Any) }
    container.add(accept)
    let fetch = CKFetchShareMetadataOperation(shareURLs: [url])
    fetch.perShareMetadataBlock = { url, metadata, error in print(url, metadata as Any, error as Any) }
    fetch.fetchShareMetadataCompletionBlock = { print($0 as Any) }
    container.add(fetch)
    let participants = CKFetchShareParticipantsOperation(userIdentityLookupInfos: infos)
    participants.shareParticipantFetchedBlock = { print($0) }
    participants.fetchShareParticipantsCompletionBlock = { print($0 as Any) }
    container.add(participants)
    let discover = CKDiscoverUserIdentitiesOperation(userIdentityLookupInfos: infos)
    discover.userIdentityDiscoveredBlock = { identity, info in print(identity, info) }
    discover.discoverUserIdentitiesCompletionBlock = { print($0 as Any) }
    discover.discoverUserIdentitiesResultBlock = { print($0) }
    container.add(discover)
}
