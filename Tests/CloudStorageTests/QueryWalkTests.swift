import CloudCore
import CloudStorage
import Testing

/// Pages of a query over more records than one page may examine.
@Suite struct QueryWalkTests {
    private static let budget = 50
    private static let count = 1000

    private static func sort(_ name: String, ascending: Bool = true) -> QuerySort {
        QuerySort(field: .user(name), ascending: ascending)
    }

    /// Queries that no index answers in order: in every record `n` is 7, `m` differs, `late` is missing.
    static let queries: [RecordQuery] = [
        RecordQuery(recordType: "Note"),
        RecordQuery(recordType: "Note", sorts: [sort("n"), sort("m", ascending: false)]),
        RecordQuery(recordType: "Note", sorts: [sort("n", ascending: false), sort("late"), sort("m")]),
        RecordQuery(recordType: "Note", sorts: [sort("late")]),
        RecordQuery(recordType: "Note", sorts: [sort("late", ascending: false)]),
        RecordQuery(recordType: "Note", sorts: [sort("late"), sort("m")]),
        RecordQuery(recordType: "Note", sorts: [sort("late"), sort("n"), sort("m", ascending: false)]),
        RecordQuery(recordType: "Note", sorts: [QuerySort(field: .system(.recordName), ascending: false)]),
        RecordQuery(
            recordType: "Note",
            filters: [QueryFilter(field: .user("n"), comparator: .notEquals, value: .int64(7))], sorts: [sort("m")]),
        RecordQuery(
            recordType: "Note",
            filters: [
                QueryFilter(field: .user("n"), comparator: .equals, value: .int64(7)),
                QueryFilter(field: .user("m"), comparator: .greaterThanOrEquals, value: .int64(990)),
            ]),
    ]

    @Test func `a page examines no more than its bound, and the pages join to the whole`() async throws {
        let database = CountingDatabase()
        var limits = CloudLimits()
        limits.rowsPerQuery = Self.budget
        let cloud = try RecordFixture(limits: limits, database: database)
        try await cloud.modify(cloud.operation(.create, "last", ["late": .int64(1)]))
        try await cloud.modify(cloud.operation(.forceDelete, "last"))
        for start in stride(from: 0, to: Self.count, by: 250) {
            try await cloud.modify(
                (start..<start + 250).map { number in
                    let scattered = Int64(number * 7 % Self.count)
                    return cloud.operation(
                        .create, "n\(number)", ["n": .int64(7), "m": .int64(scattered)])
                })
            try await cloud.modify(
                (start..<start + 250).map { cloud.operation(.create, "x\($0)", recordType: "Other") })
        }
        _ = try await cloud.page(RecordQuery(recordType: "Note"), zone: cloud.zone(), limit: 1)  // indexes the zone
        for query in Self.queries {
            var records: [Record] = []
            var marker: String?
            var pages = 0
            repeat {
                let before = database.count
                let page = try await cloud.page(query, zone: cloud.zone(), limit: 25, after: marker)
                let rows = database.count - before
                // An entry and a record for each row examined; a look at the size of a group for each sort; the schema.
                let bound = 2 * Self.budget + (max(query.sorts.count, 2) + 1) * (Self.budget + 1) + 50
                #expect(rows <= bound, "\(rows) rows read for page \(pages) of \(query)")
                records += page.records
                marker = page.marker
                pages += 1
            } while marker != nil && pages < 3 * Self.count
            #expect(marker == nil, "\(query) does not end")
            let expected = expected(query)
            #expect(Set(records.map(\.id.name)) == Set(expected.map { "n\($0)" }), "\(query)")
            #expect(records.count == expected.count, "\(query)")
            let last = query.sorts.last
            guard last?.field == .user("m") else { continue }
            let numbers = records.map { record in
                if case .int64(let number)? = record.fields["m"] { number } else { Int64(-1) }
            }
            #expect(numbers == numbers.sorted { ($0 < $1) == (last?.ascending ?? true) && $0 != $1 }, "\(query)")
        }
    }

    private func expected(_ query: RecordQuery) -> [Int] {
        guard let filter = query.filters.last else { return Array(0..<Self.count) }
        return filter.comparator == .notEquals ? [] : (0..<Self.count).filter { $0 * 7 % Self.count >= 990 }
    }

    @Test(arguments: UInt64(1)...8)
    func `records that come and go while pages are walked hide and repeat none of the others`(seed: UInt64)
        async throws
    {
        var random = SeededGenerator(state: seed)
        var limits = CloudLimits()
        limits.rowsPerQuery = Int.random(in: 3...30, using: &random)
        let cloud = try RecordFixture(limits: limits)
        var made = 0
        func fields() -> [String: FieldValue?] {
            var fields: [String: FieldValue?] = [:]
            for name in ["n", "m"] where Int.random(in: 0..<4, using: &random) > 0 {
                fields[name] = .int64(Int64.random(in: 0...2, using: &random))
            }
            return fields
        }
        func add() async throws -> String {
            made += 1
            if Bool.random(using: &random) { cloud.advance(1) }
            try await cloud.modify(cloud.operation(.create, "r\(made)", fields()))
            return "r\(made)"
        }
        try await cloud.modify(cloud.operation(.create, "r0", ["n": .int64(0), "m": .int64(0)]))
        var live = ["r0"]
        for _ in 0..<40 { live.append(try await add()) }
        for _ in 0..<4 {
            let sorts = ["n", "m"].shuffled(using: &random).prefix(Int.random(in: 0...2, using: &random)).map {
                Self.sort($0, ascending: Bool.random(using: &random))
            }
            let query = RecordQuery(recordType: "Note", sorts: Array(sorts))
            let context = "seed \(seed), at most \(limits.rowsPerQuery) rows a page, \(query)"
            var stayed = Set(live)
            var found: [String] = []
            var marker: String?
            repeat {
                let page = try await cloud.page(
                    query, zone: cloud.zone(), limit: Int.random(in: 1...7, using: &random), after: marker)
                found += page.records.map(\.id.name)
                marker = page.marker
                for _ in 0..<Int.random(in: 0...1, using: &random) { live.append(try await add()) }
                if live.count > 20, let index = live.indices.randomElement(using: &random) {
                    let name = live.remove(at: index)
                    stayed.remove(name)
                    try await cloud.modify(cloud.operation(.forceDelete, name))
                }
            } while marker != nil
            #expect(Set(found).count == found.count, "repeated: \(context)")
            #expect(stayed.subtracting(found).isEmpty, "hidden: \(stayed.subtracting(found)), \(context)")
        }
    }
}
