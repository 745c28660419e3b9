import CloudCore
@testable import CloudStorage
import Testing

@Suite struct `The people of a share` {
    private typealias Fixture = ShareFixture

    private func update(_ cloud: ShareFixture, by person: ShareFixture.Person? = nil, _ draft: SharingDraft)
        async throws
        -> Result<ModifiedRecord, CloudError>
    {
        let tag = try await cloud.record("S")?.changeTag
        return try await cloud.modify(cloud.share(.update, "S", tag: tag, draft), by: person)[0]
    }

    private func people(_ cloud: ShareFixture) async throws -> [ShareParticipant] {
        try await cloud.sharing()?.participants ?? []
    }

    @Test func `begin as invited, whatever the request says, and default to reading`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none,
            ShareParticipant(
                identity: UserIdentity(userRecordName: cloud.bob.name), role: .unknown, permission: .unknown,
                status: .accepted, isApprovedRequester: true))
        let bob = try #require(share.sharing?.participants.last)
        #expect(bob.status == .invited && bob.role == .privateUser && bob.permission == .readOnly)
        #expect(!bob.isApprovedRequester && bob.dateAdded == 1_767_000_000_000)
        #expect(try await cloud.memberships(of: cloud.bob) == [])
    }

    @Test func `keep the order in which the owner lists them`() async throws {
        let cloud = try await ShareFixture()
        let names = ["z", "a", "m", "b"].map { "\($0)@example.com" }
        try await cloud.shareTree(.none)
        let draft = SharingDraft(participants: names.map { Fixture.invite(.emailAddress($0)) })
        _ = try await update(cloud, draft).get()
        #expect(try await people(cloud).dropFirst().map(\.identity.lookup) == names.map { .emailAddress($0) })
        var listed = try await people(cloud)
        listed.swapAt(1, 4)
        _ = try await update(cloud, SharingDraft(participants: listed)).get()
        #expect(try await people(cloud) == listed)
    }

    @Test func `who is named twice, or by several addresses, is one entry`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none, Fixture.invite(.emailAddress("bob@example.com"), .readOnly),
            Fixture.invite(.emailAddress("BOB@example.com")), Fixture.invite(.userRecordName(cloud.bob.name)),
            Fixture.invite(.emailAddress("new@example.com"), .readOnly),
            Fixture.invite(.emailAddress("New@Example.com")))
        #expect(share.sharing?.participants.map(\.permission) == [.readWrite, .readWrite, .readWrite])
        let id = share.sharing?.participants[1].id
        _ = try await update(
            cloud, SharingDraft(participants: [Fixture.invite(.emailAddress("bob@example.com"), .readOnly)])
        ).get()
        let after = try await people(cloud)
        #expect(after.count == 2 && after[1].id == id && after[1].permission == .readOnly)
    }

    @Test func `the owner stays and keeps everything, listed or not`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.none, Fixture.invite(.userRecordName(cloud.ann.name), .readOnly))
        #expect(share.sharing?.participants.count == 1)
        var owner = try #require(share.sharing?.participants.first)
        owner.permission = .readOnly
        owner.role = .privateUser
        for list in [[owner], []] {
            _ = try await update(cloud, SharingDraft(participants: list)).get()
            #expect(try await people(cloud) == share.sharing?.participants)
        }
        owner.identity.userRecordName = cloud.bob.name
        owner.role = .owner
        #expect(try await update(cloud, SharingDraft(participants: [owner])).error?.code == .badRequest)
    }

    @Test func `who is left out, or listed as removed, is removed`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none, Fixture.invite(.emailAddress("bob@example.com")), Fixture.invite(.emailAddress("cid@example.com")))
        for person in [cloud.bob, cloud.cid] { try await cloud.accept(cloud.link(share), by: person) }
        var listed = try await people(cloud)
        listed[1].status = .removed
        _ = try await update(cloud, SharingDraft(participants: listed)).get()
        #expect(try await people(cloud).map(\.identity.userRecordName) == [cloud.ann.name, cloud.cid.name])
        #expect(try await cloud.memberships(of: cloud.bob) == ["-Notes"])
        _ = try await update(cloud, SharingDraft(participants: [])).get()
        #expect(try await cloud.memberships(of: cloud.cid) == ["-Notes"])
        #expect(try await cloud.problems() == [])
        // Invited again, he may come again.
        _ = try await update(cloud, SharingDraft(participants: [Fixture.invite(.emailAddress("bob@example.com"))]))
            .get()
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        #expect(try await cloud.memberships(of: cloud.bob) == ["Notes"])
        #expect(try await cloud.problems() == [])
    }

    @Test func `an update that does not list them leaves them alone`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.none, Fixture.invite(.emailAddress("bob@example.com")))
        let tag = try await cloud.record("S")?.changeTag
        let saved = try await cloud.save(cloud.share(.replace, "S", tag: tag, title: "New", SharingDraft()))
        #expect(saved.sharing == share.sharing && saved.shortGUID == share.shortGUID)
    }

    @Test(arguments: [
        Fixture.invite(.emailAddress("nobody")), Fixture.invite(.phoneNumber("12")),
        Fixture.invite(.userRecordName("_0123456789abcdef0123456789abcdef")), Fixture.invite(.emailAddress("a@b\u{0}")),
        ShareParticipant(identity: UserIdentity(userRecordName: nil)),
        ShareParticipant(id: "\n", identity: UserIdentity(userRecordName: nil), wantsInvitationToken: true),
        ShareParticipant(
            identity: UserIdentity(userRecordName: nil, lookup: .emailAddress("a@example.com")),
            wantsInvitationToken: true),
    ])
    func `nobody that cannot be reached is invited`(_ participant: ShareParticipant) async throws {
        let cloud = try await ShareFixture()
        try await cloud.save(cloud.note(.create, "root"))
        let draft = SharingDraft(root: "root", participants: [participant])
        #expect(try await cloud.modify(cloud.share(.create, "S", draft))[0].error?.code == .badRequest)
        #expect(try await cloud.problems() == [])
    }

    @Test func `are as many as the limit allows, not one more`() async throws {
        var limits = CloudLimits()
        limits.participantsPerShare = 3
        let cloud = try await ShareFixture(limits: limits)
        func guests(_ count: Int) -> [ShareParticipant] {
            (0..<count).map { Fixture.invite(.emailAddress("guest\($0)@example.com")) }
        }
        try await cloud.shareTree()
        let error = try await update(cloud, SharingDraft(participants: guests(4))).error
        #expect(error?.code == .badRequest && error?.nativeCode == 29 && error?.reason.contains("3") == true)
        #expect(try await update(cloud, SharingDraft(participants: guests(3))).error == nil)
    }

    @Test func `a hundred of them may come`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareZone(.readWrite)
        for number in 0..<100 {
            try await cloud.accept(cloud.link(share), by: cloud.person("guest\(number)@example.com"))
        }
        let people = try #require(try await cloud.sharing(Sharing.zoneWideName)).participants
        #expect(people.count == 101 && people.dropFirst().allSatisfy { $0.role == .publicUser })
        #expect(people.dropFirst().compactMap(\.identity.nameComponents?.givenName).first == "guest0@example.com")
        let late = try await cloud.person("late@example.com")
        do {
            try await cloud.accept(cloud.link(share), by: late)
            Issue.record("one too many came")
        } catch let error as CloudError {
            #expect(error.nativeCode == 29)
        }
        #expect(try await cloud.problems() == [])
    }

    // MARK: Administrators

    @Test func `an administrator changes who takes part, but neither owner nor administrators`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none, Fixture.invite(.emailAddress("bob@example.com"), role: .administrator),
            Fixture.invite(.emailAddress("cid@example.com"), .readOnly))
        func attempt(_ change: (inout [ShareParticipant]) -> Void) async throws -> CloudError? {
            var listed = try await people(cloud)
            change(&listed)
            return try await update(cloud, by: cloud.bob, SharingDraft(participants: listed)).error
        }
        #expect(try await attempt { _ in }?.code == .accessDenied, "before he accepted")
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        #expect(try await attempt { $0.append(Fixture.invite(.emailAddress("eve@example.com"))) } == nil)
        #expect(try await attempt { $0[2].permission = .readWrite } == nil)
        #expect(try await attempt { $0[2].role = .administrator }?.code == .accessDenied)
        #expect(try await attempt { $0.removeLast() } == nil)
        #expect(try await people(cloud).map(\.permission) == [.readWrite, .readWrite, .readWrite])
        var listed = try await people(cloud)
        listed[2].role = .administrator
        _ = try await update(cloud, SharingDraft(participants: listed)).get()
        #expect(try await attempt { $0[2].role = .privateUser }?.code == .accessDenied)
        #expect(try await attempt { $0.remove(at: 2) }?.code == .accessDenied)
        // He may give up his own part.
        #expect(try await attempt { $0.remove(at: 1) } == nil)
        #expect(try await cloud.memberships(of: cloud.bob) == ["-Notes"])
    }

    @Test func `everybody else may not write the share record`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.none, Fixture.invite(.emailAddress("bob@example.com")))
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        for person in [cloud.bob, cloud.cid] {
            let error = try await update(cloud, by: person, SharingDraft(publicPermission: .readWrite)).error
            #expect(error?.code == .accessDenied && error?.nativeCode == 10)
        }
    }

    @Test func `only the owner of a zone shares what is in it`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.save(cloud.note(.create, "root"))
        for draft in [SharingDraft(root: "root"), SharingDraft()] {
            let name = draft.root == nil ? Sharing.zoneWideName : "S"
            #expect(
                try await cloud.modify(cloud.share(.create, name, draft), by: cloud.bob)[0].error?.code == .accessDenied
            )
        }
        #expect(
            try await cloud.modify(cloud.note(.forceUpdate, "root", guid: true), by: cloud.bob)[0].error?.code
                == .accessDenied)
    }

    // MARK: Public permission

    @Test func `making a share public drops those who have not come and keeps those who have`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none, Fixture.invite(.emailAddress("bob@example.com")), Fixture.invite(.emailAddress("cid@example.com")),
            ShareParticipant(identity: UserIdentity(userRecordName: nil), wantsInvitationToken: true))
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        _ = try await update(cloud, SharingDraft(publicPermission: .readOnly)).get()
        #expect(try await people(cloud).map(\.identity.userRecordName) == [cloud.ann.name, cloud.bob.name])
        #expect(try await people(cloud).last?.permission == .readWrite)
        #expect(try await cloud.problems() == [])
    }

    @Test func `nobody is invited to a public share`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.shareTree(.readOnly)
        let draft = SharingDraft(participants: [Fixture.invite(.emailAddress("bob@example.com"))])
        let error = try await update(cloud, draft).error
        #expect(error?.code == .badRequest && error?.reason.contains("publicPermission") == true)
    }

    @Test func `making a share private removes everybody, and new ones may be invited along`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.none, Fixture.invite(.emailAddress("bob@example.com")))
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        _ = try await update(cloud, SharingDraft(publicPermission: .readWrite)).get()
        try await cloud.accept(cloud.link(share), by: cloud.cid)
        _ = try await update(cloud, SharingDraft(publicPermission: SharePermission.none)).get()
        #expect(try await people(cloud).map(\.role) == [.owner])
        for person in [cloud.bob, cloud.cid] { #expect(try await cloud.memberships(of: person) == ["-Notes"]) }
        _ = try await update(cloud, SharingDraft(publicPermission: .readOnly)).get()
        try await cloud.accept(cloud.link(share), by: cloud.cid)
        let invited = SharingDraft(
            publicPermission: SharePermission.none, participants: [Fixture.invite(.emailAddress("bob@example.com"))])
        _ = try await update(cloud, invited).get()
        #expect(try await people(cloud).map(\.role) == [.owner, .privateUser])
        #expect(try await people(cloud).last?.identity.lookup == .emailAddress("bob@example.com"))
        #expect(try await people(cloud).last?.status == .invited)
        #expect(try await cloud.problems() == [])
    }

    @Test func `making a share private removes who came by the URL even when he is listed`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.readOnly)
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        let draft = SharingDraft(publicPermission: SharePermission.none, participants: try await people(cloud))
        _ = try await update(cloud, draft).get()
        #expect(try await people(cloud).count == 1)
    }

    @Test func `who came by the URL has the public permission as it is now`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.readWrite)
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        let draft = SharingDraft(publicPermission: .readOnly, participants: try await people(cloud))
        _ = try await update(cloud, draft).get()
        #expect(try await people(cloud).last?.permission == .readOnly)
        #expect(try await cloud.resolve(cloud.link(share), by: cloud.bob).permission == .readOnly)
    }
}
