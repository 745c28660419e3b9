import CloudCore
import Testing

@testable import CloudStorage

/// What participants of shared trees and zones see, and what they may do.
@Suite struct `A participant` {
    /// r (root) > a > b, and beside them x and y, which nobody shares.
    private func tree(_ people: [(KeyPath<SharedFixture, Writer>, SharePermission)] = [(\.bob, .readWrite)])
        async throws
        -> SharedFixture
    {
        let shared = try await SharedFixture()
        try await shared.modify([
            shared.save("x", under: .some(nil)), shared.save("r", under: "x"), shared.save("a", under: "r"),
            shared.save("b", under: "a"), shared.save("y", under: .some(nil)),
        ])
        try await shared.share("r", people.map { (shared[keyPath: $0.0], $0.1) })
        return shared
    }

    private let everything = ["r", "a", "b", "x", "y", "share-r"]

    private func names(_ records: [Record?]) -> [String] { records.compactMap { $0?.id.name } }

    @Test func `the numbers of a full database are told to its owner alone`() async throws {
        var limits = CloudLimits()
        limits.privateDatabaseBytes = 4000
        let shared = try await SharedFixture(limits: limits)
        try await shared.modify([shared.save("r"), shared.save("a", under: "r")])
        try await shared.share("r", [(shared.bob, .readWrite)])
        let large = shared.save("a", under: "r", String(repeating: "x", count: 5000))
        for (user, isTold) in [(shared.alice, true), (shared.bob, false)] {
            let error = await #expect(throws: CloudError.self) { try await shared.modify([large], by: user) }
            #expect(error?.code == .quotaExceeded && error?.nativeCode == 25)
            #expect(error?.reason.contains("at most 4000") == isTold)
            #expect(error?.reason.contains { $0.isNumber } == isTold, "\(error?.reason ?? "")")
        }
        await shared.cloud.store.close()
    }

    @Test func `sees the share record, the root and what is below, and of the root not what it lies in`() async throws {
        let shared = try await tree()
        let found = try await shared.lookup(everything, by: shared.bob)
        #expect(names(found) == ["r", "a", "b", "share-r"])
        #expect(found[0]?.parent == nil && found[1]?.parent == "r")
        let page = try await shared.changes(shared.bob)
        let places = page.changes.map { change in
            if case .record(let record) = change { "\(record.id.name) in \(record.parent ?? "-")" } else { "gone" }
        }
        #expect(Set(places) == ["r in -", "a in r", "b in a", "share-r in -"])
        let refused = try await shared.modify(
            [shared.cloud.operation(.update, "r", zone: shared.zone, tag: "0")], by: shared.bob)
        #expect(refused[0].error?.serverRecord?.id.name == "r" && refused[0].error?.serverRecord?.parent == nil)
    }

    @Test func `of nothing in a zone does not learn that it is there`() async throws {
        let shared = try await tree()
        let zones = [
            shared.zone, ZoneID(name: "None", owner: shared.alice.userName), ZoneID(name: "a\0b", owner: "a\0b"),
        ]
        for zone in zones {
            for work: @Sendable (CloudTransaction) throws -> Void in [
                { _ = try $0.records(["r"], zone: zone, in: shared.view(shared.carol)) },
                { _ = try $0.zoneChanges(zone, in: shared.view(shared.carol), since: nil, limit: 1) },
                {
                    _ = try $0.query(
                        RecordQuery(recordType: "Note"), in: shared.view(shared.carol), zone: zone, limit: 1,
                        marker: nil)
                }, { _ = try $0.zone(zone, in: shared.view(shared.carol)) },
            ] {
                let error = await #expect(throws: CloudError.self) { try await shared.cloud.store.read(work) }
                #expect(error?.code == .zoneNotFound)
                #expect(error?.reason == "Zone '\(zone.name)' of owner '\(zone.owner)' does not exist")
            }
        }
        #expect(try await shared.refusal(shared.save("r"), by: shared.carol) == .zoneNotFound)
        #expect(try await shared.zones(shared.carol).changed.isEmpty)
        let list = try await shared.cloud.store.read { try $0.zones(in: shared.view(shared.carol)) }
        #expect(list.isEmpty)
    }

