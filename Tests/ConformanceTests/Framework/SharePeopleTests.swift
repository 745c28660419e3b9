import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `People in a CKShare` {
    private func zoneShare(
        _ owner: CKContainer, _ permission: CKShare.ParticipantPermission = .none
    ) async throws -> CKShare {
        let share = CKShare(recordZoneID: notes)
        share.publicPermission = permission
        try await owner.privateCloudDatabase.save(share)
        return share
    }

    @Test func `are the owner, who reads and writes, and those who are added, who read and are pending`() async throws {
        try await withTwo(quick) { owner, _ in
            let share = CKShare(recordZoneID: notes)
            #expect(share.publicPermission == .none && share.url == nil)
            #expect(share.participants.map(\.role) == [.owner] && share.owner.permission == .readWrite)
            #expect(share.owner.acceptanceStatus == .accepted && share.currentUserParticipant === share.owner)
            let friend = try await owner.shareParticipant(forEmailAddress: "bob@example.com")
            #expect(friend.role == .privateUser && friend.permission == .readOnly)
            share.addParticipant(friend)
            try await owner.privateCloudDatabase.save(share)
            #expect(share.participants.map(\.acceptanceStatus) == [.accepted, .pending])
            #expect(share.participants[1].permission == .readOnly && share.participants[1].dateAddedToShare != nil)
        }
    }

    @Test func `are added once, whatever was changed of them meanwhile`() async throws {
        try await withTwo(quick) { owner, _ in
            let share = CKShare(recordZoneID: notes)
            share.addParticipant(try await owner.shareParticipant(forEmailAddress: "bob@example.com"))
            let again = try await owner.shareParticipant(forEmailAddress: "bob@example.com")
            again.permission = .readWrite
            share.addParticipant(again)
            #expect(share.participants.count == 2 && share.participants[1].permission == .readWrite)
            share.removeParticipant(share.owner)
            #expect(share.participants.first?.role == .owner)
        }
    }

    @Test func `are not invited while everybody may come`() async throws {
        try await withTwo(quick) { owner, _ in
            let share = try await zoneShare(owner, .readOnly)
            share.addParticipant(try await owner.shareParticipant(forEmailAddress: "bob@example.com"))
            #expect(try await owner.privateCloudDatabase.result(of: share)?.isSuccess == false)
        }
    }

    @Test func `who are pending go when the share becomes public, and all when it becomes private`() async throws {
        try await quick.withPhones { phones in
            let owner = Phones.container(on: try await phones.device("alice@example.com"))
            let friend = Phones.container(on: try await phones.device("bob@example.com"))
            let database = owner.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            let share = CKShare(recordZoneID: notes)
            for email in ["bob@example.com", "eve@example.com"] {
                share.addParticipant(try await owner.shareParticipant(forEmailAddress: email))
            }
            try await database.save(share)
            try await join(friend, share)
            func fetched() async throws -> CKShare {
                try #require(try await database.record(for: share.recordID) as? CKShare)
            }
            let open = try await fetched()
            open.publicPermission = .readWrite
            #expect(open.participants.count == 2, "before the save as well")
            try await database.save(open)
            #expect(try await fetched().participants.map(\.acceptanceStatus) == [.accepted, .accepted])
            let closed = try await fetched()
            closed.publicPermission = .none
            closed.addParticipant(try await owner.shareParticipant(forEmailAddress: "eve@example.com"))
            try await database.save(closed)
            #expect(try await fetched().participants.map(\.acceptanceStatus) == [.accepted, .pending])
            #expect(try await friend.sharedCloudDatabase.allRecordZones().isEmpty)
        }
    }

    @Test func `beyond the limit are tooManyParticipants`() async throws {
        try await withTwo(quick) { owner, _ in
            let share = CKShare(recordZoneID: notes)
            let emails = (0...100).map { "guest\($0)@example.com" }
            for participant in try await owner.shareParticipants(forEmailAddresses: emails).values {
                share.addParticipant(try participant.get())
            }
            #expect(try await owner.privateCloudDatabase.result(of: share)?.code == .tooManyParticipants)
            share.removeParticipant(share.participants[1])
            #expect(try await owner.privateCloudDatabase.result(of: share)?.isSuccess == true)
        }
    }

    @Test func `by a one-time address have no name until one comes, and the address stays`() async throws {
        try await withTwo(quick) { owner, friend in
            let share = CKShare(recordZoneID: notes)
            let guest = CKShare.Participant.oneTimeURLParticipant()
            share.addParticipant(guest)
            try await owner.privateCloudDatabase.save(share)
            let pending = try #require(try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            let waiting = pending.participants[1]
            #expect(waiting.userIdentity.lookupInfo == nil && waiting.acceptanceStatus == .pending)
            #expect(waiting.userIdentity.nameComponents?.givenName == nil)
            let address = try #require(share.oneTimeURL(for: guest.participantID))
            #expect(pending.oneTimeURL(for: waiting.participantID) == address)
            #expect(share.oneTimeURL(for: share.owner.participantID) == nil)
            try await friend.accept(try await friend.shareMetadata(for: address))
            #expect(try await friend.sharedCloudDatabase.allRecordZones().count == 1)
        }
    }
}

