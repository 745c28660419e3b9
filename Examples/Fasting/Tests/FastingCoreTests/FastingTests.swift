import ExampleSupport
import FastingCore
import Foundation
import Testing

@Suite struct `A fast` {
    private let start = Date(timeIntervalSince1970: 1_700_000_000)

    @Test func `is measured to its end, and to now while it lasts`() {
        var fast = Fast(goal: .sixteen, start: start)
        #expect(fast.hours(now: start.addingTimeInterval(7200)) == 2)
        fast.end = start.addingTimeInterval(3600)
        #expect(fast.hours(now: start.addingTimeInterval(7200)) == 1)
    }

    @Test func `reaches its goal with the last minute, not before`() {
        let fast = Fast(goal: .sixteen, start: start)
        #expect(!fast.isReached(now: start.addingTimeInterval(16 * 3600 - 1)))
        #expect(fast.isReached(now: start.addingTimeInterval(16 * 3600)))
    }
}

/// These talk to a `cumulet dev` of their own; they are skipped where it is not built.
@Suite(.enabled(if: DevService.executable != nil))
struct `Fasts of two people` {
    @Test func `are seen by a friend after accepting, and no longer after the end of sharing`() throws {
        let service = try DevService()
        defer { service.stop() }
        try service.signIn("carol", "carol@example.com")
        try service.signIn("dave", "dave@example.com")
        #expect(try service.run("fasting", ["begin", "18"], on: "carol") == "0.0 of 18 hours, under way")
        #expect(try service.run("fasting", ["friends"], on: "dave") == "")
        let address = try service.run("fasting", ["share"], on: "carol")
        #expect(address.hasPrefix("http"))
        #expect(try service.run("fasting", ["share"], on: "carol") == address)
        _ = try service.run("fasting", ["accept", address], on: "dave")
        let seen = try service.run("fasting", ["friends"], on: "dave").split(separator: "\n")
        #expect(seen.last == "  0.0 of 18 hours, under way")
        #expect(try service.run("fasting", ["end"], on: "carol") == "0.0 of 18 hours, ended early")
        #expect(try service.run("fasting", ["friends"], on: "dave").contains("ended early"))
        #expect(try service.run("fasting", ["list"], on: "dave") == "")
        _ = try service.run("fasting", ["unshare"], on: "carol")
        #expect(try service.run("fasting", ["friends"], on: "dave") == "")
    }
}
