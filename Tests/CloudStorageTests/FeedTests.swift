import CloudCore
import CloudStorage
import Testing

@Suite struct FeedTests {
    let cloud: RecordFixture

    init() throws { cloud = try RecordFixture() }

    private func changes(since: String?, limit: Int = 200, reverse: Bool = false) async throws -> ZoneChangesPage {
        try await cloud.store.read { [cloud] in
            try $0.zoneChanges(
                cloud.zone("Notes"), in: cloud.database(), since: since, limit: limit, reverse: reverse)
        }
    }

    private func names(_ page: ZoneChangesPage) -> [String] {
        page.changes.map {
            switch $0 {
            case .record(let record): record.id.name
            case .deleted(let id, _): "-" + id.name
            }
        }
    }

    @Test func `each record appears once, where it changed last, and deletions are told`() async throws {
        try await cloud.makeZone("Notes")
        let zone = cloud.zone("Notes")
        try await cloud.modify(
            ["a", "b", "c"].map { cloud.operation(.create, $0, zone: zone) }, atomic: true)
        let first = try await changes(since: nil)
        #expect(names(first) == ["a", "b", "c"])
        try await cloud.modify(
            cloud.operation(.forceUpdate, "a", zone: zone), cloud.operation(.delete, "b", zone: zone))
        #expect(names(try await changes(since: first.syncToken)) == ["a", "-b"])
        #expect(names(try await changes(since: nil)) == ["c", "a", "-b"])
        #expect(names(try await changes(since: nil, reverse: true)) == ["-b", "a", "c"])
    }

    @Test func `pages join to the whole`() async throws {
        try await cloud.makeZone("Notes")
        let all = (0..<25).map { "n\($0)" }
        try await cloud.modify(all.map { cloud.operation(.create, $0, zone: cloud.zone("Notes")) })
        for reverse in [false, true] {
            var read: [String] = []
            var token: String?
            var more = true
            while more {
                let page = try await changes(since: token, limit: 7, reverse: reverse)
                read += names(page)
                (token, more) = (page.syncToken, page.moreComing)
            }
            #expect(read == (reverse ? all.reversed() : all))
        }
    }

    @Test func `tokens of another zone, of a zone before it was re-created, or altered ones have expired`() async throws
    {
        try await cloud.makeZone("Notes")
        let token = try await changes(since: nil).syncToken
        try await cloud.store.write { [cloud] in
            try $0.deleteZone(cloud.zone("Notes"), in: cloud.database(), by: cloud.alice)
        }
        try await cloud.makeZone("Notes")
        for bad in [token, "AAAA", String(token.reversed())] {
            let error = await #expect(throws: CloudError.self) { _ = try await changes(since: bad) }
            #expect(error?.nativeCode == 21)
            #expect(error?.reason.contains("sync token expired") == true)
        }
    }

    @Test func `the database feed tells zones that changed and zones that went`() async throws {
        func feed(_ token: String?) async throws -> DatabaseChangesPage {
            try await cloud.store.read { [cloud] in
                try $0.databaseChanges(in: cloud.database(), since: token, limit: 200)
            }
        }
        let start = try await feed(nil)
        #expect(start.changed.isEmpty)
        try await cloud.makeZone("A")
        try await cloud.makeZone("B")
        let made = try await feed(nil)
        #expect(made.changed.map(\.name) == ["A", "B"])
        try await cloud.modify(cloud.operation(.create, "n", zone: cloud.zone("A")))
        try await cloud.store.write { [cloud] in
            try $0.deleteZone(cloud.zone("B"), in: cloud.database(), by: cloud.alice)
        }
        let after = try await feed(made.syncToken)
        #expect(after.changed.map(\.name) == ["A"])
        #expect(after.deleted.map(\.name) == ["B"])
        #expect(try await feed(after.syncToken).changed.isEmpty)
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    @Test func `the default zone has no feed`() async throws {
        let error = await #expect(throws: CloudError.self) {
            try await cloud.store.read { [cloud] in
                _ = try $0.zoneChanges(cloud.zone(), in: cloud.database(), since: nil, limit: 200)
            }
        }
        #expect(error?.reason == "cannot get changes in default zone")
    }

    @Test func `eight writers leave no gap for a reader with tokens`() async throws {
        try await cloud.makeZone("Notes")
        let zone = cloud.zone("Notes")
        let seen = try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask { [cloud] in
                    for number in 0..<20 {
                        if number == 10 { cloud.advance(-60_000) }
                        try await cloud.modify(
                            cloud.operation(.create, "w\(writer)-\(number)", zone: zone), atomic: true)
                    }
                }
            }
            var seen: [String] = []
            var token: String?
            while seen.count < 160 {
                let page = try await changes(since: token, limit: 9)
                seen += names(page)
                token = page.syncToken
            }
            try await group.waitForAll()
            return seen
        }
        #expect(seen.count == 160)
        #expect(Set(seen).count == 160)
    }
}
