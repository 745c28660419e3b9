import CloudCore
import DatabaseTestSupport
import SQLCore
import Testing

@testable import CloudStorage

/// What saves in shared zones cost, and whom they tell.
@Suite struct `A save in a shared zone` {
    private enum Kind: CaseIterable { case none, tree, whole }

    private func shared(_ kind: Kind, _ count: Int, _ database: FaultyDatabase) async throws -> SharedFixture {
        let shared = try await SharedFixture(database: database)
        try await shared.modify([shared.save("r"), shared.save("p", under: "r"), shared.save("m", under: .some(nil))])
        try await shared.modify([shared.save("leaf", under: "p")])
        for start in stride(from: 0, to: count, by: 400) {
            try await shared.modify(
                (start..<min(start + 400, count)).map { shared.save("n\($0)", under: $0 % 2 == 0 ? "r" : "p") })
        }
        switch kind {
        case .none: break
        case .tree: try await shared.share("r", [(shared.bob, .readWrite)])
        case .whole: try await shared.share(nil, [(shared.bob, .readWrite)])
        }
        return shared
    }

    /// Calls and rows of the owner's and the participant's saves, deletes and small moves.
    private func costs(_ kind: Kind, _ count: Int) async throws -> [[Int]] {
        let database = FaultyDatabase(try StorageTestDatabase.make(), writers: 1)
        let shared = try await shared(kind, count, database)
        var costs: [[Int]] = []
        for writer in kind == .none ? [shared.alice] : [shared.alice, shared.bob] {
            for operations in [
                [shared.save("leaf", "new")], [shared.save("made-\(writer.userName)", under: "p")],
                [shared.save("leaf", under: "r")], [shared.save("leaf", under: "p")],
                [shared.delete("made-\(writer.userName)")],
            ] {
                database.arm(nil)
                let results = try await shared.modify(operations, by: writer)
                #expect(results.allSatisfy { $0.error == nil })
                costs.append([database.calls, database.rows])
            }
        }
        await shared.cloud.store.close()
        return costs
    }

    @Test func `costs the same among ten records and among ten thousand`() async throws {
        for kind in Kind.allCases {
            let few = try await costs(kind, 10)
            let many = try await costs(kind, 10_000)
            #expect(few == many, "\(kind)")
        }
    }

    @Test func `of an owner who shares nothing asks nothing of the tables of sharing`() async throws {
        let database = FaultyDatabase(try StorageTestDatabase.make(), writers: 1)
        let shared = try await shared(.none, 10, database)
        database.arm(nil)
        try await shared.modify([shared.save("leaf", under: "r"), shared.save("n"), shared.delete("n1")])
        let statements = database.statements
        #expect(!statements.isEmpty)
        for table in ["share", "shared_record", "participant", "membership"] {
            let word = " \(table) "
            #expect(statements.filter { "\($0) ".contains(word) } == [])
        }
        await shared.cloud.store.close()
    }

    @Test func `among 10,000 records tells each of 100 participants, and not the writer's own device`() async throws {
        let database = FaultyDatabase(try StorageTestDatabase.make(), writers: 1)
        let shared = try await shared(.whole, 10_000, database)
        let people = (0..<99).map { Writer(userName: "_person\($0)", clientID: "phone") } + [shared.bob]
        for person in people {
            if person != shared.bob { try await shared.accept(nil, person, .readOnly) }
            try await shared.subscribe(person)
        }
        try await shared.forgetPushes()
        try await shared.modify([shared.save("n5", "news")])
        #expect(try await shared.told() == people.map(\.userName).sorted())
        try await shared.forgetPushes()
        database.arm(nil)
        try await shared.modify([shared.save("n6", "news")], by: shared.bob)
        #expect(database.calls < 40, "one statement for all, not one for each")
        let origins = try await shared.cloud.store.read { transaction in
            var origins: [String: String] = [:]
            try transaction.connection.query("SELECT user_name, origin FROM outbox", []) { row in
                origins[row.text(0)] = row.optionalText(1) ?? "-"
                return true
            }
            return origins
        }
        #expect(origins.count == 100 && origins[shared.bob.userName] == shared.bob.clientID)
        #expect(origins.filter { $0.value == "-" }.count == 99)
    }

    @Test func `in a tree tells those who take part in it, and of the type they asked for`() async throws {
        let shared = try await SharedFixture()
        try await shared.modify([shared.save("r"), shared.save("q"), shared.save("a", under: "r"), shared.save("m")])
        try await shared.share("r", [(shared.bob, .readWrite)])
        try await shared.share("q", [(shared.carol, .readWrite)])
        try await shared.subscribe(shared.bob)
        try await shared.subscribe(shared.carol, to: "Note")
        try await shared.forgetPushes()
        func told(_ operations: [RecordOperation]) async throws -> [Writer] {
            try await shared.forgetPushes()
            try await shared.modify(operations)
            let users = try await shared.told()
            return [shared.bob, shared.carol].filter { users.contains($0.userName) }
        }
        #expect(try await told([shared.save("m", "x")]) == [])
        #expect(try await told([shared.save("a", "x")]) == [shared.bob])
        #expect(try await told([shared.save("q", "x")]) == [shared.carol])
        #expect(try await told([shared.save("a", under: "q")]) == [shared.bob, shared.carol])
        #expect(
            try await told([shared.cloud.operation(.create, "t", zone: shared.zone, recordType: "Task", parent: "q")])
                == [])
        #expect(try await told([shared.delete("a")]) == [shared.carol])
        // The owner hears of what participants do.
        try await shared.cloud.store.write { [shared] in
            try $0.saveSubscription(
                Subscription(id: "mine", kind: .database(recordType: nil)), in: shared.cloud.database(),
                of: shared.alice.userName)
        }
        try await shared.forgetPushes()
        try await shared.modify([shared.save("r", "theirs")], by: shared.bob)
        #expect(try await shared.told() == [shared.alice.userName, shared.bob.userName])
    }

    @Test func `by many at once is missed by no participant who follows meanwhile`() async throws {
        let shared = try await SharedFixture()
        try await shared.modify([shared.save("r"), shared.save("q")])
        try await shared.share("r", [(shared.bob, .readWrite), (shared.carol, .readWrite)])
        try await shared.share("q", [(shared.bob, .readOnly)])
        let device = try await withThrowingTaskGroup(of: SharedDevice?.self) { group in
            for (number, writer) in [shared.alice, shared.bob, shared.carol, shared.alice].enumerated() {
                group.addTask {
                    for step in 0..<40 {
                        let parent = writer == shared.alice && step % 3 == 0 ? "q" : "r"
                        try await shared.modify([shared.save("n\(number)-\(step)", under: parent)], by: writer)
                        if step % 4 == 1 {
                            try await shared.modify([shared.save("n\(number)-\(step - 1)", "again")], by: writer)
                        }
                    }
                    return nil
                }
            }
            group.addTask {
                var device = SharedDevice(shared, shared.bob)
                for _ in 0..<60 { try await device.follow(limit: 3, pages: 2) }
                return device
            }
            return try await group.reduce(nil) { $1 ?? $0 }
        }
        var follower = try #require(device)
        try await follower.follow(limit: 7, pages: .max)
        let names =
            (0..<4).flatMap { number in (0..<40).map { "n\(number)-\($0)" } } + ["r", "q", "share-r", "share-q"]
        var found: [String: String] = [:]
        for record in try await shared.lookup(names, by: shared.bob) {
            if let record { found[record.id.name] = record.changeTag }
        }
        #expect(follower.mirror == found && found.count > 150)
        await shared.cloud.store.close()
    }
}
