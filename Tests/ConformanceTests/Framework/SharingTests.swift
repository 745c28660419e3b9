import CloudCore
import CloudKit
import CloudTestSupport
import Testing

private let quick = CloudSetUp(way: .inProcess, storage: .memory)

@Suite struct `A share of a tree` {
    @Test(arguments: CloudSetUp.available)
    func `has an address, its owner and its participants once it is saved with its root`(on setUp: CloudSetUp)
        async throws
    {
        try await withTwo(setUp) { owner, _ in
            let root = note("root")
            let unsaved = CKShare(rootRecord: root)
            #expect(unsaved.url == nil)
            #expect(root.share?.recordID == unsaved.recordID)
            #expect(unsaved.owner.role == .owner && unsaved.owner.acceptanceStatus == .accepted)
            let (share, saved) = try await shareTree(owner)
            #expect(share.url?.path.hasPrefix("/share/") == true)
            #expect(share.participants.map(\.role) == [.owner, .privateUser])
            #expect(share.participants.map(\.acceptanceStatus) == [.accepted, .pending])
            #expect(share.participants.map(\.permission) == [.readWrite, .readWrite])
            #expect(share.currentUserParticipant?.role == .owner)
            let fetched = try #require(
                try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            #expect(fetched.url == share.url)
            #expect(fetched.participants.map(\.participantID) == share.participants.map(\.participantID))
            #expect(fetched[CKShare.SystemFieldKey.title] as? String == "Our trip")
            let other = try await owner.privateCloudDatabase.record(for: saved.recordID)
            #expect(other.share?.recordID == share.recordID)
            #expect(other.recordChangeTag == saved.recordChangeTag)
        }
    }

    @Test func `that is deleted along with a save of its root leaves the root without it`() async throws {
        try await withTwo(quick) { owner, _ in
            let database = owner.privateCloudDatabase
            let (share, root) = try await shareTree(owner)
            #expect(root.share?.recordID == share.recordID)
            let results = try await database.modifyRecords(saving: [root], deleting: [share.recordID])
            #expect(try results.saveResults[root.recordID]?.get().share == nil)
            #expect(results.deleteResults.failures().isEmpty && root.share == nil)
        }
    }

    @Test func `cannot be saved without its root`() async throws {
        try await withTwo(quick) { owner, _ in
            let root = try await owner.privateCloudDatabase.save(note("root"))
            let share = CKShare(rootRecord: root)
            let result = await #expect(throws: CKError.self) { try await owner.privateCloudDatabase.save(share) }
            #expect(result?.code == .invalidArguments)
            #expect(result?.localizedDescription.contains("root") == true)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `shows a participant the tree in a zone of the owner's name, and only after accepting`(on setUp: CloudSetUp)
        async throws
    {
        try await withTwo(setUp) { owner, friend in
            try await owner.privateCloudDatabase.save(note("secret"))
            let (share, _) = try await shareTree(owner)
            #expect(try await friend.sharedCloudDatabase.allRecordZones().isEmpty)
            let metadata = try await friend.shareMetadata(for: try #require(share.url))
            #expect(metadata.participantStatus == .pending)
            #expect(metadata.participantRole == .privateUser)
            #expect(metadata.participantPermission == .readWrite)
            #expect(metadata.containerIdentifier == TestCloud.container)
            #expect(metadata.hierarchicalRootRecordID?.recordName == "root")
            #expect(metadata.share[CKShare.SystemFieldKey.title] as? String == "Our trip")
            let accepted = try await friend.accept(metadata)
            #expect(accepted.currentUserParticipant?.acceptanceStatus == .accepted)
            let zone = try #require(try await friend.sharedCloudDatabase.allRecordZones().first?.zoneID)
            #expect(zone.zoneName == "Notes")
            #expect(zone.ownerName == (try await owner.userRecordID().recordName))
            let seen = try await friend.sharedCloudDatabase.follow(zone, since: nil)
            #expect(Set(seen.changed) == ["root", "leaf", share.recordID.recordName])
            let hidden = noteID("secret", in: zone)
            #expect(try await friend.sharedCloudDatabase.records(for: [hidden])[hidden]?.code == .unknownItem)
            #expect(try await friend.accept(metadata).recordID.recordName == share.recordID.recordName)
        }
    }

    @Test func `lets a writer change and add below the root, and nothing beside it`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, root) = try await shareTree(owner)
            try await join(friend, share)
            let database = friend.sharedCloudDatabase
            let zone = try #require(try await database.allRecordZones().first?.zoneID)
            let leaf = try await database.record(for: noteID("leaf", in: zone))
            leaf["title"] = "Day one"
            try await database.save(leaf)
            let more = note("more", title: "Day 2", in: zone)
            more.setParent(CKRecord.ID(recordName: root.recordID.recordName, zoneID: zone))
            try await database.save(more)
            let stray = note("stray", in: zone)
            #expect(try await database.result(of: stray)?.code == .permissionFailure)
            let mine = try await owner.privateCloudDatabase.records(for: [noteID("leaf"), noteID("more")])
            #expect(mine.values.compactMap { (try? $0.get())?["title"] as? String }.sorted() == ["Day 2", "Day one"])
        }
    }

