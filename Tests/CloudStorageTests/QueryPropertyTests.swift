import CloudCore
import CloudStorage
import Testing

/// A small generator with a seed, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Random records and queries: what the engine finds is what a plain filter and sort of all records finds.
@Suite struct QueryPropertyTests {
    @Test(arguments: [1, 2, 3, 4, 5, 6, 101, 150] as [UInt64])
    func `a query finds what a filter over all records finds, and pages join to the whole`(seed: UInt64) async throws {
        var random = SeededGenerator(state: seed)
        let cloud = try RecordFixture()
        // The same records in a store whose pages may examine only a few rows.
        var limits = CloudLimits()
        limits.rowsPerQuery = Int.random(in: 1...20, using: &random)
        let tight = try RecordFixture(limits: limits)
        let zones = [cloud.zone(), cloud.zone("A")]
        func both(_ operation: RecordOperation) async throws {
            for cloud in [cloud, tight] { try await cloud.modify(operation) }
        }
        for cloud in [cloud, tight] { try await cloud.makeZone("A") }
        // Declares every field's type.
        try await both(cloud.operation(.create, "first", fields(full: true, &random), zone: zones[0]))
        for number in 0..<120 {
            let zone = zones.randomElement(using: &random) ?? zones[0]
            let name = "n\(number % 90)"
            if Int.random(in: 0..<8, using: &random) == 0 {
                try await both(cloud.operation(.forceDelete, name, zone: zone))
            } else {
                let fields = fields(full: false, &random)
                try await both(cloud.operation(.forceReplace, name, fields, zone: zone))
            }
            if Bool.random(using: &random) { for cloud in [cloud, tight] { cloud.advance(1) } }
        }
        #expect(try await cloud.store.read { try $0.verify() } == [])
        let everything = try await cloud.query(RecordQuery(recordType: "Note"), zone: nil)
        for number in 0..<40 {
            let filters = (0..<Int.random(in: 0...2, using: &random)).map { _ in filter(&random) }
            let fields: [QueryField] = ["s", "i", "d", "t"].map { .user($0) } + [.system(.recordName)]
            let sortable = fields.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
            let sorts = sortable.map { QuerySort(field: $0, ascending: Bool.random(using: &random)) }
            let query = RecordQuery(recordType: "Note", filters: filters, sorts: sorts)
            let zone = Bool.random(using: &random) ? zones.randomElement(using: &random) : nil
            let whole = try await cloud.query(query, zone: zone)
            let paged = try await cloud.query(query, zone: zone, limit: Int.random(in: 1...9, using: &random))
            #expect(whole == paged, "seed \(seed), \(query)")
            let expected = everything.filter { record in
                (zone == nil || record.id.zone == zone) && filters.allSatisfy { holds($0, record) }
            }
            #expect(Set(whole.map(\.id)) == Set(expected.map(\.id)), "seed \(seed), \(query)")
            #expect(whole.count == expected.count, "seed \(seed), \(query)")
            for (left, right) in zip(whole, whole.dropFirst()) {
                #expect(!isOutOfOrder(left, right, sorts), "seed \(seed), \(query)")
            }
            guard number % 4 == 0 else { continue }
            let short = try await tight.query(query, zone: zone, limit: Int.random(in: 1...9, using: &random))
            #expect(whole == short, "seed \(seed), at most \(limits.rowsPerQuery) rows a page, \(query)")
        }
    }

    private func string(_ random: inout SeededGenerator) -> FieldValue {
        .string(["", "a", "ab", "abc", "b", "\u{E9}", "\u{1F600}"].randomElement(using: &random) ?? "")
    }

    private func integer(_ random: inout SeededGenerator) -> FieldValue {
        .int64([.min, -2, -1, 0, 1, 2, .max].randomElement(using: &random) ?? 0)
    }

    private func fields(full: Bool, _ random: inout SeededGenerator) -> [String: FieldValue?] {
        var fields: [String: FieldValue?] = [
            "s": string(&random), "i": integer(&random),
            "d": .double([-1.5, -0.0, 0, 1e300, 2].randomElement(using: &random) ?? 0),
            "t": .timestamp(Int64.random(in: -3...3, using: &random)),
            "r": .reference(Reference(recordName: ["x", "y"].randomElement(using: &random) ?? "x")),
            "sl": .list(.string, (0..<Int.random(in: 0...3, using: &random)).map { _ in string(&random) }),
            "il": .list(.int64, (0..<Int.random(in: 0...3, using: &random)).map { _ in integer(&random) }),
        ]
        if !full {
            for name in fields.keys.sorted() where Int.random(in: 0..<4, using: &random) == 0 {
                fields.removeValue(forKey: name)
            }
        }
        return fields
    }

