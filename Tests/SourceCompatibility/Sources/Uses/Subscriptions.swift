import CloudKit

#if WITH_FOUNDATION
    import Foundation
#endif

func subscribe(_ database: CKDatabase, _ zone: CKRecordZone.ID) async throws {
    let query = CKQuerySubscription(
        recordType: "Artwork", predicate: NSPredicate(format: "artist = %@", "Mei Chen"), subscriptionID: "artist",
        options: [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion, .firesOnce])
    query.zoneID = zone
    let info = CKSubscription.NotificationInfo()
    info.alertBody = "New artwork"
    info.alertLocalizationKey = "key"
    info.alertLocalizationArgs = ["title"]
    info.title = "Title"
    info.titleLocalizationKey = "title"
    info.titleLocalizationArgs = []
    info.subtitle = "Subtitle"
    info.subtitleLocalizationKey = "subtitle"
    info.subtitleLocalizationArgs = []
    info.alertActionLocalizationKey = "action"
    info.alertLaunchImage = "image"
    info.soundName = "default"
    info.category = "category"
    info.collapseIDKey = "collapse"
    info.desiredKeys = ["title"]
    info.shouldBadge = true
    info.shouldSendContentAvailable = true
    info.shouldSendMutableContent = false
    query.notificationInfo = info
    let records = CKRecordZoneSubscription(zoneID: zone, subscriptionID: "zone")
    records.recordType = "Artwork"
    let all = CKDatabaseSubscription(subscriptionID: "all")
    all.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
    print(
        query.querySubscriptionOptions.rawValue, query.predicate, query.recordType as Any, records.zoneID,
        all.recordType as Any)
    for subscription in [query, records, all] as [CKSubscription] {
        try await database.save(subscription)
        switch subscription.subscriptionType {
        case .query, .recordZone, .database: print(subscription.subscriptionID)
        @unknown default: break
        }
    }
    _ = try await database.subscription(for: "all")
    _ = try await database.subscriptions(for: ["all"])
    for subscription in try await database.allSubscriptions() {
        print(subscription.subscriptionID as CKSubscription.ID)
    }
    let (saved, deleted) = try await database.modifySubscriptions(saving: [all], deleting: ["zone"])
    print(saved, deleted)
    try await database.deleteSubscription(withID: "artist")
    database.fetch(withSubscriptionID: "all") { _, _ in }
    database.fetch(withSubscriptionIDs: ["all"]) { _ in }
    database.fetchAllSubscriptions { _, _ in }
    database.save(all) { _, _ in }
    database.delete(withSubscriptionID: "all") { _, _ in }
    database.modifySubscriptions(saving: [all], deleting: []) { _ in }
}

func operations(_ database: CKDatabase, _ subscription: CKSubscription) {
    let modify = CKModifySubscriptionsOperation(subscriptionsToSave: [subscription], subscriptionIDsToDelete: nil)
    modify.perSubscriptionSaveBlock = { id, result in print(id, result) }
    modify.perSubscriptionDeleteBlock = { id, result in print(id, result) }
    modify.modifySubscriptionsResultBlock = { print($0) }
    print(modify.subscriptionsToSave as Any, modify.subscriptionIDsToDelete as Any)
    database.add(modify)
    let fetch = CKFetchSubscriptionsOperation(subscriptionIDs: ["all"])
    fetch.perSubscriptionResultBlock = { id, result in print(id, result) }
    fetch.fetchSubscriptionsResultBlock = { print($0) }
    print(fetch.subscriptionIDs as Any)
    database.add(fetch)
    database.add(CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation())
}

func receive(_ userInfo: [AnyHashable: Any]) {
    guard let notification = CKNotification(fromRemoteNotificationDictionary: userInfo) else { return }
    switch notification.notificationType {
    case .query:
        guard let query = notification as? CKQueryNotification else { return }
        switch query.queryNotificationReason {
        case .recordCreated, .recordUpdated, .recordDeleted: break
        @unknown default: break
        }
        print(query.recordID as Any, query.recordFields as Any, query.databaseScope)
    case .recordZone: print((notification as? CKRecordZoneNotification)?.recordZoneID as Any)
    case .database: print((notification as? CKDatabaseNotification)?.databaseScope as Any)
    case .readNotification: break
    @unknown default: break
    }
    print(notification.notificationID as Any, notification.containerIdentifier as Any, notification.isPruned)
    print(
        notification.subscriptionID as Any, notification.subscriptionOwnerUserRecordID as Any,
        notification.category as Any)
    print(
        notification.alertBody as Any, notification.badge as Any, notification.soundName as Any,
        notification.title as Any)
}