    @Test func `counts what a writer saves towards the owner's quota`() async throws {
        var limits = CloudLimits()
        limits.privateDatabaseBytes = 4000
        try await quick.withCloud(limits: limits) { cloud in
            let phones = Phones(cloud: cloud)
            let owner = Phones.container(on: try await phones.device("alice@example.com"))
            let friend = Phones.container(on: try await phones.device("bob@example.com"))
            try await owner.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
            let (share, root) = try await shareTree(owner)
            try await join(friend, share)
            let zone = try #require(try await friend.sharedCloudDatabase.allRecordZones().first?.zoneID)
            var codes: [CKError.Code?] = []
            for number in 0..<4 {
                let record = note("n\(number)", title: String(repeating: "x", count: 1000), in: zone)
                record.setParent(CKRecord.ID(recordName: root.recordID.recordName, zoneID: zone))
                do {
                    try await friend.sharedCloudDatabase.save(record)
                    codes.append(nil)
                } catch { codes.append((error as? CKError)?.code) }
            }
            #expect(codes.first == .some(nil) && codes.last == .quotaExceeded)
        }
    }

    @Test func `lets a reader read and nothing else`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, _) = try await shareTree(owner, permission: .readOnly)
            try await join(friend, share)
            let zone = try #require(try await friend.sharedCloudDatabase.allRecordZones().first?.zoneID)
            let leaf = try await friend.sharedCloudDatabase.record(for: noteID("leaf", in: zone))
            leaf["title"] = "changed"
            #expect(try await friend.sharedCloudDatabase.result(of: leaf)?.code == .permissionFailure)
        }
    }

    @Test func `takes a changed permission and a removed participant with its next save`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, _) = try await shareTree(owner, permission: .readOnly)
            try await join(friend, share)
            let current = try #require(try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            current.participants[1].permission = .readWrite
            try await owner.privateCloudDatabase.save(current)
            let zone = try #require(try await friend.sharedCloudDatabase.allRecordZones().first?.zoneID)
            let leaf = try await friend.sharedCloudDatabase.record(for: noteID("leaf", in: zone))
            leaf["title"] = "changed"
            try await friend.sharedCloudDatabase.save(leaf)
            current.removeParticipant(current.participants[1])
            try await owner.privateCloudDatabase.save(current)
            #expect(try await friend.sharedCloudDatabase.allRecordZones().isEmpty)
            #expect(
                try await friend.sharedCloudDatabase.records(for: [leaf.recordID])[leaf.recordID]?.code
                    == .zoneNotFound)
        }
    }

    @Test func `keeps the objects of its participants through a save, and changes made while it runs`() async throws {
        try await withTwo(quick) { owner, _ in
            let (share, _) = try await shareTree(owner, permission: .readOnly)
            let bob = share.participants[1]
            bob.permission = .readWrite
            share[CKShare.SystemFieldKey.title] = "Renamed"
            async let saving = owner.privateCloudDatabase.save(share)
            share.addParticipant(try await owner.shareParticipant(forEmailAddress: "eve@example.com"))
            _ = try await saving
            #expect(share.participants[1] === bob && bob.permission == .readWrite)
            try await owner.privateCloudDatabase.save(share)
            let fetched = try #require(try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            #expect(fetched.participants.count == 3)
            #expect(fetched.participants[1].permission == .readWrite)
        }
    }

    @Test func `is left by its participant and ended by its owner by deleting it`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, root) = try await shareTree(owner)
            try await join(friend, share)
            let zone = try #require(try await friend.sharedCloudDatabase.allRecordZones().first?.zoneID)
            try await friend.sharedCloudDatabase.deleteRecord(
                withID: CKRecord.ID(recordName: share.recordID.recordName, zoneID: zone))
            #expect(try await friend.sharedCloudDatabase.allRecordZones().isEmpty)
            let rest = try #require(try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            #expect(rest.participants.count == 1 || rest.participants[1].acceptanceStatus != .accepted)
            try await owner.privateCloudDatabase.deleteRecord(withID: share.recordID)
            let alone = try await owner.privateCloudDatabase.record(for: root.recordID)
            #expect(alone.share == nil)
            let again = CKShare(rootRecord: alone)
            let saved = try await owner.privateCloudDatabase.modifyRecords(saving: [alone, again], deleting: [])
            #expect(saved.saveResults.failures().isEmpty)
            #expect(again.url == share.url)
        }
    }

    @Test func `is handed to anybody by a one-time address, once`() async throws {
        try await quick.withPhones { phones in
            let owner = Phones.container(on: try await phones.device("alice@example.com"))
            let bob = Phones.container(on: try await phones.device("bob@example.com"))
            let eve = Phones.container(on: try await phones.device("eve@example.com"))
            try await owner.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
            let root = note("root")
            let share = CKShare(rootRecord: root)
            let guest = CKShare.Participant.oneTimeURLParticipant()
            share.addParticipant(guest)
            #expect(share.oneTimeURL(for: guest.participantID) == nil)
            _ = try await owner.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
            let address = try #require(share.oneTimeURL(for: guest.participantID))
            try await bob.accept(try await bob.shareMetadata(for: address))
            #expect(try await bob.sharedCloudDatabase.allRecordZones().count == 1)
            await #expect(throws: CKError.self) { try await eve.accept(try await eve.shareMetadata(for: address)) }
            #expect(try await eve.sharedCloudDatabase.allRecordZones().isEmpty)
        }
    }
}

