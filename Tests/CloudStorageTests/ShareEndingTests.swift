import CloudCore
@testable import CloudStorage
import SQLCore
import Testing

@Suite struct `The end of a share` {
    private func accepted(_ cloud: ShareFixture) async throws -> Record {
        let share = try await cloud.shareTree(.none, ShareFixture.invite(.emailAddress("bob@example.com")))
        try await cloud.accept(cloud.link(share), by: cloud.bob)
        return share
    }

    @Test func `leaves the records with the owner, the root with another tag`() async throws {
        let cloud = try await ShareFixture()
        _ = try await accepted(cloud)
        let shared = try await cloud.record("root")
        #expect(try await cloud.modify(cloud.delete("S"))[0].error == nil)
        let root = try #require(try await cloud.record("root"))
        #expect(root.share == nil && root.changeTag != shared?.changeTag && root.fields == shared?.fields)
        #expect(try await cloud.record("leaf") != nil)
        #expect(try await cloud.record("S") == nil)
        #expect(try await cloud.memberships(of: cloud.bob) == ["-Notes"])
        #expect(try await cloud.problems() == [])
    }

    @Test func `comes with its root's deletion, by the owner`() async throws {
        let cloud = try await ShareFixture()
        let share = try await accepted(cloud)
        #expect(try await cloud.modify(cloud.delete("root"), by: cloud.bob)[0].error?.code == .accessDenied)
        let results = try await cloud.modify(cloud.delete("root"), cloud.delete("leaf"))
        #expect(results.allSatisfy { $0.error == nil })
        #expect(try await cloud.record("S") == nil)
        #expect(try await cloud.memberships(of: cloud.bob) == ["-Notes"])
        #expect(try await cloud.problems() == [])
        // A new record of that name is another one: nobody comes to it by the old URL.
        try await cloud.save(cloud.note(.create, "root"))
        let again = try await cloud.save(cloud.share(.create, "S", SharingDraft(root: "root")))
        #expect(again.shortGUID != nil && again.shortGUID != share.shortGUID)
    }

    @Test(arguments: [["S", "root", "leaf"], ["root", "S", "leaf"]], [false, true])
    func `and the root's deletion may come in one request, with the tags of before`(order: [String], atomic: Bool)
        async throws
    {
        let cloud = try await ShareFixture()
        _ = try await accepted(cloud)
        var operations: [RecordOperation] = []
        for name in order { operations.append(cloud.delete(name, tag: try await cloud.record(name)?.changeTag)) }
        #expect(try await cloud.modify(operations, atomic: atomic).allSatisfy { $0.error == nil })
        for name in order { #expect(try await cloud.record(name) == nil) }
        #expect(try await cloud.problems() == [])
    }

    @Test func `comes with the deletion of what owns the root`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.save(cloud.note(.create, "box"))
        var root = cloud.note(.create, "root")
        let owner = FieldValue.reference(Reference(recordName: "box", action: .deleteSelf))
        root.fields.append(FieldDraft(name: "box", value: owner, isTyped: true))
        try await cloud.save(root)
        try await cloud.save(cloud.share(.create, "S", SharingDraft(root: "root")))
        #expect(try await cloud.modify(cloud.delete("box"))[0].error == nil)
        #expect(try await cloud.record("S") == nil)
        #expect(try await cloud.problems() == [])
    }

    @Test func `comes to all shares with the deletion of the zone, and none comes back with its name`() async throws {
        let cloud = try await ShareFixture()
        let share = try await accepted(cloud)
        let (database, zone, ann) = (cloud.database, cloud.zone, cloud.ann)
        try await cloud.store.write(for: database) { try $0.deleteZone(zone, in: database, by: ann.writer) }
        #expect(try await cloud.memberships(of: cloud.bob) == ["-Notes"])
        #expect(try await cloud.problems() == [])
        try await cloud.store.write(for: database) { _ = try $0.createZone(zone, in: database, by: ann.writer) }
        #expect(try await cloud.shareZone().shortGUID != share.shortGUID)
        #expect(try await cloud.problems() == [])
    }

