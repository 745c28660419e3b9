import CloudCore
@testable import CloudStorage
import Testing

@Suite struct `Making a share` {
    @Test func `shares a root, names it and changes its tag`() async throws {
        let cloud = try await ShareFixture()
        let root = try await cloud.save(cloud.note(.create, "root", guid: true))
        let guid = try #require(root.shortGUID)
        #expect(guid.utf8.count == 25 && guid.hasPrefix("0"))
        let share = try await cloud.save(
            cloud.share(.create, "S", title: "Groceries", SharingDraft(root: "root", rootChangeTag: root.changeTag)))
        #expect(share.type == "cloudkit.share" && share.shortGUID == guid && share.sharing?.root == "root")
        #expect(share.fields["cloudkit.title"] == .string("Groceries"))
        let shared = try #require(try await cloud.record("root"))
        #expect(shared.share == "S" && shared.shortGUID == guid && shared.changeTag != root.changeTag)
        #expect(try await cloud.problems() == [])
    }

    @Test func `makes the owner its first participant`() async throws {
        let cloud = try await ShareFixture()
        let sharing = try #require(try await cloud.shareTree().sharing)
        let owner = try #require(sharing.participants.first)
        #expect(sharing.participants.count == 1 && sharing.currentUser == owner && sharing.publicPermission == .none)
        #expect(owner.role == .owner && owner.permission == .readWrite && owner.status == .accepted)
        #expect(owner.identity.userRecordName == cloud.ann.name)
        #expect(owner.identity.nameComponents?.givenName == "Ann")
    }

