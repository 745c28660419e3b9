import CloudCore
import CloudStorage
import SQLCore
import Testing

@Suite struct SubscriptionTests {
    let cloud: RecordFixture

    init() throws { cloud = try RecordFixture() }

    private struct Pushed: Hashable {
        let user: String
        let key: String
        let payload: String
        let origin: String

        /// The subscription; for one record also its zone and name.
        var about: String {
            let names = payload.contains("\"qry\"") ? ["sid", "zid", "rid"] : ["sid"]
            return names.map { member($0) }.joined(separator: "/")
        }

        private func member(_ name: String) -> String {
            payload.components(behind: "\"\(name)\":\"").first.map(String.init) ?? ""
        }
    }

    /// What waits in the outbox, which is emptied.
    private func pushes() async throws -> [Pushed] {
        try await cloud.store.write { transaction in
            var pushes: [Pushed] = []
            try transaction.connection.query(
                "SELECT user_name, collapse_key, payload, origin FROM outbox ORDER BY id", []
            ) { row in
                pushes.append(
                    Pushed(
                        user: row.text(0), key: row.text(1), payload: String(decoding: row.blob(2), as: UTF8.self),
                        origin: row.isNull(3) ? "" : row.text(3)))
                return true
            }
            try transaction.connection.execute("DELETE FROM outbox")
            return pushes
        }
    }

    private func query(
        _ filters: [QueryFilter] = [], on events: Set<Subscription.Event> = [.create, .update, .delete],
        once: Bool = false
    ) -> Subscription.Kind {
        .query(RecordQuery(recordType: "Note", filters: filters), zone: nil, firesOn: events, firesOnce: once)
    }

    private func save(
        _ id: String, _ kind: Subscription.Kind, _ scope: DatabaseScope = .private, of writer: Writer? = nil,
        info: NotificationInfo? = nil
    ) async throws {
        try await cloud.store.write { [cloud] in
            try $0.saveSubscription(
                Subscription(id: id, kind: kind, notificationInfo: info), in: cloud.database(scope, of: writer),
                of: (writer ?? cloud.alice).userName)
        }
    }

    private func saved(_ scope: DatabaseScope = .private) async throws -> [Subscription] {
        try await cloud.store.read { [cloud] in
            try $0.subscriptions(in: cloud.database(scope), of: cloud.alice.userName)
        }
    }

    @Test func `the same again succeeds, the same under another id is refused naming the first`() async throws {
        try await save("s1", query())
        try await save("s1", query())
        let error = await #expect(throws: CloudError.self) { try await save("s2", query()) }
        #expect(error?.nativeCode == 15)
        #expect(error?.reason.contains("'s1'") == true)
        try await save("s1", query(on: [.delete]))
        try await save("s2", query())
        #expect(try await saved().map(\.id) == ["s1", "s2"])
        #expect(try await saved()[0].kind == query(on: [.delete]))
    }

