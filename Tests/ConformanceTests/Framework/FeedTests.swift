import CloudKit
import CloudTestSupport
import Testing

@Suite struct `Following changes` {
    @Test(arguments: CloudSetUp.available)
    func `a query pages by cursor in its order, and a cursor survives coding`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
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
    }

    @Test(arguments: CloudSetUp.available)
    func `change tokens tell each record once, in its current state, and deletions with their type`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
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
    }

    @Test(arguments: CloudSetUp.available)
    func `the database's changes name changed and deleted zones, a foreign token has expired`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            try await phone.save(CKRecordZone(zoneID: notes))
            let start = try await phone.databaseChanges(since: nil)
            #expect(start.modifications.map(\.zoneID) == [notes])
            try await phone.deleteRecordZone(withID: notes)
            let next = try await phone.databaseChanges(since: start.changeToken)
            #expect(next.deletions.map(\.zoneID) == [notes])
            let other = try await phones.database("bob@example.com")
            let error = await #expect(throws: CKError.self) {
                try await other.databaseChanges(since: start.changeToken)
            }
            #expect(error?.code == .changeTokenExpired)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `the change operations loop over all pages`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
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
    }

    @Test(.timeLimit(.minutes(5)), arguments: CloudSetUp.available)
    func `a subscription tells the other device of each change, and not the one that made it`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
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
    }

    @Test(arguments: CloudSetUp.available)
    func `a subscription saved again is kept once, a missing one is unknown`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
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

    @Test(arguments: CloudSetUp.available)
    func `one operation delivers five hundred records with tokens on the way, or one page and a token for the next`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let names = (0..<500).map { "n\($0)" }
            for batch in [names[..<400], names[400...]] {
                let saved = try await phone.modifyRecords(saving: batch.map { note($0, title: "t") }, deleting: [])
                #expect(saved.saveResults.failures().isEmpty)
            }
            let whole = try await pages(of: phone, since: nil, fetchAll: true)
            #expect(whole.names == names)
            #expect(whole.tokens > 0 && !whole.moreComing)

            let first = try await pages(of: phone, since: nil, fetchAll: false)
            #expect(first.moreComing && first.tokens == 0)
            #expect(first.names == Array(names.prefix(first.names.count)) && first.names.count < 500)
            let rest = try await pages(of: phone, since: first.token, fetchAll: true)
            #expect(first.names + rest.names == names)
        }
    }

    private struct Pages {
        var names: [String] = []
        var tokens = 0
        var moreComing = false
        var token: CKServerChangeToken?
    }

    private func pages(of database: CKDatabase, since token: CKServerChangeToken?, fetchAll: Bool) async throws
        -> Pages
    {
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [notes], configurationsByRecordZoneID: [notes: .init(previousServerChangeToken: token)])
        operation.fetchAllChanges = fetchAll
        nonisolated(unsafe) var pages = Pages()  // written on the operation's serial queue only
        operation.recordWasChangedBlock = { id, _ in pages.names.append(id.recordName) }
        operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in if token != nil { pages.tokens += 1 } }
        operation.recordZoneFetchResultBlock = { _, result in
            guard case .success(let end) = result else { return }
            pages.token = end.serverChangeToken
            pages.moreComing = end.moreComing
        }
        return try await withCheckedThrowingContinuation { continuation in
            operation.fetchRecordZoneChangesResultBlock = { continuation.resume(with: $0.map { pages }) }
            database.add(operation)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `what is written by a clock set back, or in the same millisecond, is not missed`(on setUp: CloudSetUp)
        async throws
    {
        let clock = ManualClock(step: 0)
        try await setUp.withPhones(clock: clock) { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let changed = try await phone.save(note("changed", title: "one"))
            try await tablet.save(note("deleted", title: "one"))
            let start = try await tablet.follow(since: nil)
            #expect(Set(start.changed) == ["changed", "deleted"])
            clock.advance(milliseconds: -3_600_000)
            let before = try #require(changed.modificationDate)
            changed["title"] = "two"
            let saved = try await phone.save(changed)
            try await phone.deleteRecord(withID: noteID("deleted"))
            #expect(saved.modificationDate == before.addingTimeInterval(-3600))
            let next = try await tablet.follow(since: start.token)
            #expect(next.changed == ["changed"] && next.deleted == ["deleted"])
            try await phone.save(note("late", title: "three"))
            #expect(try await tablet.follow(since: next.token).changed == ["late"])
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `with an expired token for one zone delivers the other, and the first whole without a token`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let other = CKRecordZone.ID(zoneName: "Other")
            try await phone.save(CKRecordZone(zoneID: other))
            for zone in [notes, other] { try await phone.save(note("old", title: "one", in: zone)) }
            let old = try await phone.follow(notes, since: nil).token
            let good = try await phone.follow(other, since: nil).token
            // The zone is made anew: its old history is gone.
            try await phone.deleteRecordZone(withID: notes)
            try await phone.save(CKRecordZone(zoneID: notes))
            for zone in [notes, other] { try await phone.save(note("new", title: "two", in: zone)) }

            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [notes, other],
                configurationsByRecordZoneID: [
                    notes: .init(previousServerChangeToken: old), other: .init(previousServerChangeToken: good),
                ])
            // Both are written on the operation's serial queue only.
            nonisolated(unsafe) var names: [String] = []
            nonisolated(unsafe) var codes: [CKRecordZone.ID: CKError.Code?] = [:]
            operation.recordWasChangedBlock = { id, _ in names.append("\(id.zoneID.zoneName)/\(id.recordName)") }
            operation.recordZoneFetchResultBlock = { zone, result in codes[zone] = .some(result.code) }
            let isWhole = await withCheckedContinuation { continuation in
                operation.fetchRecordZoneChangesResultBlock = { continuation.resume(returning: $0.isSuccess) }
                phone.add(operation)
            }
            #expect(isWhole && names == ["Other/new"])
            #expect(codes == [notes: .changeTokenExpired, other: nil])
            let error = await #expect(throws: CKError.self) {
                try await phone.recordZoneChanges(inZoneWith: notes, since: old)
            }
            #expect(error?.code == .changeTokenExpired)
            #expect(try await phone.follow(notes, since: nil).changed == ["new"])
        }
    }
}