    /// Case C13.
    @Test func `of a tree makes new records only below what is shared with him`() async throws {
        let shared = try await tree()
        #expect(try await shared.refusal(shared.save("n1"), by: shared.bob) == .accessDenied)
        #expect(try await shared.refusal(shared.save("n2", under: "a"), by: shared.bob) == nil)
        #expect(try await shared.refusal(shared.save("n3", under: "x"), by: shared.bob) == .accessDenied)
        #expect(try await shared.refusal(shared.save("n4", under: "none"), by: shared.bob) == .accessDenied)
        // In one request a child may come before what it lies in.
        let results = try await shared.modify(
            [shared.save("c", under: "p"), shared.save("p", under: "b")], by: shared.bob, atomic: true)
        #expect(results.allSatisfy { $0.error == nil })
        let circle = try await shared.modify(
            [shared.save("k", under: "l"), shared.save("l", under: "k")], by: shared.bob)
        #expect(circle.allSatisfy { $0.error?.code == .accessDenied })
        #expect(names(try await shared.lookup(["n1", "n2", "c", "p", "k"], by: shared.bob)) == ["n2", "c", "p"])
    }

    /// Case C13.
    @Test func `of a whole zone makes new records anywhere in it`() async throws {
        let shared = try await SharedFixture()
        try await shared.modify([shared.save("x")])
        try await shared.share(nil, [(shared.bob, .readWrite), (shared.carol, .readOnly)])
        #expect(try await shared.refusal(shared.save("n"), by: shared.bob) == nil)
        #expect(try await shared.refusal(shared.save("m"), by: shared.carol) == .accessDenied)
        #expect(names(try await shared.lookup(["n", "x", "m"], by: shared.carol)) == ["n", "x"])
    }

    /// Case C14.
    @Test func `deletes and changes what is below the root, and not the root`() async throws {
        let shared = try await tree()
        let results = try await shared.modify(
            [shared.delete("b"), shared.delete("r"), shared.save("a", "edited")], by: shared.bob)
        #expect(results.map { $0.error?.code } == [nil, .accessDenied, nil])
        #expect(results[1].error?.nativeCode == 10 && results[1].error?.reason.contains("'r'") == true)
        #expect(names(try await shared.lookup(everything, by: shared.bob)) == ["r", "a", "share-r"])
    }

    @Test(arguments: [SharePermission.readOnly, .readWrite])
    func `who deletes the root and nothing else leaves, and the records stay`(permission: SharePermission) async throws
    {
        let shared = try await tree([(\.bob, permission), (\.carol, .readWrite)])
        let zones = try await shared.zones(shared.bob)
        #expect(try await shared.refusal(shared.delete("r"), by: shared.bob) == nil)
        #expect(try await shared.zones(shared.bob, since: zones.syncToken).deleted == [shared.zone])
        #expect(names(try await shared.lookup(everything, by: shared.carol)) == ["r", "a", "b", "share-r"])
        #expect(try await shared.cloud.record("r", zone: shared.zone)?.share == "share-r")
    }

