import CloudKit
import CloudTestSupport
import Foundation
import Testing

/// The forms of a database's calls that take a completion handler.
@Suite struct `A completion handler` {
    private static let ways = CloudSetUp.ways

    @Test(arguments: ways)
    func `is told of records saved, fetched and deleted`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let saved = try await value { phone.save(note("a", title: "one"), completionHandler: $0) }
            #expect(saved.recordID == noteID("a") && saved.recordChangeTag != nil)
            let both = try await result {
                phone.modifyRecords(
                    saving: [note("b", title: "two")], deleting: [], savePolicy: .allKeys, atomically: false,
                    completionHandler: $0)
            }
            #expect(both.saveResults[noteID("b")]?.isSuccess == true && both.deleteResults.isEmpty)
            let fetched = try await result {
                phone.fetch(
                    withRecordIDs: [noteID("a"), noteID("none")], desiredKeys: ["title"], completionHandler: $0)
            }
            #expect(try fetched[noteID("a")]?.get()["title"] as? String == "one")
            #expect(fetched[noteID("none")]?.code == .unknownItem)
            #expect(try await phone.delete(withRecordID: noteID("a")) == noteID("a"))
            let gone = await #expect(throws: CKError.self) { try await phone.record(for: noteID("a")) }
            #expect(gone?.code == .unknownItem)
        }
    }

    @Test(arguments: ways)
    func `is told of a query's pages`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            _ = try await phone.modifyRecords(saving: ["a", "b", "c"].map { note($0, title: $0) }, deleting: [])
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let first = try await result {
                phone.fetch(
                    withQuery: query, inZoneWith: notes, desiredKeys: nil, resultsLimit: 2, completionHandler: $0)
            }
            #expect(titles(first.matchResults) == ["a", "b"])
            let cursor = try #require(first.queryCursor)
            let second = try await result { phone.fetch(withCursor: cursor, completionHandler: $0) }
            #expect(titles(second.matchResults) == ["c"] && second.queryCursor == nil)
        }
    }

    @available(*, deprecated)
    @Test(arguments: ways)
    func `of the older query is told of its records`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            try await phone.save(note("a", title: "one"))
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            let found = try await value { phone.perform(query, inZoneWith: notes, completionHandler: $0) }
            #expect(found.map(\.recordID) == [noteID("a")])
            let records: [CKRecord] = try await phone.records(matching: query, inZoneWith: notes)
            #expect(records.map(\.recordID) == [noteID("a")])
        }
    }

    @Test(arguments: ways)
    func `is told of zones saved, fetched, changed and deleted`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            let lists = CKRecordZone.ID(zoneName: "Lists")
            #expect(try await value { phone.save(CKRecordZone(zoneID: notes), completionHandler: $0) }.zoneID == notes)
            let both = try await result {
                phone.modifyRecordZones(saving: [CKRecordZone(zoneID: lists)], deleting: [], completionHandler: $0)
            }
            #expect(both.saveResults[lists]?.isSuccess == true)
            #expect(try await value { phone.fetch(withRecordZoneID: notes, completionHandler: $0) }.zoneID == notes)
            let some = try await result { phone.fetch(withRecordZoneIDs: [notes, lists], completionHandler: $0) }
            #expect(some.values.allSatisfy(\.isSuccess) && some.count == 2)
            let all = try await value { phone.fetchAllRecordZones(completionHandler: $0) }
            #expect(Set(all.map(\.zoneID)) == [.default, notes, lists])

            try await phone.save(note("a", title: "one"))
            let changes = try await result { phone.fetchDatabaseChanges(since: nil, completionHandler: $0) }
            #expect(Set(changes.modifications.map(\.zoneID)) == [notes, lists])
            let inZone = try await result {
                phone.fetchRecordZoneChanges(inZoneWith: notes, since: nil, completionHandler: $0)
            }
            #expect(inZone.modificationResultsByID.keys.map(\.recordName) == ["a"])
            #expect(try await value { phone.delete(withRecordZoneID: notes, completionHandler: $0) } == notes)
            #expect(try await phone.delete(withRecordZoneID: lists) == lists)
            #expect(try await phone.allRecordZones().map(\.zoneID) == [.default])
        }
    }

    @Test(arguments: ways)
    func `is told of subscriptions saved, fetched and deleted`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let zone = CKRecordZoneSubscription(zoneID: notes, subscriptionID: "zone")
            let database = CKDatabaseSubscription(subscriptionID: "all")
            let saved: CKSubscription = try await value { phone.save(zone, completionHandler: $0) }
            #expect(saved.subscriptionID == "zone")
            let both = try await result {
                phone.modifySubscriptions(saving: [database], deleting: [], completionHandler: $0)
            }
            #expect(both.saveResults["all"]?.isSuccess == true)
            let one: CKSubscription = try await value { phone.fetch(withSubscriptionID: "zone", completionHandler: $0) }
            #expect(one.subscriptionType == .recordZone)
            let some = try await result { phone.fetch(withSubscriptionIDs: ["all", "none"], completionHandler: $0) }
            #expect(some["all"]?.isSuccess == true && some["none"]?.code == .unknownItem)
            let same = try await phone.subscriptions(for: ["all", "zone"])
            #expect(same["all"]?.isSuccess == true && same["zone"]?.isSuccess == true)
            let all = try await value { phone.fetchAllSubscriptions(completionHandler: $0) }
            #expect(Set(all.map(\.subscriptionID)) == ["all", "zone"])
            let gone: String = try await value { phone.delete(withSubscriptionID: "all", completionHandler: $0) }
            #expect(gone == "all")
            #expect(try await phone.allSubscriptions().map(\.subscriptionID) == ["zone"])
        }
    }

    @Test(arguments: ways)
    func `of a configured container or database works with the configuration`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let configuration = CKOperation.Configuration()
            configuration.timeoutIntervalForRequest = 30
            let name = try await container.configuredWith(configuration: configuration) {
                try await $0.userRecordID().recordName
            }
            let same: CKRecord.ID = try await value { told in
                container.configuredWith(configuration: configuration) { $0.fetchUserRecordID(completionHandler: told) }
            }
            #expect(same.recordName == name)
            let saved: CKRecordZone = try await value { told in
                container.privateCloudDatabase.configuredWith(configuration: configuration) {
                    $0.save(CKRecordZone(zoneID: notes), completionHandler: told)
                }
            }
            #expect(saved.zoneID == notes)
        }
    }
}
