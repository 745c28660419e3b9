import CloudCore
import CloudStorage
import Testing

/// Queries over all zones of a database.
@Suite struct ZoneWideQueryTests {
    private static let zones = 500

    private func cloud(_ limits: CloudLimits = .init(), database: CountingDatabase? = nil) async throws
        -> RecordFixture
    {
        let cloud = try RecordFixture(limits: limits, database: database)
        let zones = (0..<Self.zones - 1).map { cloud.zone("z\($0)") }
        try await cloud.store.write { [cloud] transaction in
            for zone in zones { try transaction.createZone(zone, in: cloud.database(), by: cloud.alice) }
        }
        for (number, zone) in (zones + [cloud.zone()]).enumerated() {
            try await cloud.modify(
                cloud.operation(
                    .create, "n\(number)",
                    [
                        "n": .int64(Int64(number * 7 % Self.zones)), "title": .string("word w\(number % 5)"),
                        "place": .location(Location(latitude: 0, longitude: Double(number) / 10)),
                    ], zone: zone))
            cloud.advance(1)
        }
        return cloud
    }

    @Test func `every zone is searched, in one order, at a bounded cost for a page`() async throws {
        let database = CountingDatabase()
        let cloud = try await cloud(database: database)
        let word = QueryFilter(field: .text, comparator: .containsAllTokens, value: .string("word w1"))
        let near = QueryFilter(
            field: .user("place"), comparator: .near, value: .location(Location(latitude: 0, longitude: 10)),
            distance: 100_000)
        let byNumber = QuerySort(field: .user("n"), ascending: false)
        let byDistance = QuerySort(field: .user("place"), relativeLocation: Location(latitude: 0, longitude: 60))
        let all = Array(0..<Self.zones)
        let queries: [([QueryFilter], [QuerySort], [Int])] = [
            ([], [], all), ([], [byNumber], all.sorted { $0 * 7 % Self.zones > $1 * 7 % Self.zones }),
            ([], [QuerySort(field: .system(.recordName))], all.sorted { "n\($0)" < "n\($1)" }),
            ([word], [], all.filter { $0 % 5 == 1 }), ([near], [], Array(92...108)),
            ([], [byDistance], all.reversed()),
            ([QueryFilter(field: .user("n"), comparator: .equals, value: .int64(7))], [], [1]),
            (
                [
                    QueryFilter(
                        field: .system(.recordName), comparator: .in,
                        value: .list(.string, [.string("n3"), .string("n9")]))
                ], [], [3, 9]
            ),
            (
                [
                    QueryFilter(
                        field: .user("n"), comparator: .in, value: .list(.int64, (0..<250).map { .int64($0) }))
                ], [], all.filter { $0 * 7 % Self.zones < 250 }
            ),
        ]
        for filters in [[], [word]] {  // indexes the zones
            _ = try await cloud.page(RecordQuery(recordType: "Note", filters: filters), zone: nil, limit: 1)
        }
        for (filters, sorts, expected) in queries {
            let query = RecordQuery(recordType: "Note", filters: filters, sorts: sorts)
            var found: [String] = []
            var marker: String?
            repeat {
                let before = database.count
                let page = try await cloud.page(query, zone: nil, limit: 120, after: marker)
                let rows = database.count - before
                // The zones, two entries of each at first, the records and their ties.
                #expect(rows <= 3 * Self.zones + 2 * CloudLimits().rowsPerQuery, "\(rows) rows for \(query)")
                found += page.records.map(\.id.name)
                marker = page.marker
            } while marker != nil
            #expect(found == expected.map { "n\($0)" }, "\(query)")
        }
    }

    @Test func `as many zones as the limit are searched, one more is refused with the number`() async throws {
        var limits = CloudLimits()
        limits.zonesPerQuery = 4
        let cloud = try RecordFixture(limits: limits)
        for name in ["a", "b", "c"] { try await cloud.makeZone(name) }
        try await cloud.modify(cloud.operation(.create, "n", zone: cloud.zone("b")))
        let query = RecordQuery(recordType: "Note")
        #expect(try await cloud.query(query, zone: nil).map(\.id.name) == ["n"])
        try await cloud.makeZone("d")
        let error = await #expect(throws: CloudError.self) { _ = try await cloud.query(query, zone: nil) }
        #expect(error?.reason.contains("more than 4 zones") == true && error?.nativeCode == 27)
        #expect(try await cloud.query(query, zone: cloud.zone("b")).map(\.id.name) == ["n"])
    }

    @Test func `the shared database takes no query without a zone`() async throws {
        let cloud = try RecordFixture()
        let error = await #expect(throws: CloudError.self) {
            _ = try await cloud.store.read {
                try $0.query(
                    RecordQuery(recordType: "Note"), in: cloud.database(.shared), zone: nil, limit: 1, marker: nil)
            }
        }
        #expect(error?.code == .badRequest && error?.reason == "SharedDB does not support Zone Wide queries")
    }
}