    @Test func `gives the zone free to be shared in the other way`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.shareTree()
        try await cloud.modify(cloud.delete("S"))
        try await cloud.shareZone()
        try await cloud.modify(cloud.delete(Sharing.zoneWideName))
        try await cloud.save(cloud.share(.create, "T", SharingDraft(root: "root")))
        #expect(try await cloud.problems() == [])
    }

    @Test func `and a new share of the same root or zone have the same URL`() async throws {
        let cloud = try await ShareFixture()
        let first = try await cloud.shareTree()
        try await cloud.modify(cloud.delete("S"))
        let second = try await cloud.save(cloud.share(.create, "T", SharingDraft(root: "root")))
        #expect(second.shortGUID == first.shortGUID)
        try await cloud.modify(cloud.delete("T"))
        let zone = try await cloud.shareZone()
        try await cloud.modify(cloud.delete(Sharing.zoneWideName))
        #expect(try await cloud.shareZone().shortGUID == zone.shortGUID)
        #expect(try await cloud.problems() == [])
    }

    @Test func `and a new share never come together in a request that saves a stale root`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.save(cloud.note(.create, "R"))
        try await cloud.modify((0..<95).map { cloud.note(.create, "child\($0)", parent: "R") })
        try await cloud.save(cloud.share(.create, "S", SharingDraft(root: "R")))
        let cached = try #require(try await cloud.record("R"))
        try await cloud.modify(cloud.delete("S"))
        func batch(_ type: RecordOperationType, _ tag: String?) -> [RecordOperation] {
            [cloud.note(type, "R", tag: tag), cloud.share(.create, "S2", SharingDraft(root: "R", rootChangeTag: tag))]
                + (0..<95).map { cloud.note(.forceUpdate, "child\($0)", parent: "R") }
        }
        let before = try await cloud.record("child7")
        let refused = try await cloud.modify(batch(.update, cached.changeTag), atomic: true)
        #expect(refused[0].error?.code == .conflict && refused[0].error?.serverRecord?.share == nil)
        #expect(refused.dropFirst().allSatisfy { $0.error?.code == .atomicError })
        #expect(try await cloud.record("child7") == before)
        #expect(try await cloud.record("S2") == nil)
        let fresh = try await cloud.record("R")?.changeTag
        let taken = try await cloud.modify(batch(.update, fresh), atomic: true)
        #expect(taken.allSatisfy { $0.error == nil })
        try await cloud.modify(cloud.delete("S2"))
        #expect(try await cloud.modify(batch(.forceUpdate, nil), atomic: true).allSatisfy { $0.error == nil })
        #expect(try await cloud.problems() == [])
    }

    @Test func `does not come when a participant deletes the share: he leaves it`() async throws {
        let cloud = try await ShareFixture()
        let share = try await accepted(cloud)
        #expect(try await cloud.modify(cloud.delete("S"), by: cloud.cid)[0].error?.code == .accessDenied)
        #expect(try await cloud.modify(cloud.delete("S"), by: cloud.bob)[0].error == nil)
        let after = try #require(try await cloud.record("S"))
        #expect(after.sharing?.participants.count == 1 && after.changeTag != share.changeTag)
        #expect(try await cloud.memberships(of: cloud.bob) == ["-Notes"])
        #expect(try await cloud.record("root")?.share == "S")
        #expect(try await cloud.problems() == [])
    }

    @Test(arguments: [SharePermission.readWrite, .none])
    func `is not what a second user's coming or going brings to a shared zone`(_ permission: SharePermission)
        async throws
    {
        let cloud = try await ShareFixture()
        for start in stride(from: 0, to: 500, by: 250) {
            try await cloud.modify((start..<start + 250).map { cloud.note(.create, "n\($0)") })
        }
        var share = try await cloud.shareZone(permission)
        for round in 0..<20 {
            if permission == .none {
                let draft = SharingDraft(participants: [ShareFixture.invite(.emailAddress("bob@example.com"))])
                share = try await cloud.save(cloud.share(.update, share.id.name, tag: share.changeTag, draft))
            }
            try await cloud.accept(cloud.link(share), by: cloud.bob)
            #expect(try await cloud.sharing(share.id.name)?.participants.count == 2)
            let names = (0..<10).map { "r\(round)-\($0)" }
            #expect(
                try await cloud.modify(names.map { cloud.note(.create, $0) }, by: cloud.bob)
                    .allSatisfy { $0.error == nil })
            if round.isMultiple(of: 2) {
                try await cloud.modify(cloud.delete(share.id.name), by: cloud.bob)
            } else {
                let tag = try await cloud.record(share.id.name)?.changeTag
                let alone = SharingDraft(participants: [])
                try await cloud.save(cloud.share(.update, share.id.name, tag: tag, alone))
            }
            share = try #require(try await cloud.record(share.id.name))
            #expect(share.sharing?.participants.count == 1)
        }
        let count = try await cloud.store.read { transaction in
            try transaction.connection.first("SELECT COUNT(*) FROM record WHERE deleted = 0") { $0.integer(0) }
        }
        #expect(count.map { Int($0) } == 701, "500 of the start, 10 in each round, the share")
        #expect(try await cloud.problems() == [])
    }
}
