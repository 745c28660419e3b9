import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

/// The methods of a database and a container, asynchronous or with a handler.
@Suite struct `A convenience method` {
    @Test func `for many items gives each its result, and throws when the request failed as a whole`() async throws {
        try await quick.withPhones { phones in
            let device = try await phones.device()
            let container = Phones.container(on: device)
            let database = container.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            try await database.save(note("a", title: "a"))
            let absent = CKRecordZone.ID(zoneName: "Absent")
            let nowhere = try #require(URL(string: "\(phones.cloud.url)/share/0unknown"))
            let found = try await database.records(for: [noteID("a"), noteID("b")])
            #expect(found.failures() == [noteID("b"): .unknownItem])
            let zones = try await database.recordZones(for: [notes, absent])
            #expect(zones.failures() == [absent: .zoneNotFound])
            let subscriptions = try await database.subscriptions(for: ["none"])
            #expect(subscriptions.failures() == ["none": .unknownItem])
            let shares = try await container.shareMetadatas(for: [nowhere])
            #expect(shares.failures() == [nowhere: .unknownItem])

            try await device.signOut()
            let calls: [() async throws -> Void] = [
                { _ = try await database.records(for: [noteID("a")]) },
                { _ = try await database.recordZones(for: [notes]) },
                { _ = try await database.subscriptions(for: ["none"]) },
                { _ = try await database.modifyRecords(saving: [note("c")], deleting: []) },
                { _ = try await database.modifyRecordZones(saving: [], deleting: [notes]) },
                { _ = try await database.modifySubscriptions(saving: [], deleting: ["none"]) },
                { _ = try await database.recordZoneChanges(inZoneWith: notes, since: nil) },
                { _ = try await database.databaseChanges(since: nil) },
                {
                    let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
                    _ = try await database.records(matching: all)
                },
            ]
            for call in calls {
                let error = await #expect(throws: CKError.self) { try await call() }
                #expect(error?.code == .notAuthenticated)
            }
        }
    }

    @Test func `for one item throws the item's own error`() async throws {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let database = container.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            try await database.save(note("a", title: "a"))
            let absent = CKRecordZone.ID(zoneName: "Absent")
            let nowhere = try #require(URL(string: "\(phones.cloud.url)/share/0unknown"))
            let calls: [(CKError.Code, () async throws -> Void)] = [
                (.unknownItem, { try await database.record(for: noteID("b")) }),
                (.serverRecordChanged, { try await database.save(note("a", title: "again")) }),
                (.zoneNotFound, { try await database.save(note("a", in: absent)) }),
                (.zoneNotFound, { try await database.deleteRecord(withID: noteID("a", in: absent)) }),
                (.zoneNotFound, { try await database.recordZone(for: absent) }),
                (.zoneNotFound, { try await database.deleteRecordZone(withID: absent) }),
                (.unknownItem, { try await database.subscription(for: "none") }),
                (.unknownItem, { try await container.shareMetadata(for: nowhere) }),
            ]
            for (code, call) in calls {
                let error = await #expect(throws: CKError.self) { try await call() }
                #expect(error?.code == code)
            }
        }
    }

    @Test func `with a handler hands over a value or an error, never both, off the main thread`() async throws {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let database = container.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            try await database.save(note("a", title: "a"))
            let log = Log()
            func handler<Value>(_ done: CheckedContinuation<Void, Never>) -> (Value?, (any Error)?) -> Void {
                { value, error in
                    log.add("\(value != nil) \(error != nil) \(Thread.isMainThread)")
                    done.resume()
                }
            }
            await withCheckedContinuation { database.fetch(withRecordID: noteID("a"), completionHandler: handler($0)) }
            await withCheckedContinuation { database.fetch(withRecordID: noteID("b"), completionHandler: handler($0)) }
            await withCheckedContinuation { database.save(note("a"), completionHandler: handler($0)) }
            await withCheckedContinuation { database.save(note("c"), completionHandler: handler($0)) }
            await withCheckedContinuation { database.fetchAllRecordZones(completionHandler: handler($0)) }
            await withCheckedContinuation { container.fetchUserRecordID(completionHandler: handler($0)) }
            let (good, bad) = ("true false false", "false true false")
            #expect(log.all == [good, bad, bad, good, good, good])
        }
    }

    @available(*, deprecated)
    @Test func `of the old queries gives the first batch only`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            for batch in 0..<2 {
                _ = try await database.modifyRecords(
                    saving: (0..<150).map { note("n\(batch) \($0)") }, deleting: [])
            }
            let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            #expect(try await database.perform(all, inZoneWith: notes).count == 200)
            let (records, error) = await withCheckedContinuation { done in
                database.perform(all, inZoneWith: notes) { done.resume(returning: ($0?.count, $1 as? CKError)) }
            }
            #expect(records == 200 && error == nil)
        }
    }

    @Test func `in configuredWith has its configuration, and the body's value and error come out`() async throws {
        struct Stop: Error {}
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let configuration = CKOperation.Configuration()
            configuration.timeoutIntervalForRequest = 5
            let zones = try await container.privateCloudDatabase.configuredWith(configuration: configuration) {
                try await $0.allRecordZones().count
            }
            #expect(zones == 1)
            let scope = container.configuredWith(group: CKOperationGroup()) { $0.privateCloudDatabase.databaseScope }
            #expect(scope == .private)
            #expect(throws: Stop.self) {
                try container.privateCloudDatabase.configuredWith(configuration: configuration) { _ in throw Stop() }
            }
        }
    }
}