    private func filter(_ random: inout SeededGenerator) -> QueryFilter {
        let scalar: [Comparator] = [
            .equals, .notEquals, .lessThan, .lessThanOrEquals, .greaterThan, .greaterThanOrEquals, .in, .notIn,
        ]
        let list: [Comparator] = [
            .listContains, .notListContains, .listContainsAny, .notListContainsAny, .listContainsAll,
            .notListContainsAll,
        ]
        func value(_ comparator: Comparator, _ one: (inout SeededGenerator) -> FieldValue, _ type: ScalarType)
            -> FieldValue
        {
            let takesList: [Comparator] = [
                .in, .notIn, .listContainsAny, .notListContainsAny, .listContainsAll, .notListContainsAll,
            ]
            guard takesList.contains(comparator) else { return one(&random) }
            return .list(type, (0..<Int.random(in: 0...3, using: &random)).map { _ in one(&random) })
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            let comparator = (scalar + [.beginsWith, .notBeginsWith]).randomElement(using: &random) ?? .equals
            return QueryFilter(field: .user("s"), comparator: comparator, value: value(comparator, string, .string))
        case 1:
            let comparator = scalar.randomElement(using: &random) ?? .equals
            return QueryFilter(field: .user("i"), comparator: comparator, value: value(comparator, integer, .int64))
        case 2:
            let comparator =
                [Comparator.equals, .lessThan, .greaterThanOrEquals].randomElement(using: &random) ?? .equals
            return QueryFilter(field: .user("d"), comparator: comparator, value: .double(0))
        case 3:
            let comparator = [Comparator.equals, .notEquals].randomElement(using: &random) ?? .equals
            return QueryFilter(
                field: .user("r"), comparator: comparator, value: .reference(Reference(recordName: "x")))
        case 4:
            let comparator =
                (list + [.listMemberBeginsWith, .notListMemberBeginsWith]).randomElement(using: &random)
                ?? .listContains
            return QueryFilter(field: .user("sl"), comparator: comparator, value: value(comparator, string, .string))
        default:
            let comparator = list.randomElement(using: &random) ?? .listContains
            return QueryFilter(field: .user("il"), comparator: comparator, value: value(comparator, integer, .int64))
        }
    }

    // MARK: The same rules, written down once more

    private func compare(_ left: FieldValue, _ right: FieldValue) -> Int {
        switch (left, right) {
        case (.string(let left), .string(let right)):
            let (left, right) = (Array(left.utf8), Array(right.utf8))
            return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        case (.int64(let left), .int64(let right)), (.timestamp(let left), .timestamp(let right)):
            return left == right ? 0 : left < right ? -1 : 1
        case (.double(let left), .double(let right)): return left == right ? 0 : left < right ? -1 : 1
        case (.reference(let left), .reference(let right)): return left.recordName == right.recordName ? 0 : 1
        default: return 99
        }
    }

    private func holds(_ filter: QueryFilter, _ record: Record) -> Bool {
        let value = record.fields[filter.field.name]
        var given = [filter.value]
        if case .list(_, let values) = filter.value { given = values }
        var elements: [FieldValue] = []
        if case .list(_, let values)? = value { elements = values }
        func has(_ wanted: FieldValue) -> Bool { elements.contains { compare($0, wanted) == 0 } }
        func begins(_ value: FieldValue) -> Bool {
            guard case .string(let text) = value, case .string(let start) = given[0] else { return false }
            return text.utf8.starts(with: start.utf8)
        }
        switch filter.comparator {
        case .listContains, .listContainsAny: return given.contains(where: has)
        case .notListContains, .notListContainsAny: return !given.contains(where: has)
        case .listContainsAll: return value != nil && given.allSatisfy(has)
        case .notListContainsAll: return value == nil || !given.allSatisfy(has)
        case .listMemberBeginsWith: return elements.contains(where: begins)
        case .notListMemberBeginsWith: return !elements.contains(where: begins)
        default: break
        }
        guard let value else { return false }
        switch filter.comparator {
        case .equals: return compare(value, given[0]) == 0
        case .notEquals: return compare(value, given[0]) != 0
        case .lessThan: return compare(value, given[0]) < 0
        case .lessThanOrEquals: return compare(value, given[0]) <= 0
        case .greaterThan: return compare(value, given[0]) > 0
        case .greaterThanOrEquals: return compare(value, given[0]) >= 0
        case .in: return given.contains { compare(value, $0) == 0 }
        case .notIn: return !given.contains { compare(value, $0) == 0 }
        case .beginsWith: return begins(value)
        default: return !begins(value)
        }
    }

    private func isOutOfOrder(_ left: Record, _ right: Record, _ sorts: [QuerySort]) -> Bool {
        func value(_ record: Record, _ field: QueryField) -> FieldValue? {
            field == .system(.recordName) ? .string(record.id.name) : record.fields[field.name]
        }
        for sort in sorts {
            switch (value(left, sort.field), value(right, sort.field)) {
            case (nil, nil): continue
            case (nil, _?): return !sort.ascending
            case (_?, nil): return sort.ascending
            case (let left?, let right?):
                let order = compare(left, right)
                if order != 0 { return order < 0 ? !sort.ascending : sort.ascending }
            }
        }
        return sorts.isEmpty && left.created.timestamp > right.created.timestamp
    }
}
