import Foundation
import Testing

@testable import CloudKit

/// Values that need no service.
@Suite struct `A plain value` {
    @Test func `of a record is set and read by any of its interfaces`() throws {
        let zone = CKRecordZone.ID(zoneName: "Notes")
        let record = CKRecord(recordType: "Note", zoneID: zone)
        #expect(record.recordID.zoneID == zone && !record.recordID.recordName.isEmpty)
        record.setValue("milk and bread", forKey: "title")
        #expect(record.value(forKey: "title") as? String == "milk and bread")
        #expect(Set(record.allTokens()).isSuperset(of: ["milk", "bread"]))
        let setting: any CKRecordKeyValueSetting = record
        setting.setObject(NSNumber(value: 3), forKey: "count")
        #expect(setting.object(forKey: "count") as? Int == 3)
        setting["title"] = "eggs" as NSString
        let title: (any __CKRecordObjCValue)? = setting["title"]
        #expect(title as? String == "eggs")
        #expect(Set(setting.allKeys()) == ["title", "count"] && Set(setting.changedKeys()) == ["title", "count"])
        #expect(record.lastModifiedUserRecordID == nil)
        var walked: [CKRecord.Element] = []
        var iterator: CKRecord.Iterator = record.makeIterator()
        while let field = iterator.next() { walked.append(field) }
        #expect(Set(walked.map(\.0)) == ["title", "count"])
        let reference = CKRecord.Reference(recordID: record.recordID, action: .deleteSelf)
        #expect(reference.action == .deleteSelf)
    }

    @Test func `of a lookup is the one that it was made of`() {
        let phone = CKUserIdentity.LookupInfo(phoneNumber: "+49 170 1234567")
        #expect(phone.phoneNumber == "+49 170 1234567" && phone.userRecordID == nil && phone.emailAddress == nil)
        let user = CKUserIdentity.LookupInfo(userRecordID: CKRecord.ID(recordName: "_a"))
        #expect(user.userRecordID?.recordName == "_a" && user.phoneNumber == nil)
        let users = CKUserIdentity.LookupInfo.lookupInfos(with: [CKRecord.ID(recordName: "_a")])
        #expect(users.map { $0.userRecordID?.recordName } == ["_a"])
        let phones = CKUserIdentity.LookupInfo.lookupInfos(withPhoneNumbers: ["1", "2"])
        #expect(phones.map(\.phoneNumber) == ["1", "2"])
    }

    @available(*, deprecated)
    @Test func `of an operation is the one that was set, and its configuration's`() {
        let container = CKContainer(identifier: "iCloud.org.example")
        let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
        operation.container = container
        operation.timeoutIntervalForRequest = 7
        operation.timeoutIntervalForResource = 8
        operation.allowsCellularAccess = false
        operation.isLongLived = true
        let configuration: CKOperation.Configuration = operation.configuration
        #expect(configuration.container === container && operation.container === container)
        #expect(configuration.timeoutIntervalForRequest == 7 && operation.timeoutIntervalForRequest == 7)
        #expect(configuration.timeoutIntervalForResource == 8 && operation.timeoutIntervalForResource == 8)
        #expect(!configuration.allowsCellularAccess && !operation.allowsCellularAccess)
        #expect(configuration.isLongLived && operation.isLongLived)
        #expect(container.containerIdentifier == "iCloud.org.example")
        #expect(CKContainer.default().containerIdentifier?.hasPrefix("iCloud.") == true)
    }

    @Test func `of a group is the one that was set, and groups have IDs of their own`() {
        let group = CKOperationGroup()
        group.quantity = 3
        group.expectedSendSize = .megabytes
        group.expectedReceiveSize = .gigabytes
        #expect(group.quantity == 3 && group.expectedSendSize == .megabytes && group.expectedReceiveSize == .gigabytes)
        #expect(group.operationGroupID != CKOperationGroup().operationGroupID)
    }

    @available(*, deprecated)
    @Test func `of a kind of operation is the one that was set`() {
        let zone = CKRecordZone.ID(zoneName: "Notes")
        let token = CKServerChangeToken("t")
        let record = CKRecord(recordType: "Note", zoneID: zone)
        let query = CKQueryOperation(query: CKQuery(recordType: "Note", predicate: NSPredicate(value: true)))
        query.zoneID = zone
        query.desiredKeys = ["title"]
        query.resultsLimit = 3
        #expect(query.query?.recordType == "Note" && query.query?.predicate.evaluate(with: nil) == true)
        #expect(
            query.zoneID == zone && query.desiredKeys == ["title"] && query.resultsLimit == 3 && query.cursor == nil)
        let more = CKQueryOperation(cursor: CKQueryOperation.Cursor([1], zoneID: zone))
        #expect(more.cursor != nil && more.query == nil)

