import CloudKit
import CloudTestSupport
import Testing

@Suite struct `A subscription` {
    private func query(_ id: String, _ predicate: NSPredicate = NSPredicate(value: true)) -> CKQuerySubscription {
        CKQuerySubscription(
            recordType: "Note", predicate: predicate, subscriptionID: id, options: [.firesOnRecordCreation])
    }

    @Test(arguments: CloudSetUp.available)
    func `of the same content under another ID is refused naming the first, on every device of the user`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            let tablet = try await phones.database()
            try await phone.save(query("s1"))
            for device in [phone, tablet] {
                let error = await #expect(throws: CKError.self) { try await device.save(query("s2")) }
                #expect(error?.code == .serverRejectedRequest)
                #expect(error?.localizedDescription.contains("s1") == true)
                try await device.save(query("s1"))
                #expect(try await device.allSubscriptions().map(\.subscriptionID) == ["s1"])
            }
            try await tablet.save(query("s1", NSPredicate(format: "title == 'x'")))
            // The old content is free again.
            try await phone.save(query("s2"))
            try await phone.deleteSubscription(withID: "s2")
            try await phone.save(query("s3"))
            #expect(Set(try await tablet.allSubscriptions().map(\.subscriptionID)) == ["s1", "s3"])
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `of a kind that its database does not take is refused at once, with the reason`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let device = try await phones.device()
            let container = Phones.container(on: device)
            try await container.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
            let kinds: [(String, @Sendable () -> CKSubscription, Set<CKDatabase.Scope>)] = [
                ("query", { self.query("q") }, [.private, .public]),
                ("zone", { CKRecordZoneSubscription(zoneID: notes, subscriptionID: "z") }, [.private]),
                ("database", { CKDatabaseSubscription(subscriptionID: "d") }, [.private, .shared]),
            ]
            for scope in [CKDatabase.Scope.private, .shared, .public] {
                for (kind, make, scopes) in kinds {
                    let database = container.database(with: scope)
                    if scopes.contains(scope) {
                        try await database.save(make())
                    } else {
                        let error = await #expect(throws: CKError.self) { try await database.save(make()) }
                        #expect(error?.code == .invalidArguments, "\(kind) in \(scope): \(error as Any)")
                        #expect(error?.localizedDescription.contains("subscriptions") == true)
                    }
                }
                let kept = try await database(scope, of: container)
                #expect(kept == kinds.filter { $0.2.contains(scope) }.map(\.0.first!.description).sorted())
            }
        }
    }

    private func database(_ scope: CKDatabase.Scope, of container: CKContainer) async throws -> [String] {
        try await container.database(with: scope).allSubscriptions().map(\.subscriptionID).sorted()
    }

    @Test(.timeLimit(.minutes(5)), arguments: CloudSetUp.available)
    func `becomes the notification of its kind, visible or silent, and tells what it was asked to`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let device = try await phones.device()
            let tablet = Phones.container(on: device).privateCloudDatabase
            let phone = try await phones.databaseWithNotes()
            let visible = query("visible")
            visible.zoneID = notes
            visible.notificationInfo = CKSubscription.NotificationInfo(
                alertBody: "New note", soundName: "bell", desiredKeys: ["title"])
            let zone = CKRecordZoneSubscription(zoneID: notes, subscriptionID: "zone")
            zone.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
            _ = try await tablet.modifySubscriptions(
                saving: [visible, zone, CKDatabaseSubscription(subscriptionID: "database")], deleting: [])
            var stream = device.notifications().makeAsyncIterator()
            try await phone.save(note("a", title: "bread"))
            var byID: [String: CKNotification] = [:]
            while byID.count < 3, let next = await stream.next() { byID[next.subscriptionID ?? ""] = next }

            let told = try #require(byID["visible"] as? CKQueryNotification)
            #expect(told.notificationType == .query && told.databaseScope == .private)
            #expect(told.recordID == noteID("a") && told.queryNotificationReason == .recordCreated)
            #expect(told.recordFields?["title"] as? String == "bread")
            #expect(told.alertBody == "New note" && told.soundName == "bell")
            let silent = try #require(byID["zone"] as? CKRecordZoneNotification)
            #expect(silent.notificationType == .recordZone && silent.databaseScope == .private)
            #expect(silent.recordZoneID == notes && silent.alertBody == nil)
            let whole = try #require(byID["database"] as? CKDatabaseNotification)
            #expect(whole.notificationType == .database && whole.databaseScope == .private)
            #expect(byID.values.allSatisfy { $0.containerIdentifier == TestCloud.container })
        }
    }
}
