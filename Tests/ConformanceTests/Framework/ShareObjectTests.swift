import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp(way: .inProcess, storage: .memory)

@Suite struct `Shares and their parts` {
    @Test func `come back from an archive as they were`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, _) = try await shareTree(owner)
            share.allowsAccessRequests = true
            let data = try NSKeyedArchiver.archivedData(withRootObject: share, requiringSecureCoding: true)
            let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKShare.self, from: data))
            #expect(back.url == share.url && back.recordID == share.recordID)
            #expect(back.participants == share.participants)
            #expect(back.currentUserParticipant?.role == .owner)
            #expect(back.allowsAccessRequests)
            #expect(try await (owner.privateCloudDatabase.save(back) as? CKShare)?.allowsAccessRequests == true)
            let metadata = try await friend.shareMetadata(for: try #require(share.url))
            let kept = try NSKeyedArchiver.archivedData(withRootObject: metadata, requiringSecureCoding: true)
            let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKShare.Metadata.self, from: kept))
            #expect(again == metadata && again.participantStatus == .pending)
            try await friend.accept(again)
            #expect(try await friend.sharedCloudDatabase.allRecordZones().count == 1)
        }
    }

    @Test func `are told by operations, item by item`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, _) = try await shareTree(owner)
            let url = try #require(share.url)
            let wrong = try #require(URL(string: "https://example.com/elsewhere"))
            let fetch = CKFetchShareMetadataOperation(shareURLs: [url, wrong])
            fetch.shouldFetchRootRecord = true
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var found: [URL: Result<CKShare.Metadata, any Error>] = [:]
            fetch.perShareMetadataResultBlock = { found[$0] = $1 }
            try await withCheckedThrowingContinuation { continuation in
                fetch.fetchShareMetadataResultBlock = { continuation.resume(with: $0) }
                friend.add(fetch)
            }
            #expect(found[wrong]?.code == .invalidArguments)
            let metadata = try #require(try found[url]?.get())
            let accept = CKAcceptSharesOperation(shareMetadatas: [metadata])
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var accepted: [CKShare] = []
            accept.perShareResultBlock = { if case .success(let share) = $1 { accepted.append(share) } }
            try await withCheckedThrowingContinuation { continuation in
                accept.acceptSharesResultBlock = { continuation.resume(with: $0) }
                friend.add(accept)
            }
            #expect(accepted.map(\.recordID.recordName) == [share.recordID.recordName])
            let people = CKFetchShareParticipantsOperation(
                userIdentityLookupInfos: CKUserIdentity.LookupInfo.lookupInfos(withEmails: [
                    "bob@example.com", "nobody@example.com",
                ]))
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var accounts: [String: Bool] = [:]
            people.perShareParticipantResultBlock = { info, result in
                accounts[info.emailAddress ?? ""] = (try? result.get())?.userIdentity.hasiCloudAccount
            }
            try await withCheckedThrowingContinuation { continuation in
                people.fetchShareParticipantsResultBlock = { continuation.resume(with: $0) }
                owner.add(people)
            }
            #expect(accounts == ["bob@example.com": true, "nobody@example.com": false])
        }
    }

    @Test func `let people ask to be let in, and the owner answers`() async throws {
        try await withTwo(quick) { owner, friend in
            let root = note("root")
            let share = CKShare(rootRecord: root)
            share.allowsAccessRequests = true
            _ = try await owner.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
            let ask = CKShareRequestAccessOperation(shareURLs: [try #require(share.url)])
            try await withCheckedThrowingContinuation { continuation in
                ask.shareAccessRequestResultBlock = { continuation.resume(with: $0) }
                friend.add(ask)
            }
            let asked = try #require(try await owner.privateCloudDatabase.record(for: share.recordID) as? CKShare)
            let requester = try #require(asked.requesters.first)
            let name = try await friend.userRecordID().recordName
            #expect(requester.userIdentity.userRecordID?.recordName == name)
            let participant = try await owner.shareParticipant(forUserRecordID: CKRecord.ID(recordName: name))
            asked.addParticipant(participant)
            try await owner.privateCloudDatabase.save(asked)
            #expect(asked.requesters.isEmpty)
            #expect(asked.participants.last?.isApprovedRequester == true)
            try await join(friend, asked)
            #expect(try await friend.sharedCloudDatabase.allRecordZones().count == 1)
        }
    }
}
