import CloudCore
@testable import CloudStorage
import Testing

@Suite struct `A request for access to a share` {
    private func open(_ cloud: ShareFixture, _ participants: ShareParticipant...) async throws -> Record {
        let share = try await cloud.shareTree()
        let draft = SharingDraft(participants: participants, allowsAccessRequests: true)
        return try await cloud.save(cloud.share(.update, "S", tag: share.changeTag, draft))
    }

    private func update(_ cloud: ShareFixture, by person: ShareFixture.Person? = nil, _ draft: SharingDraft)
        async throws
        -> Result<ModifiedRecord, CloudError>
    {
        let tag = try await cloud.record("S")?.changeTag
        return try await cloud.modify(cloud.share(.update, "S", tag: tag, draft), by: person)[0]
    }

    private func native(_ body: () async throws -> Void) async -> Int? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? CloudError)?.nativeCode ?? -1
        }
    }

    @Test func `tells nothing of whether there is such a share or who takes requests`() async throws {
        let cloud = try await ShareFixture()
        let closed = try await cloud.shareTree()
        try await cloud.ask(cloud.link(closed), by: cloud.bob)
        try await cloud.ask(ShareLink(shortGUID: "0nothing"), by: cloud.bob)
        #expect(try await cloud.record("S")?.changeTag == closed.changeTag)
        #expect(closed.sharing?.allowsAccessRequests == false)
    }

    @Test func `reaches owner and administrators once, and nobody else`() async throws {
        let cloud = try await ShareFixture()
        let share = try await open(cloud, ShareFixture.invite(.emailAddress("cid@example.com")))
        try await cloud.accept(cloud.link(share), by: cloud.cid)
        for _ in 0..<2 { try await cloud.ask(cloud.link(share), by: cloud.bob) }
        let sharing = try #require(try await cloud.sharing())
        #expect(sharing.requesters.map(\.identity.userRecordName) == [cloud.bob.name])
        #expect(sharing.requesters.first?.identity.nameComponents?.givenName == "Bob")
        #expect(sharing.participants.count == 2)
        #expect(try await cloud.resolve(cloud.link(share), by: cloud.cid).share.sharing?.requesters == [])
        #expect(try await cloud.problems() == [])
    }

    @Test func `is needless for who is invited or takes part`() async throws {
        let cloud = try await ShareFixture()
        let share = try await open(cloud, ShareFixture.invite(.emailAddress("bob@example.com")))
        for person in [cloud.ann, cloud.bob] {
            #expect(await native { try await cloud.ask(cloud.link(share), by: person) } == 37)
        }
    }

    @Test func `is approved by making the requester a participant, who then accepts`() async throws {
        let cloud = try await ShareFixture()
        let share = try await open(cloud)
        try await cloud.ask(cloud.link(share), by: cloud.bob)
        #expect(await native { try await cloud.accept(cloud.link(share), by: cloud.bob) } == 10)
        var requester = try #require(try await cloud.sharing()?.requesters.first)
        requester.permission = .readWrite
        _ = try await update(cloud, SharingDraft(participants: [requester])).get()
        let sharing = try #require(try await cloud.sharing())
        let bob = try #require(sharing.participants.last)
        #expect(sharing.requesters == [] && bob.isApprovedRequester && bob.status == .invited)
        #expect(bob.role == .privateUser && bob.permission == .readWrite)
        #expect(try await cloud.accept(cloud.link(share), by: cloud.bob).status == .accepted)
        #expect(try await cloud.problems() == [])
    }

    @Test func `is denied and may come again, until it is blocked`() async throws {
        let cloud = try await ShareFixture()
        let share = try await open(cloud)
        try await cloud.ask(cloud.link(share), by: cloud.bob)
        var id = try #require(try await cloud.sharing()?.requesters.first?.id)
        _ = try await update(cloud, SharingDraft(denied: [id])).get()
        #expect(try await cloud.sharing()?.requesters == [])
        #expect(try await update(cloud, SharingDraft(denied: [id])).error?.code == .badRequest)
        try await cloud.ask(cloud.link(share), by: cloud.bob)
        id = try #require(try await cloud.sharing()?.requesters.first?.id)
        _ = try await update(cloud, SharingDraft(blocked: [id])).get()
        let tag = try await cloud.record("S")?.changeTag
        try await cloud.ask(cloud.link(share), by: cloud.bob)
        let blocked = try #require(try await cloud.record("S"))
        #expect(blocked.changeTag == tag && blocked.sharing?.requesters == [])
        #expect(blocked.sharing?.blocked.map(\.identity.userRecordName) == [cloud.bob.name])
        _ = try await update(cloud, SharingDraft(unblocked: [id])).get()
        try await cloud.ask(cloud.link(share), by: cloud.bob)
        #expect(try await cloud.sharing()?.requesters.count == 1)
        #expect(try await cloud.problems() == [])
    }

    @Test func `of a participant who is blocked ends his part, even of a public share`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.readWrite)
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        let listed = try #require(try await cloud.sharing()).participants
        let id = listed[1].id
        _ = try await update(cloud, SharingDraft(participants: listed, blocked: [id])).get()
        #expect(try await cloud.memberships(of: cloud.bob) == ["-Notes"])
        #expect(await native { try await cloud.accept(cloud.link(share), by: cloud.bob) } == 10)
        #expect(try await update(cloud, SharingDraft(participants: listed)).error?.code == .badRequest)
        #expect(try await update(cloud, SharingDraft(blocked: [listed[0].id])).error?.code == .badRequest)
        #expect(try await cloud.problems() == [])
    }

    @Test func `waits with others up to a limit, beyond which it is not kept`() async throws {
        var limits = CloudLimits()
        limits.accessRequestsPerShare = 2
        let cloud = try await ShareFixture(limits: limits)
        let share = try await open(cloud)
        for number in 0..<3 { try await cloud.ask(cloud.link(share), by: cloud.person("p\(number)@example.com")) }
        #expect(try await cloud.sharing()?.requesters.count == 2)
    }
}
