import CloudCore
@testable import CloudStorage
import Testing

@Suite struct `Whoever has a share's URL` {
    static let byEmail = ShareFixture.invite(.emailAddress("Bob@Example.com"))

    @Test func `sees the share when he was invited, and accepts it once or twice`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.none, Self.byEmail)
        let before = try await cloud.resolve(cloud.link(share), by: cloud.bob)
        #expect(before.status == .invited && before.role == .privateUser && before.permission == .readWrite)
        #expect(before.rootName == "root" && before.zone == cloud.zone && before.rootRecord == nil)
        #expect(try await cloud.memberships(of: cloud.bob) == [])
        for _ in 0..<2 {
            let accepted = try await cloud.accept(cloud.link(share), by: cloud.bob)
            #expect(accepted.status == .accepted && accepted.rootRecord?.id.name == "root")
            #expect(accepted.owner.nameComponents?.givenName == "Ann")
        }
        #expect(try await cloud.memberships(of: cloud.bob) == ["Notes"])
        #expect(try await cloud.sharing()?.participants.map(\.status) == [.accepted, .accepted])
        #expect(try await cloud.problems() == [])
    }

    @Test func `may have been invited by number, by name, or before there was an account`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none, ShareFixture.invite(.phoneNumber("0049 170 123 45 67"), .readOnly),
            ShareFixture.invite(.userRecordName(cloud.bob.name)), ShareFixture.invite(.emailAddress("eve@example.com")))
        let eve = try await cloud.person("eve@example.com")
        for person in [cloud.cid, cloud.bob, eve] {
            #expect(try await cloud.accept(cloud.link(share), by: person).status == .accepted)
        }
        let people = try #require(try await cloud.sharing()).participants
        #expect(people.map(\.identity.userRecordName) == [cloud.ann, cloud.cid, cloud.bob, eve].map(\.name))
        #expect(people.map(\.permission) == [.readWrite, .readOnly, .readWrite, .readWrite])
    }

    @Test func `is the owner, whom accepting changes nothing`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.readOnly)
        let metadata = try await cloud.accept(cloud.link(share), by: cloud.ann)
        #expect(metadata.isOwner && metadata.status == .accepted && metadata.permission == .readWrite)
        #expect(try await cloud.record("S")?.changeTag == share.changeTag)
        #expect(try await cloud.memberships(of: cloud.ann) == [])
    }

    @Test func `joins a public share with its public permission`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.readOnly)
        let seen = try await cloud.resolve(cloud.link(share), by: nil)
        #expect(seen.role == .publicUser && seen.permission == .readOnly && seen.rootRecord != nil)
        #expect(seen.share.sharing?.participants.map(\.role) == [.owner])
        let metadata = try await cloud.accept(cloud.link(share), by: cloud.bob)
        #expect(metadata.role == .publicUser && metadata.status == .accepted && metadata.permission == .readOnly)
        #expect(try await cloud.sharing()?.participants.last?.role == .publicUser)
    }

    @Test func `may need verification when somebody unknown is invited`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.none, ShareFixture.invite(.emailAddress("other@example.com")))
        for refused in [
            await refusal { _ = try await cloud.resolve(cloud.link(share), by: cloud.bob) },
            await refusal { _ = try await cloud.accept(cloud.link(share), by: cloud.bob) },
        ] {
            #expect(refused?.code == .accessDenied && refused?.nativeCode == 33)
            #expect(refused?.reason.contains("other@example.com") == false)
        }
    }

    @Test func `finds nothing when nobody is left to be verified, and may not accept`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(.none, Self.byEmail)
        let resolved = await refusal { _ = try await cloud.resolve(cloud.link(share), by: cloud.cid) }
        let accepted = await refusal { _ = try await cloud.accept(cloud.link(share), by: cloud.cid) }
        #expect(resolved?.code == .notFound && resolved?.nativeCode == 11)
        #expect(accepted?.code == .accessDenied && accepted?.nativeCode == 10)
        let none = await refusal { _ = try await cloud.accept(ShareLink(shortGUID: "0nothing"), by: cloud.cid) }
        #expect(none?.code == .notFound)
    }

    @Test func `finds nothing under the GUID of a record that is not shared, in the other environment, or with a NUL`()
        async throws
    {
        let cloud = try await ShareFixture()
        let record = try await cloud.save(cloud.note(.create, "n", guid: true))
        for guid in [record.shortGUID ?? "", "\u{0}", "0"] {
            let error = await refusal { _ = try await cloud.resolve(ShareLink(shortGUID: guid), by: cloud.ann) }
            #expect(error?.code == .notFound)
        }
        let share = try await cloud.shareTree(.readOnly)
        let (link, account) = (cloud.link(share), cloud.ann.account)
        let error = await refusal {
            _ = try await cloud.store.read { try $0.resolveShare(link, in: .production, for: account) }
        }
        #expect(error?.code == .notFound)
    }

    @Test func `sees names only unless he may change who takes part`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none, Self.byEmail, ShareFixture.invite(.emailAddress("cid@example.com"), role: .administrator),
            ShareFixture.invite(.emailAddress("eve@example.com")))
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        let bobs = try #require(try await cloud.resolve(cloud.link(share), by: cloud.bob).share.sharing)
        #expect(bobs.participants.map(\.identity.nameComponents?.givenName) == ["Ann", "Bob"])
        #expect(bobs.participants.allSatisfy { $0.identity.lookup == nil })
        #expect(bobs.currentUser?.identity.userRecordName == cloud.bob.name)
        // An administrator sees all as soon as he has accepted.
        #expect(try await cloud.resolve(cloud.link(share), by: cloud.cid).share.sharing?.participants.count == 2)
        let cids = try #require(try await cloud.accept(cloud.link(share), by: cloud.cid).share.sharing)
        #expect(cids.participants.map(\.identity.lookup).last == .emailAddress("eve@example.com"))
        // Who was only invited is not known by name yet.
        #expect(cids.participants.last?.identity.nameComponents == nil)
    }

    @Test func `claims a one-time URL first and alone`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none,
            ShareParticipant(
                id: "P", identity: UserIdentity(userRecordName: nil), permission: .readOnly, wantsInvitationToken: true)
        )
        let entry = try #require(share.sharing?.participants.last)
        let token = try #require(entry.invitationToken)
        #expect(entry.id == "P" && entry.identity == UserIdentity(userRecordName: nil))
        #expect(await refusal { _ = try await cloud.accept(cloud.link(share), by: cloud.bob) }?.nativeCode == 10)
        let wrong = cloud.link(share, token: String(token.reversed()))
        #expect(await refusal { _ = try await cloud.accept(wrong, by: cloud.bob) }?.nativeCode == 10)
        let link = cloud.link(share, token: token)
        #expect(try await cloud.resolve(link, by: cloud.bob).permission == .readOnly)
        #expect(try await cloud.accept(link, by: cloud.bob).status == .accepted)
        #expect(await refusal { _ = try await cloud.accept(link, by: cloud.cid) }?.nativeCode == 10)
        // The URL stays the same while the participant does, and then equals the share's.
        let later = try #require(try await cloud.sharing()?.participants.last)
        #expect(later.invitationToken == token && later.identity.userRecordName == cloud.bob.name)
        #expect(try await cloud.accept(cloud.link(share), by: cloud.bob).status == .accepted)
        let bobs = try await cloud.resolve(cloud.link(share), by: cloud.bob).share.sharing
        #expect(bobs?.participants.allSatisfy { $0.invitationToken == nil } == true)
        #expect(try await cloud.problems() == [])
    }

    private func refusal(_ body: () async throws -> Void) async -> CloudError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? CloudError
        }
    }
}
