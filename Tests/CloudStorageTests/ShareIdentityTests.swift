import CloudCore
import Testing

@testable import CloudStorage

/// Who is meant by an entry among the people of a share, and what an invitation tells of him.
@Suite struct `An invitation` {
    private typealias Fixture = ShareFixture

    private func update(_ cloud: ShareFixture, _ participants: [ShareParticipant]) async throws -> CloudError? {
        let tag = try await cloud.record("S")?.changeTag
        return try await cloud.modify(cloud.share(.update, "S", tag: tag, SharingDraft(participants: participants)))[0]
            .error
    }

    @Test func `does not tell whether an address or number has an account, before it is accepted`() async throws {
        let cloud = try await Fixture()
        let share = try await cloud.shareTree(
            .none, Fixture.invite(.emailAddress("bob@example.com")), Fixture.invite(.emailAddress("none@example.com")),
            Fixture.invite(.phoneNumber("+49 170 1234567")), Fixture.invite(.phoneNumber("+49 170 7654321")))
        let guests = try #require(share.sharing?.participants.dropFirst())
        #expect(guests.map(\.identity.userRecordName) == [nil, nil, nil, nil])
        #expect(guests.map(\.identity.nameComponents) == [nil, nil, nil, nil])
        // He himself is told who he is, and everybody who takes part, once he does.
        let own = try await cloud.resolve(cloud.link(share), by: cloud.bob).share.sharing?.currentUser
        #expect(own?.identity.userRecordName == cloud.bob.name)
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        let after = try await cloud.sharing()?.participants[1]
        #expect(after?.identity.userRecordName == cloud.bob.name && after?.identity.nameComponents?.givenName == "Bob")
    }

    @Test func `names who is discoverable, with a name or without, and whom the owner named himself`() async throws {
        let cloud = try await Fixture()
        let nameless = try await cloud.store.write { transaction in
            let account = try transaction.addAccount(email: "dan@example.com", isDiscoverable: true, passwordHash: nil)
            try transaction.setDiscoverable(true, account: cloud.bob.account, in: Fixture.container)
            return try transaction.userName(of: account.id, in: Fixture.container)
        }
        let share = try await cloud.shareTree(
            .none, Fixture.invite(.emailAddress("bob@example.com")), Fixture.invite(.userRecordName(cloud.cid.name)),
            Fixture.invite(.emailAddress("dan@example.com")))
        let guests = try #require(share.sharing?.participants.dropFirst())
        #expect(guests.map(\.identity.userRecordName) == [cloud.bob.name, cloud.cid.name, nameless])
        #expect(guests.map(\.identity.nameComponents?.givenName) == ["Bob", nil, nil])
    }

    @Test func `two participants with one participantId are refused by it`() async throws {
        let cloud = try await Fixture()
        try await cloud.shareTree()
        let twins = ["a@example.com", "b@example.com"].map { email in
            ShareParticipant(id: "twin", identity: UserIdentity(lookup: .emailAddress(email)))
        }
        let error = try await update(cloud, twins)
        #expect(error?.code == .badRequest && error?.reason.contains("'twin'") == true)
        #expect(try await update(cloud, [twins[0]]) == nil)
        // Also when one of them is on his way out.
        var leaving = twins[0]
        leaving.status = .removed
        #expect(try await update(cloud, [leaving, twins[1]])?.code == .badRequest)
        #expect(try await cloud.problems() == [])
    }

    @Test(arguments: [true, false])
    func `stays with the person it was made for, whatever address comes with its participantId`(accepted: Bool)
        async throws
    {
        let cloud = try await Fixture()
        let share = try await cloud.shareTree(.none, Fixture.invite(.emailAddress("bob@example.com")))
        if accepted { try await cloud.accept(cloud.link(share), by: cloud.bob) }
        var bob = try #require(try await cloud.sharing()?.participants.last)
        bob.permission = .readOnly
        for lookup in [
            UserLookup.emailAddress("cid@example.com"), .emailAddress("none@example.com"),
            .phoneNumber("+49 170 1234567"), .userRecordName(cloud.cid.name),
        ] {
            bob.identity = UserIdentity(lookup: lookup)
            let error = try await update(cloud, [bob])
            #expect(error?.code == .badRequest && error?.reason.contains("'\(bob.id)'") == true, "\(lookup)")
        }
        for lookup in [UserLookup.emailAddress("BOB@example.com"), .userRecordName(cloud.bob.name), nil] {
            bob.identity = UserIdentity(lookup: lookup)
            #expect(try await update(cloud, [bob]) == nil)
        }
        let after = try #require(try await cloud.sharing()?.participants)
        #expect(after.map(\.permission) == [.readWrite, .readOnly])
        #expect(after[1].status == (accepted ? .accepted : .invited))
        #expect(after[1].identity.lookup == .emailAddress("bob@example.com"))
    }

    @Test func `reaches an account by its address in any case and any composition of its letters`() async throws {
        let cloud = try await Fixture()
        let composed = "\u{E9}va@example.com"
        let decomposed = "E\u{301}VA@example.com"
        let eva = try await cloud.person(decomposed)
        #expect(Array(UserLookup.normalized(emailAddress: decomposed).utf8) == Array(composed.utf8))
        let share = try await cloud.shareTree(.none, Fixture.invite(.emailAddress(composed)))
        try await cloud.accept(cloud.link(share), by: eva)
        for text in [composed, decomposed] {
            let found = try await cloud.store.read { try $0.account(email: text) }
            #expect(found?.id == eva.account)
        }
        let again = await #expect(throws: CloudError.self) { try await cloud.person(composed) }
        #expect(again?.code == .exists)
        #expect(try await update(cloud, [Fixture.invite(.emailAddress(decomposed))]) == nil)
        #expect(try await cloud.sharing()?.participants.count == 2)
    }
}
