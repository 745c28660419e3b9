import CloudCore
import DatabaseTestSupport
import SQLCore
import Testing

@testable import CloudStorage

/// What the removal of an account does to what it shares and takes part in.
@Suite struct `An account that is closed and shared`: Sendable {
    private func remove(_ email: String, _ store: CloudStore) async throws {
        try await store.write { try $0.removeAccount($0.requireAccount(email: email)) }
    }

    @Test func `leaves its zones as gone in the feeds of those who took part, who are told`() async throws {
        let shared = try await SharedFixture()
        try await shared.modify([shared.save("r"), shared.save("a", under: "r")])
        try await shared.share("r", [(shared.bob, .readWrite), (shared.carol, .readOnly)])
        for user in [shared.bob, shared.carol] { try await shared.subscribe(user) }
        let token = try await shared.zones(shared.bob).syncToken
        try await shared.forgetPushes()
        try await remove("\(shared.alice.userName)@example.com", shared.cloud.store)
        try await shared.cloud.store.finishErasures()
        #expect(try await shared.told() == [shared.bob.userName, shared.carol.userName].sorted())
        let page = try await shared.zones(shared.bob, since: token)
        #expect(page.deleted == [shared.zone] && page.changed == [] && !page.moreComing)
        #expect(try await shared.zones(shared.bob, since: page.syncToken).deleted == [])
        let error = await #expect(throws: CloudError.self) { try await shared.lookup(["a"], by: shared.bob) }
        #expect(error?.code == .zoneNotFound)
        // Nobody's new database is taken for the one that is gone.
        let next = DatabaseID(
            container: RecordFixture.container, environment: .development, scope: .private,
            owner: "_dddddddddddddddddddddddddddddddd")
        let made = try await shared.cloud.store.write(for: next) { try $0.database(next).row }
        let known = try await shared.cloud.store.read { transaction in
            try transaction.connection.first("SELECT MAX(db) FROM membership") { $0.integer(0) }
        }
        #expect(made > known ?? .max)
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
        await shared.cloud.store.close()
    }

    @Test func `is in nobody's share any more, however it was there`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree(
            .none, ShareFixture.invite(.emailAddress("bob@example.com")),
            ShareFixture.invite(.phoneNumber("+49 170 1234567")),
            ShareFixture.invite(.emailAddress("later@example.com")))
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        let later = try await cloud.person("later@example.com")
        let before = try await cloud.record("S")
        for email in ["bob@example.com", "Cid@example.com", "later@example.com"] {
            try await remove(email, cloud.store)
        }
        try await cloud.store.finishErasures()
        #expect(try await cloud.sharing()?.participants.map(\.identity.userRecordName) == [cloud.ann.name])
        #expect(try await cloud.record("S")?.changeTag != before?.changeTag)
        #expect(try await cloud.memberships(of: cloud.bob) == [])
        let traces = try await cloud.store.read { transaction in
            try transaction.connection.first(
                """
                SELECT (SELECT COUNT(*) FROM participant WHERE role <> 1) + (SELECT COUNT(*) FROM erasure)
                    + (SELECT COUNT(*) FROM membership)
                    + (SELECT COUNT(*) FROM account WHERE email LIKE '%bob%' OR email LIKE '%later%' OR phone IS NOT NULL)
                """
            ) { $0.integer(0) }
        }
        #expect(traces == 0)
        #expect(later.name != cloud.bob.name)
        #expect(try await cloud.problems() == [])
    }

    @Test func `does not take another person along who got its address meanwhile`() async throws {
        let cloud = try await ShareFixture()
        try await remove("bob@example.com", cloud.store)
        let next = try await cloud.person("bob@example.com")
        let share = try await cloud.shareTree(.none, ShareFixture.invite(.emailAddress("bob@example.com")))
        try await cloud.store.finishErasures()
        try await cloud.accept(cloud.link(share), by: next)
        #expect(try await cloud.memberships(of: next) == ["Notes"])
    }

    @Test
    func `leaves many shares, and has its own ended, in bounded steps of which each may be the last before a crash`()
        async throws
    {
        let shared = try await SharedFixture()
        let roots = (0..<12).map { "r\($0)" }
        try await shared.modify(roots.map { shared.save($0) })
        for root in roots { try await shared.share(root, [(shared.bob, .readWrite), (shared.carol, .readWrite)]) }
        for user in [shared.bob, shared.alice] {
            try await remove("\(user.userName)@example.com", shared.cloud.store)
            var place: ErasurePlace?
            var steps = 0
            repeat {
                // Whoever comes after a crash begins without the place.
                let last = [2, 5, 9].contains(steps) ? nil : place
                place = try await shared.cloud.store.write { try $0.continueErasure(limit: 5, from: last) }
                steps += 1
                if user == shared.bob { #expect(try await shared.cloud.store.read { try $0.verify() } == []) }
            } while place != nil
            #expect(steps > 12)
        }
        let left = try await shared.cloud.store.read { transaction in
            try transaction.connection.first(
                "SELECT (SELECT COUNT(*) FROM participant) + (SELECT COUNT(*) FROM share) + (SELECT COUNT(*) FROM record)"
            ) { $0.integer(0) }
        }
        #expect(left == 0)
        #expect(try await shared.zones(shared.carol).changed == [])
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
        await shared.cloud.store.close()
    }
}