    @Test func `makes a short GUID when the root has none`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree()
        #expect(share.shortGUID?.isEmpty == false)
        #expect(try await cloud.record("root")?.shortGUID == share.shortGUID)
    }

    @Test(arguments: [[0, 1], [1, 0]], [false, true])
    func `takes the root saved in the same request, in either order`(order: [Int], atomic: Bool) async throws {
        let cloud = try await ShareFixture()
        let operations = [
            cloud.note(.create, "root"), cloud.share(.create, "S", SharingDraft(root: "root", rootChangeTag: "stale")),
        ]
        let results = try await cloud.modify(order.map { operations[$0] } + [cloud.note(.create, "x")], atomic: atomic)
        let saved = results.compactMap(\.record)
        #expect(saved.map(\.id.name) == order.map { operations[$0].id.name } + ["x"])
        // What the answer tells of the root is what is stored.
        let root = saved.first { $0.id.name == "root" }
        let stored = try await cloud.record("root")
        #expect(root?.share == "S" && root == stored)
        #expect(try await cloud.problems() == [])
    }

    @Test func `takes an existing root that the request saves with its present tag`() async throws {
        let cloud = try await ShareFixture()
        let root = try await cloud.save(cloud.note(.create, "root"))
        let results = try await cloud.modify(
            cloud.share(.create, "S", SharingDraft(root: "root")), cloud.note(.update, "root", tag: root.changeTag),
            atomic: true)
        #expect(results.allSatisfy { $0.error == nil })
        #expect(try await cloud.record("root")?.share == "S")
    }

    @Test func `is refused when there is no such record`() async throws {
        let cloud = try await ShareFixture()
        let error = try await cloud.modify(cloud.share(.create, "S", SharingDraft(root: "none")))[0].error
        #expect(error?.code == .badRequest && error?.reason == "Cannot share - no such record exists to share")
        #expect(try await cloud.problems() == [])
    }

    @Test func `is refused when the root of the same request was refused`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.save(cloud.note(.create, "root"))
        let results = try await cloud.modify(
            cloud.share(.create, "S", SharingDraft(root: "root")), cloud.note(.update, "root", tag: "stale"))
        #expect(results.map { $0.error?.code } == [.badRequest, .conflict])
        #expect(try await cloud.record("root")?.share == nil)
    }

    @Test func `is refused with the server's root when the root's tag is stale`() async throws {
        let cloud = try await ShareFixture()
        let root = try await cloud.save(cloud.note(.create, "root"))
        try await cloud.save(cloud.note(.forceUpdate, "root"))
        let draft = SharingDraft(root: "root", rootChangeTag: root.changeTag)
        let error = try await cloud.modify(cloud.share(.create, "S", draft))[0].error
        #expect(error?.code == .conflict && error?.serverRecord?.id.name == "root")
    }

    @Test func `a root has one share only`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.shareTree()
        let error = try await cloud.modify(cloud.share(.create, "T", SharingDraft(root: "root")))[0].error
        #expect(error?.code == .exists && error?.nativeCode == 30)
    }

    @Test func `shares do not nest, siblings may be shared`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.modify(
            cloud.note(.create, "top"), cloud.note(.create, "root", parent: "top"),
            cloud.note(.create, "leaf", parent: "root"), cloud.note(.create, "sister", parent: "top"))
        try await cloud.save(cloud.share(.create, "S", SharingDraft(root: "root")))
        for name in ["leaf", "top"] {
            let error = try await cloud.modify(cloud.share(.create, "T", SharingDraft(root: name)))[0].error
            #expect(error?.code == .exists && error?.nativeCode == 30, "\(name)")
        }
        try await cloud.save(cloud.share(.create, "T", SharingDraft(root: "sister")))
        #expect(try await cloud.problems() == [])
    }

    @Test func `a shared tree is not moved into another one, alone or with what it lies in`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.modify(
            cloud.note(.create, "A"), cloud.note(.create, "a", parent: "A"), cloud.note(.create, "box"),
            cloud.note(.create, "B", parent: "box"), cloud.note(.create, "free"))
        for root in ["A", "B"] { try await cloud.save(cloud.share(.create, "share \(root)", SharingDraft(root: root))) }
        for name in ["B", "box"] {
            let error = try await cloud.modify(cloud.note(.forceUpdate, name, parent: "a"))[0].error
            #expect(error?.code == .exists && error?.nativeCode == 30, "\(name)")
        }
        try await cloud.save(cloud.note(.forceUpdate, "free", parent: "a"))
        try await cloud.save(cloud.note(.forceUpdate, "B", parent: "box"))
        #expect(try await cloud.problems() == [])
    }

    @Test func `a zone is shared as a whole by the share of the fixed name`() async throws {
        let cloud = try await ShareFixture()
        let wrong = try await cloud.modify(cloud.share(.create, "S", SharingDraft()))[0].error
        #expect(wrong?.code == .badRequest && wrong?.reason.contains("cloudkit.zoneshare") == true)
        let share = try await cloud.shareZone()
        #expect(share.shortGUID != nil && share.sharing?.root == nil)
        let again = try await cloud.modify(cloud.share(.create, Sharing.zoneWideName, SharingDraft()))[0].error
        #expect(again?.code == .exists && again?.nativeCode == 14)
        #expect(try await cloud.problems() == [])
    }

    @Test func `a record in a zone that is shared as a whole is not shared by itself`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.shareZone()
        try await cloud.save(cloud.note(.create, "root"))
        let error = try await cloud.modify(cloud.share(.create, "S", SharingDraft(root: "root")))[0].error
        #expect(error?.code == .badRequest && error?.nativeCode == 15)
    }

    @Test func `a zone that contains a shared record is not shared as a whole`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.shareTree()
        let error = try await cloud.modify(cloud.share(.create, Sharing.zoneWideName, SharingDraft()))[0].error
        #expect(error?.code == .badRequest && error?.nativeCode == 12)
        // Nor in one request with the share of a tree.
        let other = try await ShareFixture()
        try await other.save(other.note(.create, "root"))
        let both = try await other.modify(
            other.share(.create, "S", SharingDraft(root: "root")),
            other.share(.create, Sharing.zoneWideName, SharingDraft()))
        #expect(both.map { $0.error?.nativeCode } == [nil, 12])
        #expect(try await other.problems() == [])
    }

    @Test func `of two requests at once for the tree and for its zone one wins`() async throws {
        for _ in 0..<10 {
            let cloud = try await ShareFixture()
            try await cloud.save(cloud.note(.create, "root"))
            async let tree = cloud.modify(cloud.share(.create, "S", SharingDraft(root: "root")))
            async let whole = cloud.modify(cloud.share(.create, Sharing.zoneWideName, SharingDraft()))
            let errors = try await (tree + whole).compactMap(\.error)
            #expect(errors.count == 1)
            #expect(try await cloud.problems() == [])
            await cloud.store.close()
        }
    }

    @Test(arguments: [DatabaseScope.private, .public])
    func `is refused in default zones`(scope: DatabaseScope) async throws {
        let cloud = try await ShareFixture()
        let ann = cloud.ann
        let database = DatabaseID(
            container: ShareFixture.container, environment: .development, scope: scope, owner: ann.name)
        let zone = ZoneID(name: ZoneID.defaultName, owner: database.owner)
        let note = RecordOperation(type: .create, id: RecordID(name: "root", zone: zone), recordType: "Note")
        let guid = RecordOperation(
            type: .create, id: RecordID(name: "guid", zone: zone), recordType: "Note", createShortGUID: true)
        let share = RecordOperation(
            type: .create, id: RecordID(name: "S", zone: zone), recordType: Sharing.recordType,
            sharing: SharingDraft(root: "root"))
        let results = try await cloud.store.write(for: database) {
            try $0.modify([note, guid, share], in: database, zone: zone, atomic: false, by: ann.writer)
        }
        let native = scope == .private ? 12 : 24
        #expect(results.map { $0.error?.code } == [nil, .badRequest, .badRequest])
        #expect(results.map { $0.error?.nativeCode } == [nil, native, native])
    }

    @Test func `a share record is always checked by its tag`() async throws {
        let cloud = try await ShareFixture()
        let share = try await cloud.shareTree()
        for type in [RecordOperationType.forceUpdate, .forceReplace, .update, .replace] {
            let error = try await cloud.modify(cloud.share(type, "S", tag: "0", SharingDraft()))[0].error
            #expect(error?.code == .conflict && error?.serverRecord?.sharing != nil, "\(type)")
        }
        try await cloud.save(cloud.share(.forceUpdate, "S", tag: share.changeTag, title: "New", SharingDraft()))
    }

    @Test func `fields of its own live beside those of the system, whose types are fixed`() async throws {
        let cloud = try await ShareFixture()
        try await cloud.save(cloud.note(.create, "root"))
        var operation = cloud.share(.create, "S", SharingDraft(root: "root"))
        operation.fields = [FieldDraft(name: "cloudkit.title", value: .int64(1), isTyped: true)]
        #expect(try await cloud.modify(operation)[0].error?.code == .badRequest)
        operation.fields = [
            FieldDraft(name: "cloudkit.thumbnailImageData", value: .bytes([1]), isTyped: true),
            FieldDraft(name: "color", value: .string("red"), isTyped: true),
        ]
        let share = try await cloud.save(operation)
        #expect(share.fields.keys.sorted() == ["cloudkit.thumbnailImageData", "color"])
        let dotted = [FieldDraft(name: "cloudkit.title", value: .string("t"), isTyped: true)]
        var note = cloud.note(.create, "n")
        note.fields = dotted
        #expect(try await cloud.modify(note)[0].error?.code == .badRequest)
    }

    @Test func `an ordinary record has no participants and not the name of the zone's share`() async throws {
        let cloud = try await ShareFixture()
        var note = cloud.note(.create, "n")
        note.sharing = SharingDraft(publicPermission: .readOnly)
        #expect(try await cloud.modify(note)[0].error?.code == .badRequest)
        #expect(try await cloud.modify(cloud.note(.create, Sharing.zoneWideName))[0].error?.code == .badRequest)
    }
}
