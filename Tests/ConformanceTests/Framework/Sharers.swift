import CloudKit
import CloudTestSupport
import Testing

/// The containers of an owner, with the zone ``notes``, and of another account.
func withTwo(
    _ setUp: CloudSetUp, _ body: (_ owner: CKContainer, _ friend: CKContainer) async throws -> Void
) async throws {
    try await setUp.withPhones { phones in
        let owner = Phones.container(on: try await phones.device("alice@example.com"))
        let friend = Phones.container(on: try await phones.device("bob@example.com"))
        try await owner.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
        try await body(owner, friend)
    }
}

/// Shares a new record `root` with its child `leaf`; the friend is invited by e-mail.
func shareTree(
    _ owner: CKContainer, permission: CKShare.ParticipantPermission = .readWrite
) async throws -> (share: CKShare, root: CKRecord) {
    let root = note("root", title: "Trip")
    let share = CKShare(rootRecord: root)
    share[CKShare.SystemFieldKey.title] = "Our trip"
    let participant = try await owner.shareParticipant(forEmailAddress: "bob@example.com")
    participant.permission = permission
    share.addParticipant(participant)
    let saved = try await owner.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
    #expect(saved.saveResults.failures().isEmpty)
    let leaf = note("leaf", title: "Day 1")
    leaf.setParent(root)
    try await owner.privateCloudDatabase.save(leaf)
    return (share, root)
}

func join(_ container: CKContainer, _ share: CKShare) async throws {
    try await container.accept(try await container.shareMetadata(for: try #require(share.url)))
}
