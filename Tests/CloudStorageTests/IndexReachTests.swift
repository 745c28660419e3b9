import CloudCore
@testable import CloudStorage
import DatabaseTestSupport
import PostgresDriver
import SQLCore
import Testing

/// When the entries of records are made by which they are found.
@Suite struct `An index of a zone` {
    private let all = RecordQuery(recordType: "Note")

    private func words(_ text: String) -> RecordQuery {
        RecordQuery(
            recordType: "Note",
            filters: [QueryFilter(field: .user("title"), comparator: .containsAllTokens, value: .string(text))])
    }

    private func entries(_ cloud: RecordFixture) async throws -> Int64 {
        try await cloud.store.read { try $0.connection.first("SELECT COUNT(*) FROM entry") { $0.integer(0) } ?? 0 }
    }

    private func save(_ cloud: RecordFixture, _ names: Range<Int>, zone: ZoneID? = nil) async throws {
        try await cloud.modify(
            names.map { cloud.operation(.forceReplace, "n\($0)", ["title": .string("note \($0)")], zone: zone) })
    }

    @Test func `is made by the first search, and kept by every save after it`() async throws {
        let cloud = try RecordFixture()
        try await save(cloud, 0..<3)
        try await save(cloud, 1..<2)
        #expect(try await cloud.record("n1") != nil)
        #expect(try await entries(cloud) == 0)

        #expect(try await cloud.query(all, zone: cloud.zone()).count == 3)
        #expect(try await entries(cloud) == 9)  // a title and two times each

        try await save(cloud, 2..<5)
        try await cloud.modify(cloud.operation(.forceDelete, "n0"))
        #expect(try await entries(cloud) == 12)
        #expect(try await Set(cloud.query(all, zone: cloud.zone()).map(\.id.name)) == ["n1", "n2", "n3", "n4"])
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    @Test func `of words is made by the first search by words`() async throws {
        let cloud = try RecordFixture()
        try await save(cloud, 0..<3)
        _ = try await cloud.query(all, zone: cloud.zone())
        #expect(try await entries(cloud) == 9)
        #expect(try await cloud.query(words("note 2"), zone: cloud.zone()).map(\.id.name) == ["n2"])
        #expect(try await entries(cloud) == 15)
        try await save(cloud, 3..<4)
        #expect(try await entries(cloud) == 20)
    }

    @Test func `is that zone's alone`() async throws {
        let cloud = try RecordFixture()
        for name in ["A", "B"] {
            try await cloud.makeZone(name)
            try await save(cloud, 0..<2, zone: cloud.zone(name))
        }
        _ = try await cloud.query(all, zone: cloud.zone("A"))
        #expect(try await entries(cloud) == 6)
        #expect(try await cloud.query(all, zone: nil).count == 4)
        #expect(try await entries(cloud) == 12)
    }

    @Test func `begins anew with a zone that was deleted and made again`() async throws {
        let cloud = try RecordFixture()
        try await cloud.makeZone("A")
        try await save(cloud, 0..<2, zone: cloud.zone("A"))
        _ = try await cloud.query(words("note"), zone: cloud.zone("A"))
        try await cloud.store.write { [cloud] in
            try $0.deleteZone(cloud.zone("A"), in: cloud.database(), by: cloud.alice)
        }
        try await cloud.makeZone("A")
        try await save(cloud, 0..<1, zone: cloud.zone("A"))
        #expect(try await entries(cloud) == 0)
        #expect(try await cloud.query(words("note"), zone: cloud.zone("A")).map(\.id.name) == ["n0"])
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    @Test func `that takes longer than a request waits goes on with the next search`() async throws {
        let cloud = try RecordFixture(patience: .zero)
        let numbers = FieldValue.list(.int64, (0..<15).map { .int64($0) })
        for start in [0, 400, 800] {
            try await cloud.modify(
                (start..<start + 400).map { cloud.operation(.create, "n\($0)", ["numbers": numbers]) })
        }
        for _ in 0..<2 {
            let error = await #expect(throws: CloudError.self) { try await cloud.query(all, zone: cloud.zone()) }
            #expect(error?.code == .tryAgainLater && error?.retryAfter == 1)
            #expect(error?.reason.contains("'_defaultZone' is being indexed") == true, "\(error?.reason ?? "")")
            #expect(try await cloud.store.read { try $0.verify() } == [])
        }
        #expect(try await cloud.query(all, zone: cloud.zone()).count == 1200)
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `has at any time what it knows of, however saves and its parts take turns`(seed: UInt64) async throws {
        var random = SeededGenerator(state: seed)
        let cloud = try RecordFixture()
        let zone = cloud.zone()
        var model: [String: String] = [:]
        for _ in 0..<60 {
            let name = "n\(Int.random(in: 0..<20, using: &random))"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let kinds: Set<IndexKind> = Bool.random(using: &random) ? [.values, .words] : [.values]
                let work = CloudTransaction.zoneWork + Int.random(in: 1...30, using: &random)
                let missing = MissingIndexes(database: cloud.database(), zones: [zone], kinds: kinds)
                try await cloud.store.write(for: cloud.database()) {
                    $0.memory.indexingWork = CloudTransaction.indexingWork - work
                    try $0.build(missing)
                }
            case 1, 2:
                try await cloud.modify(cloud.operation(.forceDelete, name))
                model[name] = nil
            default:
                let title = "word\(Int.random(in: 0..<4, using: &random)) \(name)"
                try await cloud.modify(cloud.operation(.forceReplace, name, ["title": .string(title)]))
                model[name] = title
            }
            #expect(try await cloud.store.read { try $0.verify() } == [], "seed \(seed)")
        }
        let wanted = model.filter { $0.value.hasPrefix("word1 ") }.keys
        #expect(try await Set(cloud.query(words("word1"), zone: zone).map(\.id.name)) == Set(wanted), "seed \(seed)")
        #expect(try await Set(cloud.query(all, zone: zone).map(\.id.name)) == Set(model.keys), "seed \(seed)")
    }

    @Test func `is made in parts of bounded work, also of large records and for all who ask at once`() async throws {
        let cloud = try RecordFixture(patience: .zero)
        let numbers = FieldValue.list(.int64, (0..<9000).map { .int64($0) })
        try await cloud.modify((0..<3).map { cloud.operation(.create, "n\($0)", ["numbers": numbers]) })
        let missing = MissingIndexes(database: cloud.database(), zones: [cloud.zone()], kinds: [.values])
        // Two of one commit do no more than one.
        try await cloud.store.write(for: cloud.database()) { for _ in 0..<2 { try $0.build(missing) } }
        #expect(try await entries(cloud) == 9002)
        for _ in 0..<3 { try await cloud.store.write(for: cloud.database()) { try $0.build(missing) } }
        #expect(try await entries(cloud) == 27_006)
        #expect(try await cloud.query(all, zone: cloud.zone()).count == 3)
    }

    @Test func `is not asked for by names of records`() async throws {
        let cloud = try RecordFixture()
        try await save(cloud, 0..<3)
        let name = QueryFilter(field: .system(.recordName), comparator: .equals, value: .string("n1"))
        let named = RecordQuery(recordType: "Note", filters: [name])
        #expect(try await cloud.query(named, zone: cloud.zone()).map(\.id.name) == ["n1"])
        let sorted = RecordQuery(recordType: "Note", sorts: [QuerySort(field: .system(.recordName), ascending: false)])
        #expect(try await cloud.query(sorted, zone: cloud.zone()).map(\.id.name) == ["n2", "n1", "n0"])
        #expect(try await entries(cloud) == 0)
    }

    @Test(.enabled(if: PostgresTestDatabase.address != nil))
    func `that one process has made is kept by all`() async throws {
        let test = try PostgresTestDatabase()
        var database = test.database
        (database.writers, database.readers) = (2, 2)
        let (one, other) = (try RecordFixture(database: database), try RecordFixture(database: database))
        try await save(one, 0..<2)
        try await save(other, 2..<4)
        #expect(try await one.query(all, zone: one.zone()).count == 4)
        try await save(other, 3..<6)
        #expect(try await entries(other) == 18)
        #expect(try await one.query(all, zone: one.zone()).count == 6)
        #expect(try await other.query(words("note 5"), zone: one.zone()).map(\.id.name) == ["n5"])
        try await save(one, 6..<7)
        #expect(try await other.store.read { try $0.verify() } == [])
        for cloud in [one, other] { await cloud.store.close() }
        try test.remove()
    }
}
