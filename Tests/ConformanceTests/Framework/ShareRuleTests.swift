import CloudCore
import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `What is shared` {
    @Test func `is a root once: not again, not above and not below another one, but beside it`() async throws {
        try await withTwo(quick) { owner, _ in
            let database = owner.privateCloudDatabase
            let top = try await database.save(note("top"))
            func child(_ name: String) -> CKRecord {
                let record = note(name)
                record.setParent(top)
                return record
            }
            let (root, sibling) = (child("root"), child("sibling"))
            let leaf = note("leaf")
            leaf.setParent(root)
            _ = try await database.modifyRecords(saving: [root, sibling, leaf], deleting: [])
            func share(_ name: String) async throws -> CKError.Code? {
                let record = try await database.record(for: noteID(name))
                let share = CKShare(rootRecord: record)
                let results = try await database.modifyRecords(saving: [record, share], deleting: [])
                return results.saveResults[share.recordID]?.code
            }
            #expect(try await share("root") == nil)
            for name in ["root", "top", "leaf"] {
                #expect(try await share(name) == .alreadyShared, "\(name)")
            }
            #expect(try await share("sibling") == nil)
        }
    }

    @Test func `as a whole zone is so once, and not beside shared trees in it`() async throws {
        try await withTwo(quick) { owner, _ in
            let database = owner.privateCloudDatabase
            try await database.save(CKShare(recordZoneID: notes))
            #expect(try await database.result(of: CKShare(recordZoneID: notes))?.code == .serverRecordChanged)
            let root = note("root")
            let tree = CKShare(rootRecord: root)
            let inside = try await database.modifyRecords(saving: [root, tree], deleting: [])
            #expect(inside.saveResults[tree.recordID]?.code == .serverRejectedRequest)

            let other = CKRecordZone.ID(zoneName: "Other")
            try await database.save(CKRecordZone(zoneID: other))
            let shared = note("root", in: other)
            _ = try await database.modifyRecords(saving: [shared, CKShare(rootRecord: shared)], deleting: [])
            #expect(try await database.result(of: CKShare(recordZoneID: other))?.code == .invalidArguments)
        }
    }

    @Test func `lies in a custom zone of the private database`() async throws {
        try await withTwo(quick) { owner, _ in
            for database in [owner.privateCloudDatabase, owner.publicCloudDatabase] {
                let root = note("root", in: .default)
                let share = CKShare(rootRecord: root)
                let results = try await database.modifyRecords(saving: [root, share], deleting: [])
                let code = results.saveResults[share.recordID]?.code
                #expect(code == (database.databaseScope == .public ? .badDatabase : .invalidArguments))
            }
        }
    }

    @Test func `has its share in the root's zone, or the process ends`() async {
        await #expect(processExitsWith: .failure) {
            _ = CKShare(
                rootRecord: CKRecord(recordType: "Note", zoneID: CKRecordZone.ID(zoneName: "A")),
                shareID: CKRecord.ID(recordName: "s", zoneID: CKRecordZone.ID(zoneName: "B")))
        }
    }

    @Test func `follows parents, not references, and not the parent of the root`() async throws {
        try await withTwo(quick) { owner, friend in
            let database = owner.privateCloudDatabase
            let top = try await database.save(note("top"))
            let root = note("root")
            root.setParent(top)
            let share = CKShare(rootRecord: root)
            share.publicPermission = .readOnly
            _ = try await database.modifyRecords(saving: [root, share], deleting: [])
            let (below, beside) = (note("below"), note("beside"))
            below.setParent(root)
            beside["root"] = CKRecord.Reference(record: root, action: .deleteSelf)
            _ = try await database.modifyRecords(saving: [below, beside], deleting: [])
            try await join(friend, share)
            let zone = try #require(try await friend.sharedCloudDatabase.allRecordZones().first?.zoneID)
            let seen = try await friend.sharedCloudDatabase.recordZoneChanges(inZoneWith: zone, since: nil)
            let names = Set(seen.modificationResultsByID.keys.map(\.recordName))
            #expect(names == ["root", "below", share.recordID.recordName])
        }
    }

    @Test func `again after its share ended needs the root as it is now, or changedKeys`() async throws {
        try await withTwo(quick) { owner, _ in
            let database = owner.privateCloudDatabase
            let (share, root) = try await shareTree(owner)
            let children = (0..<95).map { number in
                let child = note("child\(number)")
                child.setParent(root)
                return child
            }
            _ = try await database.modifyRecords(saving: children, deleting: [])
            let cached = try #require(root.copy() as? CKRecord)
            try await database.deleteRecord(withID: share.recordID)

            let again = CKShare(rootRecord: cached)
            cached["title"] = "again"
            let refused = try await database.modifyRecords(saving: [cached, again] + children, deleting: [])
            #expect(refused.saveResults[cached.recordID]?.code == .serverRecordChanged)
            let others = refused.saveResults.filter { $0.key != cached.recordID }
            #expect(Set(others.failures().values) == [.batchRequestFailed] && others.count == 96)
            #expect(try await database.record(for: root.recordID).share == nil)

            let fresh = try await database.record(for: root.recordID)
            let accepted = CKShare(rootRecord: fresh)
            let saved = try await database.modifyRecords(saving: [fresh, accepted] + children, deleting: [])
            #expect(saved.saveResults.failures().isEmpty)
            #expect(accepted.url == share.url)

            try await database.deleteRecord(withID: accepted.recordID)
            let forced = CKShare(rootRecord: cached)
            let overwritten = try await database.modifyRecords(
                saving: [cached, forced], deleting: [], savePolicy: .changedKeys)
            #expect(overwritten.saveResults.failures().isEmpty)
        }
    }
}

