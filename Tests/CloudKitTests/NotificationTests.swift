import CloudCore
import Foundation
import Testing

@testable import CloudKit

private func push(_ ck: [String: Any], aps: [String: Any] = [:]) -> [AnyHashable: Any] {
    var common: [String: Any] = ["ce": 2, "cid": "iCloud.org.example.notes", "nid": "n1", "ckuserid": "_me"]
    common.merge(ck) { _, new in new }
    return ["aps": aps, "ck": common]
}

@Suite struct NotificationTests {
    @Test func `a query push gives the record, the reason and the fields`() throws {
        let query: [String: Any] = [
            "sid": "s1", "rid": "r1", "fo": 3, "dbs": 2, "zid": "Notes", "zoid": "_me",
            "af": ["title": "soup", "n": 4, "day": ["value": 1500, "type": "TIMESTAMP"]],
        ]
        let payload = push(
            ["qry": query, "p": 1],
            aps: ["alert": ["loc-key": "NEW", "loc-args": ["Groceries"], "title": "T"], "badge": 2, "sound": "s"])
        let data = try JSONSerialization.data(withJSONObject: payload.mapKeys())
        let dictionary = try #require(try JSONSerialization.jsonObject(with: data) as? [AnyHashable: Any])
        let notification = try #require(CKNotification(fromRemoteNotificationDictionary: dictionary))
        let read = try #require(notification as? CKQueryNotification)
        #expect(read.notificationType == .query)
        #expect(read.queryNotificationReason == .recordDeleted)
        #expect(read.recordID == CKRecord.ID(recordName: "r1", zoneID: CKRecordZone.ID(zoneName: "Notes")))
        #expect(read.recordFields?["title"] as? String == "soup")
        #expect(read.recordFields?["n"] as? Int == 4)
        #expect(read.recordFields?["day"] as? Date == Date(timeIntervalSince1970: 1.5))
        #expect(read.subscriptionID == "s1")
        #expect(read.containerIdentifier == "iCloud.org.example.notes")
        #expect(read.isPruned)
        #expect(read.alertLocalizationKey == "NEW")
        #expect(read.alertLocalizationArgs == ["Groceries"])
        #expect(read.title == "T")
        #expect(read.badge == 2)
        #expect(read.soundName == "s")
    }

    @Test func `zone and database pushes give their own classes`() throws {
        let zone = push(["fet": ["sid": "s", "dbs": 3, "zid": "Notes", "zoid": "_other"]])
        let first = CKNotification(fromRemoteNotificationDictionary: zone)
        let other = CKRecordZone.ID(zoneName: "Notes", ownerName: "_other")
        #expect((first as? CKRecordZoneNotification)?.recordZoneID == other)
        #expect((first as? CKRecordZoneNotification)?.databaseScope == .shared)
        let database = push(["met": ["sid": "s", "dbs": 2]])
        #expect(CKNotification(fromRemoteNotificationDictionary: database) is CKDatabaseNotification)
        #expect(CKDatabaseNotification(fromRemoteNotificationDictionary: database) != nil)
        #expect(CKQueryNotification(fromRemoteNotificationDictionary: database) == nil)
    }

    @Test func `what is not a CloudKit push is no notification`() {
        #expect(CKNotification(fromRemoteNotificationDictionary: [:]) == nil)
        #expect(CKNotification(fromRemoteNotificationDictionary: ["aps": ["alert": "hi"]]) == nil)
        #expect(CKNotification(fromRemoteNotificationDictionary: push([:])) == nil)
    }

    @Test func `a subscription becomes the service's and comes back`() throws {
        let query = CKQuerySubscription(
            recordType: "Recipe", predicate: NSPredicate(format: "n > 3 AND NOT (tags CONTAINS 'a')"),
            subscriptionID: "s1", options: [.firesOnRecordCreation, .firesOnce])
        query.zoneID = CKRecordZone.ID(zoneName: "Recipes")
        let info = CKSubscription.NotificationInfo(alertBody: "new", desiredKeys: ["title"])
        query.notificationInfo = info
        info.alertBody = "changed later"
        #expect(query.notificationInfo?.alertBody == "new")
        let core = try query.subscription()
        #expect(core.notificationInfo?.additionalFields == ["title"])
        let back = CKSubscription.make(core, scope: .private)
        #expect(try back.subscription() == core)
        #expect(back.subscriptionType == .query)
        let data = try NSKeyedArchiver.archivedData(withRootObject: query, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuerySubscription.self, from: data))
        #expect(try read.subscription() == core)
        let zone = CKRecordZoneSubscription(zoneID: CKRecordZone.ID(zoneName: "Recipes"), subscriptionID: "z")
        zone.recordType = "Recipe"
        #expect(try CKSubscription.make(zone.subscription(), scope: .private).subscription() == zone.subscription())
        let silent = CKQuerySubscription(
            recordType: "Recipe", predicate: NSPredicate(value: true), subscriptionID: "s", options: [.firesOnce])
        #expect(throws: CKError.self) { try silent.subscription() }
    }
}

extension [AnyHashable: Any] {
    fileprivate func mapKeys() -> [String: Any] {
        [String: Any](uniqueKeysWithValues: map { ("\($0.key)", $0.value) })
    }
}