    @Test func `with leave to read changes nothing`() async throws {
        let shared = try await tree([(\.bob, .readOnly)])
        for operation in [
            shared.save("a"), shared.save("n", under: "a"), shared.delete("b"), shared.delete("none"),
            shared.save("r", under: .some(nil)), shared.save("x"),
        ] { #expect(try await shared.refusal(operation, by: shared.bob) == .accessDenied) }
        #expect(names(try await shared.lookup(everything, by: shared.bob)) == ["r", "a", "b", "share-r"])
    }

    @Test func `does not touch what he does not see, whatever he knows of it`() async throws {
        let shared = try await tree()
        let tag = try #require(try await shared.cloud.record("x", zone: shared.zone)).changeTag
        func operation(_ type: RecordOperationType, under parent: String?? = nil) -> RecordOperation {
            shared.cloud.operation(type, "x", ["title": .string("taken")], zone: shared.zone, tag: tag, parent: parent)
        }
        #expect(try await shared.refusal(operation(.update), by: shared.bob) == .notFound)
        #expect(try await shared.refusal(operation(.replace), by: shared.bob) == .notFound)
        #expect(try await shared.refusal(operation(.forceUpdate, under: "a"), by: shared.bob) == .accessDenied)
        #expect(try await shared.refusal(operation(.create, under: "a"), by: shared.bob) == .accessDenied)
        // As with any record that is not there.
        #expect(try await shared.refusal(operation(.forceDelete), by: shared.bob) == nil)
        let reference = FieldValue.reference(Reference(recordName: "x", action: .validate))
        let pointing = shared.cloud.operation(.forceUpdate, "a", ["to": reference], zone: shared.zone)
        #expect(try await shared.refusal(pointing, by: shared.bob) == .validatingReferenceError)
        #expect(try await shared.cloud.record("x", zone: shared.zone)?.changeTag == tag)
    }

    @Test func `moves records within what he may write, and never out of it`() async throws {
        let shared = try await tree()
        try await shared.modify([shared.save("q", under: .some(nil)), shared.save("s", under: .some(nil))])
        try await shared.share("q", [(shared.bob, .readWrite), (shared.carol, .readOnly)])
        try await shared.share("s", [(shared.bob, .readOnly)])
        #expect(try await shared.refusal(shared.save("b", under: .some(nil)), by: shared.bob) == .accessDenied)
        #expect(try await shared.refusal(shared.save("b", under: "y"), by: shared.bob) == .accessDenied)
        #expect(try await shared.refusal(shared.save("b", under: "s"), by: shared.bob) == .accessDenied)
        #expect(try await shared.refusal(shared.save("a", under: "b"), by: shared.bob) == .accessDenied)
        #expect(try await shared.refusal(shared.save("r", under: "b"), by: shared.bob) == .accessDenied)
        #expect(names(try await shared.lookup(["a", "b"], by: shared.carol)) == [])
        #expect(try await shared.refusal(shared.save("a", under: "q"), by: shared.bob) == nil)
        #expect(names(try await shared.lookup(["q", "a", "b", "r"], by: shared.carol)) == ["q", "a", "b"])
        // The root stays in what the owner put it in.
        try await shared.modify([shared.save("r", under: .some(nil), "new", .forceReplace)], by: shared.bob)
        #expect(try await shared.cloud.record("r", zone: shared.zone)?.parent == "x")
    }

    @Test func `deletes nothing along that he may not delete`() async throws {
        let shared = try await tree()
        let owned = FieldValue.reference(Reference(recordName: "b", action: .deleteSelf))
        try await shared.modify([shared.cloud.operation(.forceUpdate, "y", ["of": owned], zone: shared.zone)])
        #expect(try await shared.refusal(shared.delete("b"), by: shared.bob) == .accessDenied)
        #expect(try await shared.cloud.record("y", zone: shared.zone) != nil)
        try await shared.modify([shared.delete("b")])
        #expect(try await shared.cloud.record("y", zone: shared.zone) == nil)
    }

    @Test func `finds by a query what he sees, page by page within the budget, and no marker tells of the rest`()
        async throws
    {
        var limits = CloudLimits()
        limits.rowsPerQuery = 5
        let shared = try await SharedFixture(limits: limits)
        try await shared.modify([shared.save("r", "t-r")])
        try await shared.modify((0..<40).map { shared.save("x\($0)", "secret \($0)") })
        try await shared.modify((0..<7).map { shared.save("v\($0)", under: "r", "t\($0)") })
        try await shared.share("r", [(shared.bob, .readOnly)])
        for sorts in [
            [QuerySort(field: .user("title"))], [], [QuerySort(field: .system(.recordName), ascending: false)],
        ] {
            var found: [String] = []
            var marker: String?
            var pages = 0
            repeat {
                let page = try await shared.cloud.store.read { [marker] in
                    try $0.query(
                        RecordQuery(recordType: "Note", sorts: sorts), in: shared.view(shared.bob), zone: shared.zone,
                        limit: 3, marker: marker)
                }
                found += page.records.map(\.id.name)
                marker = page.marker
                pages += 1
                if let marker {
                    let bytes = try #require(Base64Text.decode(marker))
                    #expect(!String(decoding: bytes, as: UTF8.self).contains("secret"))
                }
            } while marker != nil
            #expect(Set(found) == Set(["r"] + (0..<7).map { "v\($0)" }) && found.count == 8)
            #expect(pages > 8)
        }
        let wide = await #expect(throws: CloudError.self) {
            try await shared.cloud.store.read {
                try $0.query(
                    RecordQuery(recordType: "Note"), in: shared.view(shared.bob), zone: nil, limit: 3, marker: nil)
            }
        }
        #expect(wide?.code == .badRequest)
    }

    /// Case C32.
    @Test func `subscribes to his shared database and to nothing smaller in it`() async throws {
        let shared = try await tree()
        for kind in [
            Subscription.Kind.query(
                RecordQuery(recordType: "Note"), zone: shared.zone, firesOn: [.create], firesOnce: false),
            .zone(shared.zone, recordType: nil),
        ] {
            let error = await #expect(throws: CloudError.self) {
                try await shared.cloud.store.write {
                    try $0.saveSubscription(
                        Subscription(id: "q", kind: kind), in: shared.view(shared.bob), of: shared.bob.userName)
                }
            }
            #expect(error?.code == .badRequest && error?.reason.contains("shared database") == true)
        }
        try await shared.subscribe(shared.bob)
    }
}
