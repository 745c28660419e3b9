import CloudCore
import CloudStorage
import Testing

/// What a page costs does not grow with the records there are.
@Suite struct QueryCostTests {
    private static let sizes = [1000, 10_000]
    /// Entries that a walk reads at once, in vain where few are left.
    private static let batch = 256

    private func store(_ count: Int, _ database: CountingDatabase) async throws -> RecordFixture {
        let cloud = try RecordFixture(database: database)
        var random = SeededGenerator(state: 7)
        for start in stride(from: 0, to: count, by: 250) {
            try await cloud.modify(
                (start..<start + 250).map { number in
                    cloud.operation(
                        .create, "n\(number)",
                        [
                            "place": .location(
                                Location(
                                    latitude: Double.random(in: -60...60, using: &random),
                                    longitude: Double.random(in: -180...180, using: &random))),
                            "title": .string("note \(number) all\(number % 2) w\(number % 5)"),
                        ])
                })
            cloud.advance(1)
        }
        return cloud
    }

    @Test func `a page near a point and a page of a word cost the same among ten times as many records`()
        async throws
    {
        let point = Location(latitude: 20, longitude: 30)
        let byDistance = QuerySort(field: .user("place"), relativeLocation: point)
        func words(_ comparator: Comparator, _ text: String) -> QueryFilter {
            QueryFilter(field: .user("title"), comparator: comparator, value: .string(text))
        }
        func near(_ metres: Double) -> QueryFilter {
            QueryFilter(field: .user("place"), comparator: .near, value: .location(point), distance: metres)
        }
        let queries = [
            RecordQuery(recordType: "Note", sorts: [byDistance]),
            RecordQuery(recordType: "Note", filters: [near(1e8)], sorts: [byDistance]),
            RecordQuery(recordType: "Note", filters: [words(.containsAnyTokens, "note")]),
            RecordQuery(recordType: "Note", filters: [words(.containsAllTokens, "all1 w3")]),
            RecordQuery(recordType: "Note", filters: [words(.containsAnyTokens, "w1 w2")]),
        ]
        var costs: [[Int]] = []
        for size in Self.sizes {
            let database = CountingDatabase()
            let cloud = try await store(size, database)
            var rows: [Int] = []
            for query in queries { _ = try await cloud.page(query, zone: cloud.zone(), limit: 1) }  // indexes the zone
            for query in queries {
                var marker: String?
                for _ in 0..<2 {
                    let before = database.count
                    let page = try await cloud.page(query, zone: cloud.zone(), limit: 50, after: marker)
                    #expect(page.records.count == 50)
                    rows.append(database.count - before)
                    marker = page.marker
                }
            }
            costs.append(rows)
            if size == Self.sizes.last { try await walk(cloud, database, queries[0]) }
        }
        for (index, (few, many)) in zip(costs[0], costs[1]).enumerated() {
            #expect(
                many <= few * 3 / 2 + Self.batch, "page \(index % 2) of \(queries[index / 2]): \(few), \(many) rows")
        }
    }

    /// The last pages by distance read the circle they begin at, not all within it.
    private func walk(_ cloud: RecordFixture, _ database: CountingDatabase, _ query: RecordQuery) async throws {
        var marker: String?
        var names: Set<String> = []
        repeat {
            let before = database.count
            let page = try await cloud.page(query, zone: cloud.zone(), limit: 200, after: marker)
            // An entry and a record for each row examined, also where records without a place are looked for.
            #expect(database.count - before <= 2 * CloudLimits().rowsPerQuery + 100, "after \(names.count) records")
            names.formUnion(page.records.map(\.id.name))
            marker = page.marker
        } while marker != nil
        #expect(names.count == Self.sizes.last)
    }
}
