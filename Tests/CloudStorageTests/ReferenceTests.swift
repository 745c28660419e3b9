import CloudCore
import CloudStorage
import Testing

@Suite struct ReferenceTests {
    let cloud: RecordFixture

    init() throws { cloud = try RecordFixture() }

    private func to(_ name: String, _ action: ReferenceAction) -> FieldValue {
        .reference(Reference(recordName: name, action: action))
    }

    @Test(arguments: [ReferenceAction.validate, .deleteSelf])
    func `a reference that counts needs its target`(action: ReferenceAction) async throws {
        let error = try await cloud.modify(cloud.operation(.create, "a", ["r": to("b", action)]))[0].error
        #expect(error?.code == .validatingReferenceError)
        #expect(try await cloud.modify(cloud.operation(.create, "c", ["r": to("b", .none)]))[0].error == nil)
    }

    @Test func `the target may come later in the request, even round in a circle`() async throws {
        let results = try await cloud.modify(
            cloud.operation(.create, "a", ["r": to("b", .validate)], parent: .some("c")),
            cloud.operation(.create, "b", ["r": to("a", .deleteSelf)]), cloud.operation(.create, "c"))
        #expect(results.allSatisfy { $0.error == nil })
    }

    @Test func `who rests on a record that fails fails too`() async throws {
        let results = try await cloud.modify(
            cloud.operation(.create, "a", ["r": to("b", .validate)]),
            cloud.operation(.update, "b", ["r": to("a", .none)], tag: "9"), cloud.operation(.create, "c"))
        #expect(results.map { $0.error?.code } == [.validatingReferenceError, .notFound, nil])
        #expect(try await cloud.record("a") == nil)
        #expect(try await cloud.record("c") != nil)
    }

    @Test func `owned records go with their owner, through every level`() async throws {
        try await cloud.modify(
            cloud.operation(.create, "a"), cloud.operation(.create, "b", ["r": to("a", .deleteSelf)]),
            cloud.operation(.create, "c", ["r": .list(.reference, [to("b", .deleteSelf)])]))
        try await cloud.modify(cloud.operation(.delete, "a"))
        for name in ["a", "b", "c"] { #expect(try await cloud.record(name) == nil) }
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    @Test func `a parent goes only with its children`() async throws {
        try await cloud.modify(cloud.operation(.create, "p"), cloud.operation(.create, "c", parent: .some("p")))
        #expect(try await cloud.modify(cloud.operation(.delete, "p"))[0].error?.code == .validatingReferenceError)
        let results = try await cloud.modify(cloud.operation(.delete, "p"), cloud.operation(.delete, "c"))
        #expect(results.allSatisfy { $0.error == nil })
    }

    @Test func `owning references have a limit`() async throws {
        var limits = CloudLimits()
        limits.owningReferences = 2
        let cloud = try RecordFixture(limits: limits)
        try await cloud.modify(cloud.operation(.create, "a"))
        for name in ["b", "c"] {
            #expect(
                try await cloud.modify(cloud.operation(.create, name, ["r": to("a", .deleteSelf)]))[0].error == nil)
        }
        let error = try await cloud.modify(cloud.operation(.create, "d", ["r": to("a", .deleteSelf)]))[0].error
        #expect(error?.nativeCode == 27)
    }
}