@Suite struct `A participant's rights` {
    @Test func `reach to deleting and changing what is shared, but not to the root among other changes`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, root) = try await shareTree(owner)
            let other = note("other", title: "old")
            other.setParent(root)
            try await owner.privateCloudDatabase.save(other)
            try await join(friend, share)
            let database = friend.sharedCloudDatabase
            let zone = try #require(try await database.allRecordZones().first?.zoneID)
            let edited = try await database.record(for: noteID("other", in: zone))
            edited["title"] = "new"
            let results = try await database.modifyRecords(
                saving: [edited], deleting: [noteID("leaf", in: zone), noteID("root", in: zone)], atomically: false)
            #expect(results.saveResults.failures().isEmpty)
            #expect(results.deleteResults.failures() == [noteID("root", in: zone): .permissionFailure])
            // For the copy that was removed on the device already.
            let seen = try await database.records(for: ["root", "leaf", "other"].map { noteID($0, in: zone) })
            #expect(seen.failures() == [noteID("leaf", in: zone): .unknownItem])
        }
    }

    @Test func `end with the share and the root: the zone is told as deleted, and no record is read`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, root) = try await shareTree(owner)
            try await join(friend, share)
            let database = friend.sharedCloudDatabase
            let zone = try #require(try await database.allRecordZones().first?.zoneID)
            let before = try await database.databaseChanges(since: nil).changeToken
            let token = try await database.recordZoneChanges(inZoneWith: zone, since: nil).changeToken
            let gone = try await owner.privateCloudDatabase.modifyRecords(
                saving: [], deleting: [share.recordID, root.recordID, noteID("leaf")])
            #expect(gone.deleteResults.failures().isEmpty)
            let changes = try await database.databaseChanges(since: before)
            #expect(changes.deletions.map(\.zoneID) == [zone] && changes.modifications.isEmpty)
            let error = await #expect(throws: CKError.self) {
                try await database.recordZoneChanges(inZoneWith: zone, since: token)
            }
            #expect(error?.code == .zoneNotFound)
            let stale = try await database.records(for: [noteID("leaf", in: zone)])
            #expect(stale.failures() == [noteID("leaf", in: zone): .zoneNotFound])
        }
    }

    @Test func `to add a record need a parent in the tree, in a whole zone none`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, _) = try await shareTree(owner)
            let hidden = try await owner.privateCloudDatabase.save(note("hidden"))
            try await join(friend, share)
            let database = friend.sharedCloudDatabase
            let zone = try #require(try await database.allRecordZones().first?.zoneID)
            func add(_ name: String, below parent: String?) async throws -> CKError.Code? {
                let record = note(name, in: zone)
                record.setParent(parent.map { noteID($0, in: zone) })
                return try await database.result(of: record)?.code
            }
            #expect(try await add("a", below: nil) == .permissionFailure)
            #expect(try await add("b", below: "leaf") == nil)
            let unseen = try await add("c", below: hidden.recordID.recordName)
            #expect(unseen == .permissionFailure || unseen == .referenceViolation, "\(unseen as Any)")
        }
        try await withTwo(quick) { owner, friend in
            let share = CKShare(recordZoneID: notes)
            share.publicPermission = .readWrite
            try await owner.privateCloudDatabase.save(share)
            try await join(friend, share)
            let zone = try #require(try await friend.sharedCloudDatabase.allRecordZones().first?.zoneID)
            try await friend.sharedCloudDatabase.save(note("free", in: zone))
        }
    }
}

@Suite struct `A save over the quota` {
    @Test func `is quotaExceeded, its child alone a referenceViolation, both together quotaExceeded`() async throws {
        var limits = CloudLimits()
        limits.privateDatabaseBytes = 100_000
        try await quick.withCloud(limits: limits) { cloud in
            let database = try await Phones(cloud: cloud).databaseWithNotes()
            let parent = note("parent", title: String(repeating: "x", count: 200_000))
            let child = note("child")
            child.setParent(parent)
            #expect(try await database.result(of: parent)?.code == .quotaExceeded)
            #expect(try await database.result(of: child)?.code == .referenceViolation)
            let names = try await database.follow(since: nil).changed
            #expect(names.isEmpty)
            let both = try await database.modifyRecords(saving: [parent, child], deleting: [])
            #expect(
                both.saveResults.failures() == [parent.recordID: .quotaExceeded, child.recordID: .quotaExceeded])
        }
    }
}
