import CloudKit
import CloudTestSupport
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `The rules of subscriptions` {
    private func query(_ id: String, _ options: CKQuerySubscription.Options = .firesOnRecordCreation)
        -> CKQuerySubscription
    {
        CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: id, options: options)
    }

    @Test func `an ID is the app's or fresh, and not empty`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            #expect(CKDatabaseSubscription().subscriptionID != CKDatabaseSubscription().subscriptionID)
            #expect(CKDatabaseSubscription(subscriptionID: "mine").subscriptionID == "mine")
            let empty = CKDatabaseSubscription(subscriptionID: "")
            let error = await #expect(throws: CKError.self) { try await database.save(empty) }
            #expect(error?.code == .invalidArguments)
        }
    }

    @Test func `one that fires on nothing is refused`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            for options in [[], .firesOnce] as [CKQuerySubscription.Options] {
                let error = await #expect(throws: CKError.self) { try await database.save(query("q", options)) }
                #expect(error?.code == .invalidArguments)
            }
        }
    }

    @Test func `deleting an unknown one is an error, fetching it unknownItem`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let deleted = await #expect(throws: CKError.self) { try await database.deleteSubscription(withID: "none") }
            let fetched = await #expect(throws: CKError.self) { try await database.subscription(for: "none") }
            #expect([deleted?.code, fetched?.code] == [.unknownItem, .unknownItem])
        }
    }

    @Test func `belong to one user, on all devices`() async throws {
        try await quick.withPhones { phones in
            try await phones.database().save(CKDatabaseSubscription(subscriptionID: "s"))
            #expect(try await phones.database().allSubscriptions().map(\.subscriptionID) == ["s"])
            #expect(try await phones.database("bob@example.com").allSubscriptions().isEmpty)
        }
    }

    @Test func `need no notification info, which then is silent, and say little by default`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let silent = CKDatabaseSubscription(subscriptionID: "s")
            #expect(silent.notificationInfo == nil && silent.recordType == nil)
            try await database.save(silent)
            let info = CKSubscription.NotificationInfo()
            #expect(!info.shouldBadge && !info.shouldSendContentAvailable && !info.shouldSendMutableContent)
            #expect(info.alertBody == nil && info.title == nil && info.soundName == nil && info.desiredKeys == nil)
            #expect(CKSubscription.NotificationInfo(alertBody: "x").desiredKeys == [])
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `of zones and databases leave the default zone out`() async throws {
        try await quick.withPhones { phones in
            let device = try await phones.device()
            let tablet = Phones.container(on: device).privateCloudDatabase
            let phone = try await phones.databaseWithNotes()
            let zone = CKRecordZoneSubscription(zoneID: CKRecordZone.ID.default, subscriptionID: "z")
            let error = await #expect(throws: CKError.self) { try await tablet.save(zone) }
            #expect(error?.code == .invalidArguments)
            try await tablet.save(CKDatabaseSubscription(subscriptionID: "whole"))
            try await tablet.save(query("default"))
            var pushes = device.notifications().makeAsyncIterator()
            try await phone.save(note("loose", in: .default))
            #expect(await pushes.next()?.subscriptionID == "default")
            try await phone.save(note("n"))
            var told: Set<String> = []
            while told.count < 2, let next = await pushes.next() { told.insert(next.subscriptionID ?? "") }
            #expect(told == ["default", "whole"])
        }
    }

    @Test func `ask for three fields at most`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let subscription = query("q")
            subscription.notificationInfo = CKSubscription.NotificationInfo(
                alertBody: "x", desiredKeys: ["a", "b", "c", "d"])
            let error = await #expect(throws: CKError.self) { try await database.save(subscription) }
            #expect(error?.code == .invalidArguments)
            subscription.notificationInfo?.desiredKeys = ["a", "b", "c"]
            let three = query("q")
            three.notificationInfo = CKSubscription.NotificationInfo(alertBody: "x", desiredKeys: ["a", "b", "c"])
            try await database.save(three)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `one that fires once goes with its first push, and a record type narrows the others`() async throws {
        try await quick.withPhones { phones in
            let device = try await phones.device()
            let tablet = Phones.container(on: device).privateCloudDatabase
            let phone = try await phones.databaseWithNotes()
            let narrow = CKDatabaseSubscription(subscriptionID: "narrow")
            narrow.recordType = "Todo"
            _ = try await tablet.modifySubscriptions(
                saving: [query("once", [.firesOnRecordCreation, .firesOnce]), narrow], deleting: [])
            var pushes = device.notifications().makeAsyncIterator()
            try await phone.save(note("a"))
            #expect(await pushes.next()?.subscriptionID == "once")
            #expect(try await tablet.allSubscriptions().map(\.subscriptionID) == ["narrow"])
            try await phone.save(note("b"))
            try await phone.save(CKRecord(recordType: "Todo", recordID: noteID("c")))
            #expect(await pushes.next()?.subscriptionID == "narrow", "nothing came of b")
        }
    }
}