        let zones = CKModifyRecordZonesOperation(
            recordZonesToSave: [CKRecordZone(zoneID: zone)], recordZoneIDsToDelete: [.default])
        #expect(zones.recordZonesToSave?.map(\.zoneID) == [zone] && zones.recordZoneIDsToDelete == [.default])
        #expect(CKFetchRecordZonesOperation(recordZoneIDs: [zone]).recordZoneIDs == [zone])
        let records = CKModifyRecordsOperation(recordsToSave: [record], recordIDsToDelete: nil)
        records.savePolicy = .allKeys
        #expect(records.savePolicy == .allKeys)
        let subscription = CKRecordZoneSubscription(zoneID: zone)
        #expect(subscription.zoneID == zone && !subscription.subscriptionID.isEmpty)
        let subscriptions = CKModifySubscriptionsOperation(
            subscriptionsToSave: [subscription], subscriptionIDsToDelete: ["old"])
        #expect(subscriptions.subscriptionsToSave == [subscription])
        #expect(subscriptions.subscriptionIDsToDelete == ["old"])
        #expect(CKFetchSubscriptionsOperation(subscriptionIDs: ["a"]).subscriptionIDs == ["a"])

        let database = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        database.resultsLimit = 5
        database.fetchAllChanges = false
        #expect(database.previousServerChangeToken == token && database.resultsLimit == 5 && !database.fetchAllChanges)
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
        configuration.previousServerChangeToken = token
        configuration.resultsLimit = 6
        configuration.desiredKeys = ["title"]
        let options: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneOptions] = [zone: configuration]
        let changes = CKFetchRecordZoneChangesOperation(recordZoneIDs: [zone], optionsByRecordZoneID: options)
        #expect(changes.recordZoneIDs == [zone])
        for kept in [changes.configurationsByRecordZoneID?[zone], changes.optionsByRecordZoneID?[zone]] {
            #expect(kept?.previousServerChangeToken == token && kept?.resultsLimit == 6)
            #expect(kept?.desiredKeys == ["title"])
        }
        let older = CKFetchRecordChangesOperation(recordZoneID: zone, previousServerChangeToken: token)
        older.desiredKeys = ["title"]
        #expect(older.previousServerChangeToken == token && older.desiredKeys == ["title"])
        #expect(CKFetchWebAuthTokenOperation(apiToken: "a").apiToken == "a")
    }

    @Test func `of a query subscription is the one that it was made with`() {
        let subscription = CKQuerySubscription(recordType: "Note", predicate: NSPredicate(value: true))
        #expect(subscription.recordType == "Note")
        #expect(
            subscription.querySubscriptionOptions == [
                .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
            ])
        let database = CKDatabaseSubscription(subscriptionID: "d")
        database.recordType = "Note"
        #expect(database.recordType == "Note")
    }

    @Test func `of a push is what the payload says`() throws {
        let alert: [String: Any] = [
            "body": "b", "subtitle": "s", "subtitle-loc-key": "sk", "subtitle-loc-args": ["sa"],
            "title-loc-key": "tk", "title-loc-args": ["ta"], "action-loc-key": "ak", "launch-image": "li",
        ]
        let payload: [AnyHashable: Any] = [
            "aps": ["alert": alert, "category": "c"],
            "ck": [
                "ce": 2, "cid": "iCloud.org.example", "nid": "n1", "ckuserid": "_me",
                "met": ["sid": "s", "dbs": 2] as [String: Any],
            ] as [String: Any],
        ]
        let push = try #require(CKNotification(fromRemoteNotificationDictionary: payload))
        let id: CKNotification.ID = try #require(push.notificationID)
        #expect(id == CKNotification(fromRemoteNotificationDictionary: payload)?.notificationID)
        #expect(push.subscriptionOwnerUserRecordID?.recordName == "_me")
        #expect(push.alertBody == "b" && push.subtitle == "s" && push.category == "c")
        #expect(push.subtitleLocalizationKey == "sk" && push.subtitleLocalizationArgs == ["sa"])
        #expect(push.titleLocalizationKey == "tk" && push.titleLocalizationArgs == ["ta"])
        #expect(push.alertActionLocalizationKey == "ak" && push.alertLaunchImage == "li")
    }
}
