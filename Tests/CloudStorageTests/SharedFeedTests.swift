import CloudCore
import Testing

@testable import CloudStorage

/// What the feeds of a shared database tell as trees come, change, move and go.
@Suite struct `The feed of a shared zone` {
    /// Roots r and q, each with a child.
    private func trees() async throws -> SharedFixture {
        let shared = try await SharedFixture()
        try await shared.modify([
            shared.save("r"), shared.save("a", under: "r"), shared.save("q"), shared.save("k", under: "q"),
        ])
        try await shared.share("r", [(shared.bob, .readWrite)])
        return shared
    }

    private func changed(_ page: ZoneChangesPage) -> Set<String> {
        Set(page.changes.compactMap { if case .record(let record) = $0 { record.id.name } else { nil } })
    }

    private func deleted(_ page: ZoneChangesPage) -> Set<String> {
        Set(page.changes.compactMap { if case .deleted(let id, _) = $0 { id.name } else { nil } })
    }

    @Test func `brings the old records of a tree that is accepted later`() async throws {
        let shared = try await trees()
        let first = try await shared.changes(shared.bob)
        let zones = try await shared.zones(shared.bob)
        #expect(changed(first) == ["r", "a", "share-r"])
        try await shared.share("q", [(shared.carol, .readOnly)])
        #expect(try await shared.zones(shared.bob, since: zones.syncToken).changed.isEmpty)
        #expect(try await shared.changes(shared.bob, since: first.syncToken).changes.isEmpty)
        try await shared.accept("q", shared.bob)
        let told = try await shared.zones(shared.bob, since: zones.syncToken)
        #expect(told.changed == [shared.zone] && told.deleted.isEmpty)
        let second = try await shared.changes(shared.bob, since: first.syncToken)
        #expect(changed(second) == ["q", "k", "share-q"] && deleted(second).isEmpty)
        #expect(changed(try await shared.changes(shared.carol)) == ["q", "k", "share-q"])
    }

    @Test func `tells the records of a lost tree as deleted while another remains`() async throws {
        let shared = try await trees()
        try await shared.share("q", [(shared.bob, .readWrite)])
        let first = try await shared.changes(shared.bob)
        let zones = try await shared.zones(shared.bob)
        try await shared.leave("r", shared.bob)
        // What came after is none of his.
        try await shared.modify([shared.save("late", under: "r"), shared.save("a", "changed")])
        #expect(try await shared.zones(shared.bob, since: zones.syncToken).changed == [shared.zone])
        var told: Set<String> = []
        var token = first.syncToken
        var pages = 0
        while true {
            let page = try await shared.changes(shared.bob, since: token, limit: 1)
            #expect(changed(page).isEmpty)
            told.formUnion(deleted(page))
            token = page.syncToken
            pages += 1
            if !page.moreComing { break }
        }
        #expect(told == ["r", "a", "share-r"] && pages > 2)
        #expect(try await shared.changes(shared.bob, since: token).changes.isEmpty)
        // Another user's token says nothing to him, and his nothing to others.
        let error = await #expect(throws: CloudError.self) { try await shared.changes(shared.carol, since: token) }
        #expect(error?.code == .zoneNotFound)
        try await shared.accept("q", shared.carol)
        let expired = await #expect(throws: CloudError.self) { try await shared.changes(shared.carol, since: token) }
        #expect(expired?.nativeCode == 21)
    }