@Suite struct `A share of a zone` {
    @Test(arguments: CloudSetUp.available)
    func `with a public permission is joined by its address and read with queries`(on setUp: CloudSetUp) async throws {
        try await withTwo(setUp) { owner, friend in
            try await owner.privateCloudDatabase.save(note("one", title: "One"))
            let share = CKShare(recordZoneID: notes)
            share.publicPermission = .readOnly
            let saved = try #require(try await owner.privateCloudDatabase.save(share) as? CKShare)
            #expect(saved.recordID.recordName == CKRecordNameZoneWideShare)
            try await join(friend, saved)
            let zone = try #require(try await friend.sharedCloudDatabase.allRecordZones().first?.zoneID)
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            let found = try await friend.sharedCloudDatabase.records(matching: query, inZoneWith: zone)
            #expect(titles(found.matchResults) == ["One"])
            let mine = try #require(
                try await friend.sharedCloudDatabase.record(
                    for: CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: zone)) as? CKShare)
            #expect(mine.currentUserParticipant?.role == .publicUser)
            #expect(mine.owner.userIdentity.userRecordID?.recordName == zone.ownerName)
            #expect(try await owner.privateCloudDatabase.recordZone(for: notes).share?.recordID == saved.recordID)
        }
    }

    @Test func `that nobody may join says so, and an unknown address leads nowhere`() async throws {
        try await withTwo(quick) { owner, friend in
            let saved = try #require(
                try await owner.privateCloudDatabase.save(CKShare(recordZoneID: notes)) as? CKShare)
            let url = try #require(saved.url)
            await #expect(throws: CKError.self) { try await friend.shareMetadata(for: url) }
            let unknown = url.deletingLastPathComponent().appendingPathComponent("0nothing")
            let error = await #expect(throws: CKError.self) { try await friend.shareMetadata(for: unknown) }
            #expect(error?.code == .unknownItem)
        }
    }
}