    @Test func `each database takes its own kinds`() async throws {
        try await cloud.makeZone("Notes")
        let zone = Subscription.Kind.zone(cloud.zone("Notes"), recordType: nil)
        let database = Subscription.Kind.database(recordType: nil)
        try await save("d", database, .shared)
        try await save("z", zone)
        try await save("d", database)
        try await save("q", query(), .public)
        #expect(try await saved(.shared).count == 1)
        let refused: [(Subscription.Kind, DatabaseScope)] = [
            (query(), .shared), (zone, .shared), (zone, .public), (database, .public),
            (.zone(cloud.zone(), recordType: nil), .private), (query(on: []), .private),
        ]
        for (kind, scope) in refused {
            let error = await #expect(throws: CloudError.self) { try await save("x", kind, scope) }
            #expect(error?.code == .badRequest)
        }
        let error = await #expect(throws: CloudError.self) {
            try await save("x", .zone(cloud.zone("None"), recordType: nil))
        }
        #expect(error?.code == .zoneNotFound)
    }

    @Test func `a query subscription tells each matching change once, with record and reason`() async throws {
        try await save(
            "s1", query([QueryFilter(field: .user("n"), comparator: .greaterThan, value: .int64(5))]))
        try await cloud.modify(
            cloud.operation(.create, "a", ["n": .int64(9)]), cloud.operation(.create, "b", ["n": .int64(1)]))
        try await cloud.modify(cloud.operation(.forceUpdate, "b", ["n": .int64(7)]))
        try await cloud.modify(cloud.operation(.forceUpdate, "b", ["n": .int64(2)]))
        try await cloud.modify(cloud.operation(.delete, "a"), cloud.operation(.delete, "b"))
        let pushes = try await pushes()
        #expect(pushes.map(\.about) == ["s1/_defaultZone/a", "s1/_defaultZone/b", "s1/_defaultZone/a"])
        #expect(pushes.map { $0.payload.contains("\"fo\":1") } == [true, false, false])
        #expect(pushes.map { $0.payload.contains("\"fo\":2") } == [false, true, false])
        #expect(pushes.allSatisfy { $0.user == cloud.alice.userName && $0.origin == "alice-phone" })
    }

    @Test func `zone and database subscriptions tell a batch once`() async throws {
        try await cloud.makeZone("Notes")
        try await save("z", .zone(cloud.zone("Notes"), recordType: "Note"))
        try await save("d", .database(recordType: nil))
        let zone = cloud.zone("Notes")
        try await cloud.modify(["a", "b"].map { cloud.operation(.create, $0, zone: zone) }, atomic: true)
        #expect(try await Set(pushes().map(\.about)) == ["z", "d"])
        try await cloud.modify(cloud.operation(.create, "c", zone: zone, recordType: "Other"))
        #expect(try await pushes().map(\.about) == ["d"])
        try await cloud.modify(cloud.operation(.create, "c"))
        #expect(try await pushes().isEmpty)
        try await cloud.store.write { [cloud] in try $0.deleteZone(zone, in: cloud.database(), by: cloud.alice) }
        #expect(try await pushes().map(\.about) == ["d"])
        #expect(try await saved().map(\.id) == ["d"])
    }

    @Test func `nothing is told of what was rolled back`() async throws {
        try await cloud.makeZone("Notes")
        try await save("s1", query())
        let zone = cloud.zone("Notes")
        try await cloud.modify(
            cloud.operation(.create, "a", zone: zone), cloud.operation(.update, "b", zone: zone, tag: "1"), atomic: true
        )
        #expect(try await pushes().isEmpty)
    }

    @Test func `a subscription that fires once goes with its first push`() async throws {
        try await save("s1", query(once: true))
        try await cloud.modify(cloud.operation(.create, "a"), cloud.operation(.create, "b"))
        #expect(try await pushes().count == 1)
        #expect(try await saved().isEmpty)
    }

    @Test func `in the public database every subscriber is told`() async throws {
        try await save("s1", query(), .public)
        try await save("s1", query(), .public, of: cloud.bob)
        try await cloud.modify(
            cloud.operation(.create, "a", zone: cloud.zone(ZoneID.defaultName, .public)), in: cloud.database(.public))
        #expect(try await Set(pushes().map(\.user)) == [cloud.alice.userName, cloud.bob.userName])
    }

    @Test func `once deleted, its content may be saved under another id`() async throws {
        try await save("s1", query())
        try await save("s1", query(), of: cloud.bob)
        try await cloud.store.write { [cloud] in
            try $0.deleteSubscription("s1", in: cloud.database(), of: cloud.alice.userName)
        }
        try await save("s2", query())
        #expect(try await saved().map(\.id) == ["s2"])
    }

    @Test func `before the first record of its type it makes no type, and fires when the record comes`() async throws {
        let wanted = QueryFilter(field: .user("n"), comparator: .equals, value: .int64(1))
        try await save("s1", query([wanted]))
        let note = RecordQuery(recordType: "Note", sorts: [QuerySort(field: .user("n"))])
        let error = await #expect(throws: CloudError.self) { try await cloud.query(note, zone: cloud.zone()) }
        #expect(error?.reason == "Did not find record type: Note")
        #expect(error?.nativeCode == 11)
        try await cloud.modify(cloud.operation(.create, "a", ["n": .int64(1)]))
        #expect(try await pushes().map(\.about) == ["s1/_defaultZone/a"])
        #expect(try await cloud.query(note, zone: cloud.zone()).map(\.id.name) == ["a"])
        await #expect(throws: CloudError.self) {
            try await save(
                "s2", .query(RecordQuery(recordType: "No type"), zone: nil, firesOn: [.create], firesOnce: false))
        }
    }

    @Test func `news of one record replace each other, others stay apart, also of equal subscriptions elsewhere`()
        async throws
    {
        try await save("s", query())
        try await save("s", query(), .public)
        let shared = cloud.zone(ZoneID.defaultName, .public)
        for _ in 0..<2 {
            try await cloud.modify(cloud.operation(.forceUpdate, "a"), cloud.operation(.forceUpdate, "b"))
            try await cloud.modify(cloud.operation(.forceUpdate, "a", zone: shared), in: cloud.database(.public))
        }
        let keys = try await pushes().map(\.key)
        #expect(keys.count == 6)
        #expect(Set(keys).count == 3)
    }

    @Test func `a collapse key is the named field's value, or itself where the record has none`() async throws {
        var info = NotificationInfo()
        info.collapseIDKey = "topic"
        try await save("s", query(), info: info)
        func key(_ name: String, _ fields: [String: FieldValue?]) async throws -> String? {
            try await cloud.modify(cloud.operation(.create, name, fields))
            return try await pushes().first?.key
        }
        let tea = try await key("a", ["topic": .string("tea")])
        #expect(try await key("b", ["topic": .string("tea")]) == tea)
        #expect(try await key("c", ["topic": .string("soup")]) != tea)
        let none = try await key("d", [:])
        #expect(none != tea)
        #expect(try await key("e", ["topic": .string("")]) == none)
    }

    @Test func `a payload above four kibibytes loses fields, then titles, then looks, then text, and says so`()
        async throws
    {
        // One Character of many bytes: cutting text at 100 characters does not shorten it.
        let accents = String(repeating: "\u{301}", count: 800)
        func payload(_ id: String, _ info: NotificationInfo) async throws -> String {
            try await save(id, query(), info: info)
            try await cloud.modify(
                cloud.operation(
                    .forceUpdate, "n1",
                    ["x": .string("x" + accents), "y": .string("y" + accents), "z": .string("z" + accents)]))
            try await cloud.store.write { [cloud] in
                try $0.deleteSubscription(id, in: cloud.database(), of: cloud.alice.userName)
            }
            return try #require(try await pushes().first?.payload)
        }
        var info = NotificationInfo()
        info.additionalFields = ["x", "y"]
        info.title = "T"
        let whole = try await payload("s1", info)
        #expect(!whole.contains("\"p\":1") && whole.contains("\"y\":"))
        info.additionalFields = ["x", "y", "z"]
        let fewer = try await payload("s2", info)
        #expect(fewer.contains("\"p\":1") && fewer.contains("\"y\":") && !fewer.contains("\"z\":"))
        #expect(fewer.contains("\"title\":\"T\""))
        info.alertBody = String(repeating: "b", count: 3500)
        info.soundName = "ping"
        let text = try await payload("s3", info)
        #expect(text.contains("\"p\":1") && !text.contains("\"x\":") && text.contains("bbb"))
        #expect(text.contains("ping"))
        info.alertBody = String(repeating: "b", count: 5000)
        let bare = try await payload("s4", info)
        #expect(bare.contains("\"p\":1") && !bare.contains("bbb") && !bare.contains("ping"))
        #expect(bare.contains("\"rid\":\"n1\"") && bare.contains("\"sid\":\"s4\""))
        #expect([whole, fewer, text, bare].allSatisfy { $0.utf8.count <= 4096 })
    }

    @Test func `the payload shows text, fields and what happened`() async throws {
        var info = NotificationInfo()
        info.alertLocalizationKey = "NEW"
        info.alertLocalizationArgs = ["title"]
        info.soundName = "ping"
        info.shouldSendContentAvailable = true
        info.additionalFields = ["title"]
        try await save("s\"1", query(), info: info)
        try await cloud.modify(cloud.operation(.create, "n1", ["title": .string("a\n\"b\"")]))
        let payload = try #require(try await pushes().first?.payload)
        let title = "a\\u000a\\\"b\\\""
        #expect(
            payload.hasPrefix(
                "{\"aps\":{\"alert\":{\"loc-key\":\"NEW\",\"loc-args\":[\"\(title)\"]},\"sound\":\"ping\","
                    + "\"content-available\":1},\"ck\":{\"ce\":2,\"cid\":\"iCloud.org.example.notes\",\"nid\":\""))
        #expect(
            payload.hasSuffix(
                "\"qry\":{\"sid\":\"s\\\"1\",\"rid\":\"n1\",\"fo\":1,\"dbs\":2,\"zid\":\"_defaultZone\",\"zoid\":\""
                    + "\(cloud.alice.userName)\",\"af\":{\"title\":\"\(title)\"}}}}"))
    }

    @Test func `deleting an unknown subscription says so`() async throws {
        let error = await #expect(throws: CloudError.self) {
            try await cloud.store.write { [cloud] in
                try $0.deleteSubscription("s", in: cloud.database(), of: cloud.alice.userName)
            }
        }
        #expect(error?.code == .notFound)
    }
}

extension String {
    /// What stands between a start and the next quote.
    fileprivate func components(behind start: String) -> [Substring] {
        guard let range = firstRange(of: start) else { return [] }
        return self[range.upperBound...].split(separator: "\"", omittingEmptySubsequences: false)
    }
}
