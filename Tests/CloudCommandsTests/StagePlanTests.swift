import Testing

@testable import CloudCommands

/// What `cumulet stage --devices` takes.
@Suite struct `The devices of a stage` {
    @Test func `have a name and an account, which is at example.com unless it says where`() throws {
        let plan = try StagePlan("phone:alice,tablet:alice,other:bob@cumulet.org")
        #expect(plan.devices.map(\.name) == ["phone", "tablet", "other"])
        #expect(plan.devices.map(\.account) == ["alice@example.com", "alice@example.com", "bob@cumulet.org"])
        #expect(plan.devices.map(\.isWide) == [false, true, false])
    }

    @Test(arguments: [
        "", "phone", "phone:", ":alice", "phone:alice,", "phone:alice:x", "Phone:alice", "../x:alice", "phone:al ice",
        "phone:a,phone:b", "a:a,b:a,c:a,d:a,e:a,f:a,g:a,h:a,i:a",
    ])
    func `are refused with a reason where they are no such thing`(text: String) {
        #expect(throws: UsageError.self) { try StagePlan(text) }
    }
}
