import CloudKit
import CloudTestSupport
import Foundation
import Testing

/// Blocks of operations that the newer API has replaced, and those that few apps set.
@Suite struct `A block` {
    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `of a query is called for each record, page by page`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            _ = try await phone.modifyRecords(saving: ["a", "b", "c"].map { note($0, title: $0) }, deleting: [])
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let first = CKQueryOperation(query: query)
            first.zoneID = notes
            first.resultsLimit = 2
            first.desiredKeys = ["title"]
            // Written on the operation's serial queue, read after its last block.
            nonisolated(unsafe) var names: [String] = []
            first.recordMatchedBlock = { id, result in
                #expect(result.isSuccess)
                names.append(id.recordName)
            }
            let cursor = try await result {
                first.queryResultBlock = $0
                phone.add(first)
            }
            #expect(names == ["a", "b"])
            let second = CKQueryOperation(cursor: try #require(cursor))
            nonisolated(unsafe) var found: [String?] = []
            nonisolated(unsafe) var last: CKQueryOperation.Cursor?
            second.recordFetchedBlock = { found.append($0["title"]) }
            try await end { told in
                second.queryCompletionBlock = { cursor, error in
                    last = cursor
                    told(error)
                }
                phone.add(second)
            }
            #expect(found == ["c"] && last == nil)
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `of the database's changes is called for each zone, with the token of each page`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let lists = CKRecordZone.ID(zoneName: "Lists")
            try await phone.save(CKRecordZone(zoneID: lists))
            let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
            operation.resultsLimit = 1
            nonisolated(unsafe) var zones: [CKRecordZone.ID] = []
            nonisolated(unsafe) var tokens: [CKServerChangeToken?] = []
            operation.recordZoneWithIDChangedBlock = { zones.append($0) }
            operation.changeTokenUpdatedBlock = { tokens.append($0) }
            try await end { told in
                operation.fetchDatabaseChangesCompletionBlock = { token, more, error in
                    #expect(!more)
                    tokens.append(token)
                    told(error)
                }
                phone.add(operation)
            }
            #expect(zones == [notes, lists] && tokens.count == 2)
            let first = CKFetchDatabaseChangesOperation()
            first.previousServerChangeToken = tokens[0]
            first.fetchAllChanges = false
            let rest = try await result {
                first.fetchDatabaseChangesResultBlock = $0
                phone.add(first)
            }
            #expect(rest.serverChangeToken == tokens[1] && !rest.moreComing)
            let next = try await phone.databaseChanges(since: tokens[1])
            #expect(next.modifications.isEmpty)
            try await phone.deleteRecordZone(withID: lists)
            let gone = try #require(try await phone.databaseChanges(since: tokens[1]).deletions.first)
            #expect(gone.zoneID == lists && !gone.purged && gone.reason != .encryptedDataReset)
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `of a zone's changes is called for each record and each zone`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            try await phone.save(note("a", title: "one"))
            let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration()
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [notes], optionsByRecordZoneID: [notes: configuration])
            nonisolated(unsafe) var titles: [String?] = []
            nonisolated(unsafe) var zones: [CKRecordZone.ID] = []
            operation.recordChangedBlock = { titles.append($0["title"]) }
            operation.recordZoneFetchCompletionBlock = { zone, token, _, more, error in
                #expect(token != nil && !more && error == nil)
                zones.append(zone)
            }
            try await end {
                operation.fetchRecordZoneChangesCompletionBlock = $0
                phone.add(operation)
            }
            #expect(titles == ["one"] && zones == [notes])
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `of the user's own record is called with it`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let operation = CKFetchRecordsOperation.fetchCurrentUserRecordOperation()
            nonisolated(unsafe) var found: [CKRecord.ID?] = []
            operation.perRecordCompletionBlock = { record, id, error in
                #expect(record?.recordType == CKRecord.SystemType.userRecord && error == nil)
                found.append(id)
            }
            let records = try await value {
                operation.fetchRecordsCompletionBlock = $0
                container.publicCloudDatabase.add(operation)
            }
            #expect(records.count == 1 && found == Array(records.keys))
            #expect(found.first??.recordName == (try await container.userRecordID()).recordName)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `of what is deleted is called for each item`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            try await phone.save(note("a", title: "one"))
            try await phone.save(CKDatabaseSubscription(subscriptionID: "all"))
            nonisolated(unsafe) var gone: [String] = []
            let records = CKModifyRecordsOperation(recordsToSave: nil, recordIDsToDelete: [noteID("a")])
            records.perRecordDeleteBlock = { id, result in gone.append("\(id.recordName) \(result.isSuccess)") }
            try await result {
                records.modifyRecordsResultBlock = $0
                phone.add(records)
            }
            let subscriptions = CKModifySubscriptionsOperation(
                subscriptionsToSave: nil, subscriptionIDsToDelete: ["all"])
            subscriptions.perSubscriptionDeleteBlock = { id, result in gone.append("\(id) \(result.isSuccess)") }
            try await result {
                subscriptions.modifySubscriptionsResultBlock = $0
                phone.add(subscriptions)
            }
            let zones = CKModifyRecordZonesOperation(recordZonesToSave: nil, recordZoneIDsToDelete: [notes])
            zones.perRecordZoneDeleteBlock = { id, result in gone.append("\(id.zoneName) \(result.isSuccess)") }
            try await result {
                zones.modifyRecordZonesResultBlock = $0
                phone.add(zones)
            }
            #expect(gone == ["a true", "all true", "Notes true"])
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `of a web token is called with the token`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            let operation = CKFetchWebAuthTokenOperation(apiToken: TestCloud.apiToken())
            let token = try await value {
                operation.fetchWebAuthTokenCompletionBlock = $0
                phone.add(operation)
            }
            #expect(!token.isEmpty)
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `of an application permission is called with the account's setting`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            nonisolated(unsafe) var status: CKContainer.Application.PermissionStatus?
            try await end { told in
                let block: CKContainer.ApplicationPermissionBlock = {
                    status = $0
                    told($1)
                }
                let same: CKContainer.Application.PermissionBlock = block
                container.requestApplicationPermission(.userDiscoverability, completionHandler: same)
            }
            #expect(status == .denied)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `of a subscription's notifications comes back from the service with all that was set`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let subscription = CKQuerySubscription(
                recordType: "Note", predicate: NSPredicate(value: true), options: [.firesOnRecordCreation])
            let info = CKSubscription.NotificationInfo()
            info.alertBody = "new"
            info.alertLocalizationKey = "NEW"
            info.alertLocalizationArgs = ["title"]
            info.title = "Notes"
            info.titleLocalizationKey = "NOTES"
            info.titleLocalizationArgs = ["title"]
            info.subtitle = "a note"
            info.subtitleLocalizationKey = "NOTE"
            info.subtitleLocalizationArgs = ["title"]
            info.alertActionLocalizationKey = "OPEN"
            info.alertLaunchImage = "note.png"
            info.soundName = "ping"
            info.desiredKeys = ["title"]
            info.shouldBadge = true
            info.shouldSendContentAvailable = true
            info.shouldSendMutableContent = true
            info.category = "note"
            info.collapseIDKey = "title"
            subscription.notificationInfo = info
            try await phone.save(subscription)
            let back = try #require(
                try await phone.subscription(for: subscription.subscriptionID).notificationInfo)
            #expect(back.alertBody == "new" && back.alertLocalizationKey == "NEW")
            #expect(back.title == "Notes" && back.titleLocalizationKey == "NOTES")
            #expect(back.subtitle == "a note" && back.subtitleLocalizationKey == "NOTE")
            for arguments in [
                back.alertLocalizationArgs, back.titleLocalizationArgs, back.subtitleLocalizationArgs, back.desiredKeys,
            ] {
                #expect(arguments == ["title"])
            }
            #expect(back.alertActionLocalizationKey == "OPEN" && back.alertLaunchImage == "note.png")
            #expect(back.soundName == "ping" && back.category == "note" && back.collapseIDKey == "title")
            #expect(back.shouldBadge && back.shouldSendContentAvailable && back.shouldSendMutableContent)
        }
    }
}
