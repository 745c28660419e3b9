import CloudKit
import CloudTestSupport
import Testing

@Suite struct `Following changes` {
    let phones: Phones
    init() throws { phones = try Phones() }

    @Test func `a query pages by cursor in its order, and a cursor survives coding`() async throws {
        let phone = try await phones.database()
        try await phone.save(CKRecordZone(zoneID: notes))
        let records = (1...5).map { note("n\($0)", title: "t\($0)") }
        _ = try await phone.modifyRecords(saving: records, deleting: [])
        let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
        query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
        let first = try await phone.records(matching: query, inZoneWith: notes, resultsLimit: 3)
        #expect(titles(first.matchResults) == ["t5", "t4", "t3"])
        let cursor = try #require(first.queryCursor)
        let data = try NSKeyedArchiver.archivedData(withRootObject: cursor, requiringSecureCoding: true)
        let again = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQueryOperation.Cursor.self, from: data))
        let second = try await phone.records(continuingMatchFrom: again, resultsLimit: 3)
        #expect(titles(second.matchResults) == ["t2", "t1"])
        #expect(second.queryCursor == nil)
    }

    @Test func `change tokens tell each record once, in its current state, and deletions with their type`()
        async throws
    {
        let phone = try await phones.database()
        let tablet = try await phones.database()
        try await phone.save(CKRecordZone(zoneID: notes))
        let a = try await phone.save(note("a", title: "one"))
        try await phone.save(note("b", title: "two"))
        let start = try await tablet.recordZoneChanges(inZoneWith: notes, since: nil)
        #expect(start.modificationResultsByID.count == 2)
        a["title"] = "three"
        try await phone.save(a)
        try await phone.deleteRecord(withID: CKRecord.ID(recordName: "b", zoneID: notes))
        let next = try await tablet.recordZoneChanges(inZoneWith: notes, since: start.changeToken)
        let changed = try #require(try next.modificationResultsByID[a.recordID]?.get())
        #expect(changed.record["title"] as? String == "three")
        #expect(next.modificationResultsByID.count == 1)
        #expect(next.deletions.map(\.recordID.recordName) == ["b"])
        #expect(next.deletions.first?.recordType == "Note")
        #expect(!next.moreComing)
    }

    @Test func `the database's changes name changed and deleted zones, a foreign token has expired`() async throws {
        let phone = try await phones.database()
        try await phone.save(CKRecordZone(zoneID: notes))
        let start = try await phone.databaseChanges(since: nil)
        #expect(start.modifications.map(\.zoneID) == [notes])
        try await phone.deleteRecordZone(withID: notes)
        let next = try await phone.databaseChanges(since: start.changeToken)
        #expect(next.deletions.map(\.zoneID) == [notes])
        let other = try await phones.database("bob@example.com")
        let error = await #expect(throws: CKError.self) { try await other.databaseChanges(since: start.changeToken) }
        #expect(error?.code == .changeTokenExpired)
    }

    @Test func `the change operations loop over all pages`() async throws {
        let phone = try await phones.database()
        try await phone.save(CKRecordZone(zoneID: notes))
        _ = try await phone.modifyRecords(saving: (1...5).map { note("n\($0)", title: "t") }, deleting: [])
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(resultsLimit: 2)
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [notes], configurationsByRecordZoneID: [notes: configuration])
        nonisolated(unsafe) var found: [String] = []  // written on the operation's serial queue only
        operation.recordWasChangedBlock = { id, _ in found.append(id.recordName) }
        operation.recordZoneChangeTokensUpdatedBlock = { _, _, _ in found.append("token") }
        let lines: [String] = await withCheckedContinuation { continuation in
            operation.fetchRecordZoneChangesResultBlock = { _ in continuation.resume(returning: found) }
            phone.add(operation)
        }
        #expect(lines.filter { $0 != "token" } == ["n1", "n2", "n3", "n4", "n5"])
        #expect(lines.filter { $0 == "token" }.count == 2)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a subscription tells the other device of each change, and not the one that made it`() async throws {
        let phoneDevice = try await phones.device("alice@example.com")
        let tabletDevice = try await phones.device("alice@example.com")
        let phone = Phones.container(on: phoneDevice).privateCloudDatabase
        let tablet = Phones.container(on: tabletDevice).privateCloudDatabase
        try await phone.save(CKRecordZone(zoneID: notes))
        try await tablet.save(
            CKQuerySubscription(
                recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "all",
                options: [.firesOnRecordCreation, .firesOnRecordUpdate]))
        // Sent before anybody listens: the log keeps it.
        try await phone.save(note("a", title: "one"))
        try await tablet.save(note("own", title: "mine"))
        var stream = tabletDevice.notifications().makeAsyncIterator()
        let first = try #require(await stream.next() as? CKQueryNotification)
        #expect(first.recordID?.recordName == "a")
        #expect(first.queryNotificationReason == .recordCreated)
        #expect(first.subscriptionID == "all")
        try await phone.save(note("b", title: "two"))
        let second = try #require(await stream.next() as? CKQueryNotification)
        #expect(second.recordID?.recordName == "b")
    }

    @Test func `a subscription saved again is kept once, a missing one is unknown`() async throws {
        let phone = try await phones.database()
        let subscription = CKDatabaseSubscription(subscriptionID: "db")
        try await phone.save(subscription)
        try await phone.save(subscription)
        #expect(try await phone.allSubscriptions().map(\.subscriptionID) == ["db"])
        try await phone.deleteSubscription(withID: "db")
        let error = await #expect(throws: CKError.self) { try await phone.subscription(for: "db") }
        #expect(error?.code == .unknownItem)
    }
}
