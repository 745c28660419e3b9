import CloudKit
import CloudTestSupport
import Foundation
import HTTPCore
import Testing

/// What apps see after the user erased what they had stored.
@Suite struct `A purge` {
    private func purge(_ email: String, at cloud: TestCloud) async throws {
        let json = #"""
            {"emailAddress":"\#(email)","container":"\#(TestCloud.container)","environment":"development"}
            """#
        let answer = await cloud.send(
            "POST", "/cumulet/1/admin/account-purge",
            headers: ["X-Cumulet-Admin": "test-secret", "Content-Type": "application/json"], body: Array(json.utf8))
        #expect(answer.status == 200, "\(answer)")
    }

    /// What the operation's blocks are called with.
    private func told(
        _ database: CKDatabase, since token: CKServerChangeToken, withPurgeBlock: Bool
    ) async -> (deleted: [CKRecordZone.ID], purged: [CKRecordZone.ID]) {
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        // Written on the operation's serial queue only, and read when it has called its last block.
        nonisolated(unsafe) var told: (deleted: [CKRecordZone.ID], purged: [CKRecordZone.ID]) = ([], [])
        operation.recordZoneWithIDWasDeletedBlock = { told.deleted.append($0) }
        if withPurgeBlock { operation.recordZoneWithIDWasPurgedBlock = { told.purged.append($0) } }
        operation.recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = { _ in
            Issue.record("there is nothing encrypted")
        }
        await withCheckedContinuation { continuation in
            operation.fetchDatabaseChangesResultBlock = {
                #expect($0.isSuccess)
                continuation.resume()
            }
            database.add(operation)
        }
        return told
    }

    @Test(arguments: CloudSetUp.available)
    func `is told as the reason of the zones' deletion, and saves are refused until the zone is made again`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let other = try await phones.databaseWithNotes("bob@example.com")
            let lists = CKRecordZone.ID(zoneName: "Lists")
            try await phone.save(CKRecordZone(zoneID: lists))
            try await phone.save(note("a", title: "one"))
            try await phone.save(CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "loose")))
            try await other.save(note("a", title: "his"))
            let start = try await phone.databaseChanges(since: nil).changeToken
            let inZone = try await phone.recordZoneChanges(inZoneWith: notes, since: nil).changeToken
            try await phone.deleteRecordZone(withID: lists)

            try await purge("alice@example.com", at: phones.cloud)

            let changes = try await phone.databaseChanges(since: start)
            #expect(changes.modifications.isEmpty)
            let reasons = Dictionary(uniqueKeysWithValues: changes.deletions.map { ($0.zoneID, $0.reason) })
            #expect(reasons == [notes: .purged, lists: .deleted])
            let both = await told(phone, since: start, withPurgeBlock: true)
            #expect(both.deleted == [lists] && both.purged == [notes])
            let all = await told(phone, since: start, withPurgeBlock: false)
            #expect(Set(all.deleted) == [lists, notes])

            let zones = try await phone.recordZones(for: [notes, lists])
            #expect(zones[notes]?.code == .userDeletedZone)
            #expect(zones[lists]?.code == .zoneNotFound)
            let saved = try await phone.result(of: note("b", title: "two"))
            #expect(saved?.code == .userDeletedZone, "\(saved as Any)")
            let found = try await phone.records(for: [noteID("a"), CKRecord.ID(recordName: "loose")])
            #expect(found[noteID("a")]?.code == .userDeletedZone)
            #expect(found[CKRecord.ID(recordName: "loose")]?.code == .unknownItem)
            let feed = await #expect(throws: CKError.self) {
                try await phone.recordZoneChanges(inZoneWith: notes, since: inZone)
            }
            #expect(feed?.code == .userDeletedZone)
            #expect(try await phone.allRecordZones().map(\.zoneID) == [.default])
            #expect(try await other.record(for: noteID("a"))["title"] as? String == "his")

            try await phone.save(CKRecordZone(zoneID: notes))
            try await phone.save(note("b", title: "two"))
            let again = try await phone.databaseChanges(since: changes.changeToken)
            #expect(again.modifications.map(\.zoneID) == [notes] && again.deletions.isEmpty)
            let old = await #expect(throws: CKError.self) {
                try await phone.recordZoneChanges(inZoneWith: notes, since: inZone)
            }
            #expect(old?.code == .changeTokenExpired)
            let loose = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "loose"))
            #expect(try await phone.save(loose).recordChangeTag != nil)
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            #expect(try await phone.records(matching: query, inZoneWith: .default).matchResults.count == 1)
            #expect(try await phone.records(matching: query, inZoneWith: notes).matchResults.count == 1)
            try await purge("alice@example.com", at: phones.cloud)
            try await purge("alice@example.com", at: phones.cloud)
            #expect(try await phone.allRecordZones().map(\.zoneID) == [.default])
            #expect(try await phones.cloud.problems() == [])
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `ends what the user shared, and tells the others that the zone is gone, not why`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let owner = Phones.container(on: try await phones.device("alice@example.com"))
            let friend = Phones.container(on: try await phones.device("bob@example.com"))
            try await owner.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
            let share = CKShare(recordZoneID: notes)
            share.publicPermission = .readWrite
            let saved = try #require(try await owner.privateCloudDatabase.save(share) as? CKShare)
            try await friend.accept(try await friend.shareMetadata(for: try #require(saved.url)))
            let shared = friend.sharedCloudDatabase
            let start = try await shared.databaseChanges(since: nil)
            let zone = try #require(start.modifications.first?.zoneID)

            try await purge("alice@example.com", at: phones.cloud)

            let changes = try await shared.databaseChanges(since: start.changeToken)
            #expect(changes.deletions.map(\.zoneID) == [zone] && changes.deletions.map(\.reason) == [.deleted])
            #expect(try await shared.recordZones(for: [zone])[zone]?.code == .zoneNotFound)
            #expect(try await shared.result(of: note("x", title: "x", in: zone))?.code == .zoneNotFound)
        }
    }
}