    /// Case C15.
    @Test func `ends with the zone when all that was shared is gone`() async throws {
        let shared = try await trees()
        let first = try await shared.changes(shared.bob)
        let zones = try await shared.zones(shared.bob)
        #expect(zones.changed == [shared.zone])
        try await shared.stop("r")
        try await shared.modify([shared.delete("a"), shared.delete("r")])
        let told = try await shared.zones(shared.bob, since: zones.syncToken)
        #expect(told.changed.isEmpty && told.deleted == [shared.zone])
        #expect(try await shared.zones(shared.bob, since: told.syncToken).deleted.isEmpty)
        let error = await #expect(throws: CloudError.self) {
            try await shared.changes(shared.bob, since: first.syncToken)
        }
        #expect(error?.code == .zoneNotFound && error?.nativeCode == 26)
        let lookup = await #expect(throws: CloudError.self) { try await shared.lookup(["r", "a"], by: shared.bob) }
        #expect(lookup?.code == .zoneNotFound)
    }

    @Test(arguments: [false, true])
    func `ends with the zone when the owner deletes it`(isWhole: Bool) async throws {
        let shared = try await trees()
        if isWhole {
            try await shared.stop("r")
            try await shared.share(nil, [(shared.bob, .readOnly)])
        }
        try await shared.subscribe(shared.bob)
        let zones = try await shared.zones(shared.bob)
        try await shared.cloud.store.write(for: shared.cloud.database()) {
            try $0.deleteZone(shared.zone, in: shared.cloud.database(), by: shared.alice)
        }
        #expect(try await shared.told() == [shared.bob.userName])
        #expect(try await shared.zones(shared.bob, since: zones.syncToken).deleted == [shared.zone])
        try await shared.cloud.makeZone("Notes")
        await #expect(throws: CloudError.self) { try await shared.lookup(["r"], by: shared.bob) }
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
    }

    @Test func `goes on from a token of before a stop when the root is shared and accepted again`() async throws {
        let shared = try await trees()
        try await shared.modify([shared.save("b", under: "a")])
        let first = try await shared.changes(shared.bob)
        #expect(changed(first) == ["r", "a", "b", "share-r"])
        try await shared.stop("r")
        try await shared.modify([shared.save("b", under: .some(nil)), shared.save("c", under: "r")])
        try await shared.share("r", [(shared.bob, .readWrite)])
        let second = try await shared.changes(shared.bob, since: first.syncToken)
        #expect(changed(second) == ["r", "a", "c", "share-r"] && deleted(second) == ["b"])
        // Who is new hears of nothing that is gone.
        try await shared.accept("r", shared.carol)
        #expect(deleted(try await shared.changes(shared.carol)).isEmpty)
    }

    @Test func `follows a subtree that moves in, over and out`() async throws {
        let shared = try await trees()
        try await shared.share("q", [(shared.carol, .readWrite)])
        try await shared.modify([
            shared.save("m", under: .some(nil)), shared.save("n", under: "m"), shared.save("o", under: "n"),
        ])
        var bob = try await shared.changes(shared.bob).syncToken
        var carol = try await shared.changes(shared.carol).syncToken
        try await shared.modify([shared.save("m", under: "a")])
        var page = try await shared.changes(shared.bob, since: bob)
        bob = page.syncToken
        #expect(changed(page) == ["m", "n", "o"] && deleted(page).isEmpty)
        try await shared.modify([shared.save("n", under: "k")])
        page = try await shared.changes(shared.bob, since: bob)
        bob = page.syncToken
        #expect(changed(page).isEmpty && deleted(page) == ["n", "o"])
        page = try await shared.changes(shared.carol, since: carol)
        carol = page.syncToken
        #expect(changed(page) == ["n", "o"] && deleted(page).isEmpty)
        // Who sees both trees hears of the move as a change.
        try await shared.accept("q", shared.bob)
        bob = try await shared.changes(shared.bob, since: bob).syncToken
        try await shared.modify([shared.save("n", under: "m")])
        page = try await shared.changes(shared.bob, since: bob)
        #expect(changed(page) == ["n", "o"] && deleted(page).isEmpty)
        #expect(deleted(try await shared.changes(shared.carol, since: carol)) == ["n", "o"])
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
    }

    @Test func `of a tree 50 levels deep, and of one with 750 owning references, tells all of it`() async throws {
        let shared = try await SharedFixture()
        try await shared.modify((0..<50).map { shared.save("d\($0)", under: $0 == 0 ? .some(nil) : "d\($0 - 1)") })
        try await shared.share("d0", [(shared.bob, .readWrite)])
        #expect(changed(try await shared.changes(shared.bob)).count == 51)
        #expect(try await shared.refusal(shared.save("d50", under: "d49"), by: shared.bob) == nil)
        for start in stride(from: 0, to: 750, by: 250) {
            let results = try await shared.modify(
                (start..<start + 250).map {
                    shared.cloud.operation(
                        .create, "o\($0)",
                        ["of": .reference(Reference(recordName: "d1", action: .deleteSelf))], zone: shared.zone,
                        parent: "d1")
                }, by: shared.bob)
            #expect(results.allSatisfy { $0.error == nil })
        }
        // The whole tree moves out below another record and back.
        try await shared.modify([shared.save("d1", under: .some(nil))])
        #expect(changed(try await shared.changes(shared.bob)) == ["d0", "share-d0"])
        try await shared.modify([shared.save("d1", under: "d0")])
        var all: Set<String> = []
        var next: String?
        repeat {
            let page = try await shared.changes(shared.bob, since: next)
            all.formUnion(changed(page))
            next = page.moreComing ? page.syncToken : nil
        } while next != nil
        #expect(all.count == 52 + 750)
        // What is owned goes along.
        #expect(try await shared.refusal(shared.delete("o749"), by: shared.bob) == nil)
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
    }

    @Test func `goes backwards too`() async throws {
        let shared = try await trees()
        var found: [String] = []
        var token: String?
        repeat {
            let page = try await shared.changes(shared.bob, since: token, limit: 1, reverse: true)
            found += page.changes.compactMap { if case .record(let record) = $0 { record.id.name } else { nil } }
            token = page.moreComing ? page.syncToken : nil
        } while token != nil
        #expect(Set(found) == ["r", "a", "share-r"] && found.count == 3)
    }

    @Test func `of a whole zone tells no deletion of before one came, and each of after`() async throws {
        let shared = try await SharedFixture()
        try await shared.modify([shared.save("old"), shared.save("kept")])
        try await shared.modify([shared.delete("old")])
        try await shared.share(nil, [(shared.bob, .readOnly)])
        let first = try await shared.changes(shared.bob)
        #expect(changed(first) == ["kept", "cloudkit.zoneshare"] && deleted(first).isEmpty)
        try await shared.modify([shared.delete("kept")])
        #expect(deleted(try await shared.changes(shared.bob, since: first.syncToken)) == ["kept"])
        let list = try await shared.cloud.store.read { try $0.zones(in: shared.view(shared.bob)) }
        #expect(list.map(\.id) == [shared.zone])
        let current = try #require(list.first?.syncToken)
        #expect(try await shared.changes(shared.bob, since: current).changes.isEmpty)
    }

    @Test func `lists zones in pages however small, each once`() async throws {
        let shared = try await trees()
        for name in ["A", "B", "C"] { try await shared.cloud.makeZone(name) }
        var token: String?
        var zones: [ZoneID] = []
        var isMore = true
        while isMore {
            let page = try await shared.zones(shared.bob, since: token, limit: 1)
            zones += page.changed
            token = page.syncToken
            isMore = page.moreComing
        }
        #expect(zones == [shared.zone])
        let last = token
        let error = await #expect(throws: CloudError.self) { try await shared.zones(shared.carol, since: last) }
        #expect(error?.nativeCode == 21)
    }
}
