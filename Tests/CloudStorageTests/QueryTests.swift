import CloudCore
import CloudStorage
import Testing

@Suite struct QueryTests {
    let cloud: RecordFixture

    init() throws { cloud = try RecordFixture() }

    private func names(
        _ filters: [QueryFilter] = [], sorts: [QuerySort] = [], zone: ZoneID? = nil, everywhere: Bool = false,
        limit: Int = 200
    ) async throws -> [String] {
        try await cloud.query(
            RecordQuery(recordType: "Note", filters: filters, sorts: sorts),
            zone: everywhere ? nil : zone ?? cloud.zone(), limit: limit
        ).map(\.id.name)
    }

    private func filter(_ field: String, _ comparator: Comparator, _ value: FieldValue) -> QueryFilter {
        QueryFilter(field: .user(field), comparator: comparator, value: value)
    }

    private func refusal(_ filters: [QueryFilter], sorts: [QuerySort] = [], type: String = "Note") async -> CloudError?
    {
        await #expect(throws: CloudError.self) {
            _ = try await cloud.query(
                RecordQuery(recordType: type, filters: filters, sorts: sorts), zone: cloud.zone())
        }
    }

    @Test func `scalar comparators, and negative ones leave out records without the field`() async throws {
        try await cloud.modify(
            cloud.operation(.create, "a", ["n": .int64(-1), "s": .string("apple")]),
            cloud.operation(.create, "b", ["n": .int64(5), "s": .string("apricot")]),
            cloud.operation(.create, "c", ["n": .int64(9), "s": .string("Apple")]), cloud.operation(.create, "d"))
        #expect(try await names([filter("n", .equals, .int64(5))]) == ["b"])
        #expect(try await names([filter("n", .notEquals, .int64(5))]) == ["a", "c"])
        #expect(try await names([filter("n", .lessThan, .int64(5))]) == ["a"])
        #expect(try await names([filter("n", .lessThanOrEquals, .int64(5))]) == ["a", "b"])
        #expect(try await names([filter("n", .greaterThan, .int64(-1))]) == ["b", "c"])
        #expect(try await names([filter("n", .greaterThanOrEquals, .double(5))]) == ["b", "c"])
        #expect(try await names([filter("n", .in, .list(.int64, [.int64(9), .int64(-1)]))]) == ["a", "c"])
        #expect(try await names([filter("n", .in, .list(.int64, []))]) == [])
        #expect(try await names([filter("n", .notIn, .list(.int64, [.int64(9)]))]) == ["a", "b"])
        #expect(try await names([filter("s", .beginsWith, .string("ap"))]) == ["a", "b"])
        #expect(try await names([filter("s", .notBeginsWith, .string("ap"))]) == ["c"])
        #expect(
            try await names([filter("s", .beginsWith, .string("ap")), filter("n", .greaterThan, .int64(0))]) == ["b"])
    }

    @Test func `list comparators, and the negative ones match records without the list`() async throws {
        func tags(_ tags: String...) -> [String: FieldValue?] { ["tags": .list(.string, tags.map { .string($0) })] }
        try await cloud.modify(
            cloud.operation(.create, "a", tags("red", "blue")), cloud.operation(.create, "b", tags("red", "reddish")),
            cloud.operation(.create, "c"))
        let both = FieldValue.list(.string, [.string("red"), .string("blue")])
        #expect(try await names([filter("tags", .listContains, .string("red"))]) == ["a", "b"])
        #expect(try await names([filter("tags", .notListContains, .string("blue"))]) == ["b", "c"])
        #expect(try await names([filter("tags", .listContainsAny, both)]) == ["a", "b"])
        #expect(try await names([filter("tags", .notListContainsAny, both)]) == ["c"])
        #expect(try await names([filter("tags", .listContainsAll, both)]) == ["a"])
        #expect(try await names([filter("tags", .notListContainsAll, both)]) == ["b", "c"])
        #expect(try await names([filter("tags", .listMemberBeginsWith, .string("redd"))]) == ["b"])
        #expect(try await names([filter("tags", .notListMemberBeginsWith, .string("redd"))]) == ["a", "c"])
    }

    @Test func `system fields filter and sort`() async throws {
        for name in ["b", "a", "c"] {
            try await cloud.modify(cloud.operation(.create, name))
            cloud.advance(10)
        }
        #expect(try await names() == ["b", "a", "c"])
        let byName = QuerySort(field: .system(.recordName), ascending: false)
        #expect(try await names(sorts: [byName], limit: 1) == ["c", "b", "a"])
        let newest = QuerySort(field: .system(.createdTimestamp), ascending: false)
        #expect(try await names(sorts: [newest]) == ["c", "a", "b"])
        let some = FieldValue.list(.string, [.string("c"), .string("b"), .string("x")])
        #expect(
            try await names([QueryFilter(field: .system(.recordName), comparator: .in, value: some)]) == ["b", "c"])
        let mine = FieldValue.reference(Reference(recordName: cloud.alice.userName))
        #expect(
            try await names([QueryFilter(field: .system(.createdUserRecordName), comparator: .equals, value: mine)])
                .count == 3)
    }

    @Test func `records without the sort field come first going up, last going down`() async throws {
        try await cloud.modify(
            cloud.operation(.create, "a", ["n": .int64(2)]), cloud.operation(.create, "b"),
            cloud.operation(.create, "c", ["n": .int64(1)]))
        for limit in [1, 2, 200] {
            let sort = QuerySort(field: .user("n"))
            #expect(try await names(sorts: [sort], limit: limit) == ["b", "c", "a"])
            let down = QuerySort(field: .user("n"), ascending: false)
            #expect(try await names(sorts: [down], limit: limit) == ["a", "c", "b"])
        }
    }

    @Test func `without a zone every zone is searched, in one order`() async throws {
        try await cloud.makeZone("A")
        try await cloud.makeZone("B")
        for number in 0..<12 {
            let zone = [cloud.zone(), cloud.zone("A"), cloud.zone("B")][number % 3]
            try await cloud.modify(cloud.operation(.create, "n\(number)", ["n": .int64(Int64(number))], zone: zone))
        }
        let sort = QuerySort(field: .user("n"))
        #expect(try await names(sorts: [sort], everywhere: true, limit: 5) == (0..<12).map { "n\($0)" })
        #expect(try await names(sorts: [sort], zone: cloud.zone("A")) == ["n1", "n4", "n7", "n10"])
    }

    @Test func `a refusal names the field and both types`() async throws {
        try await cloud.modify(
            cloud.operation(.create, "a", ["n": .int64(1), "b": .bytes([1]), "l": .list(.int64, [.int64(1)])]))
        let mismatch = await refusal([filter("n", .equals, .string("x"))])
        #expect(["'n'", "INT64", "STRING"].allSatisfy { mismatch?.reason.contains($0) == true })
        #expect(await refusal([filter("b", .equals, .bytes([1]))])?.reason.contains("BYTES") == true)
        #expect(await refusal([filter("l", .equals, .int64(1))])?.reason.contains("INT64_LIST") == true)
        #expect(await refusal([filter("x", .equals, .int64(1))])?.reason.contains("Unknown field 'x'") == true)
        #expect(await refusal([], sorts: [QuerySort(field: .user("l"))])?.reason.contains("sortable") == true)
        let many = FieldValue.list(.int64, (0..<251).map { .int64($0) })
        #expect(await refusal([filter("n", .in, many)])?.nativeCode == 27)
        let unknown = await refusal([], type: "Nothing")
        #expect(unknown?.reason == "Did not find record type: Nothing")
        #expect(unknown?.nativeCode == 11)
        #expect(await refusal([], type: "Users") != nil)
    }

    @Test func `a marker of another query or an altered one is refused`() async throws {
        try await cloud.modify(cloud.operation(.create, "a"), cloud.operation(.create, "b"))
        let marker = try await cloud.store.read { [cloud] in
            try $0.query(
                RecordQuery(recordType: "Note"), in: cloud.database(), zone: cloud.zone(), limit: 1, marker: nil
            ).marker
        }
        let genuine = try #require(marker)
        let bad: [(String, ZoneID?)] = [(genuine, nil), ("AAAA" + genuine, cloud.zone())]
        for (marker, zone) in bad {
            let error = await #expect(throws: CloudError.self) {
                try await cloud.store.read { [cloud] in
                    _ = try $0.query(
                        RecordQuery(recordType: "Note"), in: cloud.database(), zone: zone, limit: 1, marker: marker)
                }
            }
            #expect(error?.code == .badRequest)
        }
    }

    @Test func `a list of values is taken typed or not, of one type and of a number; empty it matches nothing`()
        async throws
    {
        try await cloud.modify(
            cloud.operation(.create, "a", ["n": .int64(1), "s": .string("x"), "t": .timestamp(5)]),
            cloud.operation(.create, "b", ["n": .int64(2), "s": .string("y")]))
        func find(_ field: String, _ value: FieldValue, isTyped: Bool) async throws -> [String] {
            let filter = QueryFilter(field: .user(field), comparator: .in, value: value, isTyped: isTyped)
            return try await names([filter])
        }
        for isTyped in [true, false] {
            #expect(try await find("n", .list(.int64, [.int64(2), .int64(7)]), isTyped: isTyped) == ["b"])
            #expect(try await find("s", .list(.string, [.string("x")]), isTyped: isTyped) == ["a"])
            #expect(try await find("n", .list(.int64, []), isTyped: isTyped) == [])
            #expect(try await find("n", .list(nil, []), isTyped: isTyped) == [])
            let most = FieldValue.list(.int64, (1...250).map { .int64($0) })
            #expect(try await find("n", most, isTyped: isTyped) == ["a", "b"])
        }
        #expect(try await find("t", .list(.int64, [.int64(5)]), isTyped: false) == ["a"])
        #expect(await refusal([filter("t", .in, .list(.int64, [.int64(5)]))])?.reason.contains("TIMESTAMP") == true)
        let mixed = await refusal([filter("s", .in, .list(.string, [.string("x"), .int64(1)]))])
        #expect(["'s'", "STRING", "INT64", "mixes"].allSatisfy { mixed?.reason.contains($0) == true })
        #expect(await refusal([filter("s", .in, .string("x"))])?.reason.contains("STRING_LIST") == true)
        for number in [251, 1000] {
            let many = FieldValue.list(.int64, (0..<number).map { .int64(Int64($0)) })
            let error = await refusal([filter("n", .in, many)])
            #expect(["'n'", "\(number)", "250"].allSatisfy { error?.reason.contains($0) == true })
        }
    }

    @Test func `a page has no more records than asked for, and never more than the service's most`() async throws {
        for names in [0..<400, 400..<450] {
            try await cloud.modify(names.map { cloud.operation(.create, "n\($0)") })
        }
        let query = RecordQuery(recordType: "Note")
        for (asked, most) in [(1, 1), (200, 200), (1000, 200)] {
            let page = try await cloud.page(query, zone: cloud.zone(), limit: asked)
            #expect(page.records.count == most)
            let marker = try #require(page.marker)
            let next = try await cloud.page(query, zone: cloud.zone(), limit: asked, after: marker)
            #expect(try await cloud.page(query, zone: cloud.zone(), limit: asked, after: marker) == next)
            #expect(Set(next.records.map(\.id)).isDisjoint(with: page.records.map(\.id)))
        }
        #expect(try await Set(cloud.query(query, zone: cloud.zone(), limit: 1000).map(\.id)).count == 450)
    }

    @Test func `a field that comes later sorts and filters the records from before it`() async throws {
        try await cloud.modify(cloud.operation(.create, "a"), cloud.operation(.create, "b"))
        #expect(await refusal([], sorts: [QuerySort(field: .user("n"))])?.reason.contains("Unknown field 'n'") == true)
        try await cloud.modify(cloud.operation(.create, "c", ["n": .int64(1)]))
        #expect(try await names(sorts: [QuerySort(field: .user("n"))]) == ["a", "b", "c"])
        #expect(try await names([filter("n", .notEquals, .int64(2))]) == ["c"])
        try await cloud.modify(cloud.operation(.forceUpdate, "a", ["n": .int64(0)]))
        #expect(try await names(sorts: [QuerySort(field: .user("n"), ascending: false)]) == ["c", "a", "b"])
    }

    @Test func `a list with more matching elements than a page may examine hides no other record`() async throws {
        var limits = CloudLimits()
        limits.rowsPerQuery = 8
        let cloud = try RecordFixture(limits: limits)
        let elements = (0..<20).map { FieldValue.string("a\($0)") }
        try await cloud.modify(
            ["n1", "n2"].map { cloud.operation(.create, $0, ["tags": .list(.string, elements)]) })
        let query = RecordQuery(
            recordType: "Note", filters: [filter("tags", .listMemberBeginsWith, .string("a"))])
        #expect(try await cloud.query(query, zone: cloud.zone()).map(\.id.name) == ["n1", "n2"])
    }

    @Test func `more equal keys than one page reads are all found, once`() async throws {
        for start in stride(from: 0, to: 2400, by: 400) {
            try await cloud.modify(
                (start..<start + 400).map {
                    cloud.operation(.create, "n\($0)", ["n": .int64(7), "m": .int64(Int64($0))])
                })
        }
        let found = try await names([filter("n", .equals, .int64(7)), filter("m", .greaterThan, .int64(2350))])
        #expect(Set(found).count == 49 && found.count == 49)
        let sorts = [QuerySort(field: .user("n")), QuerySort(field: .user("m"), ascending: false)]
        #expect(try await names(sorts: sorts) == (0..<2400).reversed().map { "n\($0)" })
    }
}
