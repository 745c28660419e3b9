import CloudCore
import DatabaseTestSupport
import SQLCore
import Testing

@testable import CloudStorage

/// Trees of many levels: what moves in them cost, and how deep they may be.
@Suite struct `A deep tree` {
    /// A shared root `r`, a chain of `depth` records below it, and as many records as one request moves.
    private func deep(_ depth: Int, moved: Int, limits: CloudLimits = .init(), _ database: FaultyDatabase? = nil)
        async throws -> SharedFixture
    {
        let shared = try await SharedFixture(limits: limits, database: database)
        try await shared.modify([shared.save("r")])
        try await chain("c", depth, under: "r", shared)
        try await shared.modify((0..<moved).map { shared.save("m\($0)", under: "r") })
        try await shared.modify((0..<moved).map { shared.save("leaf\($0)", under: "m\($0)") })
        try await shared.share("r", [(shared.bob, .readWrite)])
        return shared
    }

    /// Records `NAME1` … each below the one before it.
    private func chain(_ name: String, _ length: Int, under top: String?, _ shared: SharedFixture) async throws {
        for start in stride(from: 1, through: length, by: 400) {
            let operations = (start..<min(start + 400, length + 1)).map {
                shared.save("\(name)\($0)", under: .some($0 == 1 ? top : "\(name)\($0 - 1)"))
            }
            for result in try await shared.modify(operations) { _ = try result.get() }
        }
    }

    @Test func `costs its participants and its owner no more at the bottom than at the top`() async throws {
        var costs: [[Int]] = []
        for depth in [10, 900] {
            let database = FaultyDatabase(try StorageTestDatabase.make(), writers: 1)
            let shared = try await deep(depth, moved: 100, database)
            for writer in [shared.bob, shared.alice] {
                for place in ["c\(depth)", "r"] {
                    database.arm(nil)
                    let results = try await shared.modify(
                        (0..<100).map { shared.save("m\($0)", under: place) }, by: writer)
                    #expect(results.allSatisfy { $0.error == nil })
                    costs.append([database.calls, database.rows])
                }
            }
            await shared.cloud.store.close()
        }
        #expect(Array(costs.prefix(4)) == Array(costs.suffix(4)))
    }

    @Test func `is read once by a request that moves all of its records`() async throws {
        let database = FaultyDatabase(try StorageTestDatabase.make(), writers: 1)
        let shared = try await deep(800, moved: 1, database)
        database.arm(nil)
        // Every second record of the chain goes below the root, with the one below it.
        let results = try await shared.modify(
            stride(from: 2, through: 800, by: 2).map { shared.save("c\($0)", under: "r") }, by: shared.bob)
        #expect(results.allSatisfy { $0.error == nil })
        #expect(database.rows < 20 * 800)
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
        await shared.cloud.store.close()
    }

    @Test func `is made record by record, as deep as one likes`() async throws {
        var limits = CloudLimits()
        limits.treeLevels = 5
        let shared = try await deep(4, moved: 1, limits: limits)
        for level in 5...20 {
            let results = try await shared.modify(
                [shared.save("c\(level)", under: "c\(level - 1)")], by: level % 2 == 0 ? shared.bob : shared.alice)
            #expect(results.allSatisfy { $0.error == nil })
        }
        #expect(try await shared.lookup(["c20"], by: shared.bob)[0] != nil)
    }

    @Test func `is shared with as many levels as are allowed, and not with one more`() async throws {
        var limits = CloudLimits()
        limits.treeLevels = 60
        let shared = try await SharedFixture(limits: limits)
        try await chain("a", 60, under: nil, shared)
        try await chain("b", 61, under: nil, shared)
        try await shared.share("a1", [(shared.bob, .readWrite)])
        #expect(try await shared.lookup(["a60"], by: shared.bob)[0] != nil)
        let error = await #expect(throws: CloudError.self) { try await shared.share("b1", []) }
        #expect(error?.code == .badRequest && error?.nativeCode == 27)
        #expect(error?.reason.contains("'b1'") == true && error?.reason.contains("at most 60 levels") == true)
        #expect(error?.reason.contains("61 levels") == true)
        // Its lower part can be.
        try await shared.share("b2", [(shared.bob, .readWrite)])
    }

    @Test func `moves with as many levels as are allowed, and not with one more`() async throws {
        var limits = CloudLimits()
        limits.treeLevels = 60
        let shared = try await deep(1, moved: 1, limits: limits)
        try await chain("a", 60, under: nil, shared)
        try await chain("b", 61, under: nil, shared)
        try await chain("x", 59, under: "r", shared)
        func refusal(_ name: String, under parent: String?, by user: Writer) async throws -> CloudError? {
            try await shared.modify([shared.save(name, under: .some(parent))], by: user)[0].error
        }
        #expect(try await refusal("a1", under: "c1", by: shared.alice) == nil)
        let deep = try await refusal("b1", under: "c1", by: shared.alice)
        #expect(deep?.code == .badRequest && deep?.reason.contains("at most 60 levels are moved") == true)
        // Where nothing is shared nobody counts.
        try await shared.modify([shared.save("free")])
        #expect(try await refusal("b1", under: "free", by: shared.alice) == nil)
        // What the same request puts below counts.
        let both = try await shared.modify(
            [shared.save("x1", under: "a60"), shared.save("a1", under: "r")], by: shared.bob)
        #expect(both.map { $0.error?.code } == [nil, .badRequest])
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
    }

    @Test func `no tree comes into another one by way of a record that the request makes`() async throws {
        let shared = try await SharedFixture()
        try await shared.modify([shared.save("r"), shared.save("q"), shared.save("box"), shared.save("free")])
        try await shared.modify([shared.save("s", under: "box")])
        for root in ["r", "q", "s"] { try await shared.share(root, [(shared.bob, .readWrite)]) }
        let orders = [
            [shared.save("q", under: "new"), shared.save("new", under: "r")],
            [shared.save("new", under: "r"), shared.save("q", under: "new")],
            [shared.save("box", under: "new"), shared.save("new", under: "r")],
            [shared.save("free", under: "r"), shared.save("box", under: "free")],
            [shared.save("box", under: "free"), shared.save("free", under: "r")],
        ]
        for operations in orders {
            let results = try await shared.modify(operations, atomic: true)
            #expect(results.contains { $0.error?.code == .exists })
        }
        #expect(try await shared.cloud.store.read { try $0.verify() } == [])
    }

    @Test func `that has other records in it than its parents say is noticed`() async throws {
        let shared = try await deep(2, moved: 1)
        func problems(_ sql: String) async throws -> [String] {
            try await shared.cloud.store.write { try $0.connection.post(sql) }
            return try await shared.cloud.store.read { try $0.verify() }
        }
        let leaf = "(SELECT id FROM record WHERE name = 'c2')"
        let lost = try await problems("UPDATE shared_record SET gone = 1 WHERE record = \(leaf)")
        #expect(lost.count == 1 && lost.first?.contains("1 records are missing from shared trees") == true)
        #expect(try await problems("UPDATE shared_record SET gone = 0") == [])
        try await shared.modify([shared.save("free")])
        let surplus = try await problems(
            """
            INSERT INTO shared_record (db, zone, share, record, seq, gone, entered)
            SELECT x.db, x.zone, x.share, r.id, r.seq, 0, r.seq FROM shared_record x, record r
            WHERE x.record = \(leaf) AND r.name = 'free'
            """)
        #expect(surplus.count == 1 && surplus.first?.contains("that they do not belong to") == true)
        await shared.cloud.store.close()
    }
}