@Suite struct `The metadata of a share` {
    @Test func `shows one's own part, and the root when it is asked for`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, root) = try await shareTree(owner, permission: .readOnly)
            let url = try #require(share.url)
            let seen = try await friend.shareMetadata(for: url)
            #expect(seen.participantRole == .privateUser && seen.participantPermission == .readOnly)
            #expect(seen.participantStatus == .pending && seen.rootRecord == nil)
            #expect(seen.containerIdentifier == owner.containerIdentifier)
            #expect(seen.hierarchicalRootRecordID?.recordName == root.recordID.recordName)
            let mine = try await owner.shareMetadata(for: url)
            #expect(mine.participantRole == .owner && mine.participantStatus == .accepted)
            try await friend.accept(seen)
            #expect(try await friend.shareMetadata(for: url).participantStatus == .accepted)
            try await friend.accept(seen)
            #expect(try await friend.sharedCloudDatabase.allRecordZones().count == 1, "accepting twice is no error")
        }
    }

    @Test func `of a whole zone has no root, whatever is asked for`() async throws {
        try await withTwo(quick) { owner, friend in
            let share = CKShare(recordZoneID: notes)
            share.publicPermission = .readWrite
            try await owner.privateCloudDatabase.save(share)
            let operation = CKFetchShareMetadataOperation(shareURLs: [try #require(share.url)])
            #expect(!operation.shouldFetchRootRecord)
            operation.shouldFetchRootRecord = true
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var found: CKShare.Metadata?
            operation.perShareMetadataResultBlock = { found = try? $1.get() }
            await friend.run(operation)
            let metadata = try #require(found)
            #expect(metadata.hierarchicalRootRecordID == nil && metadata.rootRecord == nil)
            let joined = try await friend.accept(metadata)
            #expect(joined.currentUserParticipant?.role == .publicUser)
            #expect(joined.currentUserParticipant?.permission == .readWrite)
        }
    }

    @Test
    func `is not for who is not invited: he may need verification while somebody is pending, else nothing is there`()
        async throws
    {
        try await withTwo(quick) { owner, friend in
            let share = CKShare(recordZoneID: notes)
            try await owner.privateCloudDatabase.save(share)
            let url = try #require(share.url)
            let nothing = await #expect(throws: CKError.self) { try await friend.shareMetadata(for: url) }
            #expect(nothing?.code == .unknownItem)
            share.addParticipant(try await owner.shareParticipant(forEmailAddress: "somebody@example.com"))
            try await owner.privateCloudDatabase.save(share)
            let perhaps = await #expect(throws: CKError.self) { try await friend.shareMetadata(for: url) }
            #expect(perhaps?.code == .participantMayNeedVerification)
        }
    }

    @Test func `does not let in who is not invited any more`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, _) = try await shareTree(owner)
            let seen = try await friend.shareMetadata(for: try #require(share.url))
            share.removeParticipant(share.participants[1])
            try await owner.privateCloudDatabase.save(share)
            let error = await #expect(throws: CKError.self) { try await friend.accept(seen) }
            #expect(error?.code == .permissionFailure)
        }
    }

    @Test func `is not needed to ask for access, which somebody invited need not do`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, _) = try await shareTree(owner)
            let unknown = try #require(URL(string: "http://cloud.test/share/0unknown"))
            let known = try #require(share.url)
            let operation = CKShareRequestAccessOperation(shareURLs: [unknown, known])
            let log = Log()
            operation.perShareAccessRequestResultBlock = { url, result in
                log.add("\(url == known) \(result.code.map { "\($0)" } ?? "sent")")
            }
            operation.shareAccessRequestResultBlock = { log.add($0.isSuccess ? "end" : "failed") }
            await friend.run(operation)
            #expect(log.all == ["false sent", "true participantAlreadyInvited", "end"])
        }
    }
}
