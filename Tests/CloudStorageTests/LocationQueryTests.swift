import CloudCore
import CloudStorage
import Glibc
import Testing

@Suite struct LocationQueryTests {
    let cloud: RecordFixture

    init() throws { cloud = try RecordFixture() }

    private func place(_ latitude: Double, _ longitude: Double) -> FieldValue {
        .location(Location(latitude: latitude, longitude: longitude))
    }

    private func near(_ latitude: Double, _ longitude: Double, _ metres: Double?) -> QueryFilter {
        QueryFilter(field: .user("place"), comparator: .near, value: place(latitude, longitude), distance: metres)
    }

    private func byDistance(_ latitude: Double, _ longitude: Double) -> QuerySort {
        QuerySort(field: .user("place"), relativeLocation: Location(latitude: latitude, longitude: longitude))
    }

    private func names(_ filters: [QueryFilter] = [], _ sorts: [QuerySort] = [], limit: Int = 200) async throws
        -> [String]
    {
        try await cloud.query(
            RecordQuery(recordType: "Note", filters: filters, sorts: sorts), zone: cloud.zone(), limit: limit
        ).map(\.id.name)
    }

    private func save(_ places: [(String, Double, Double)]) async throws {
        for (name, latitude, longitude) in places {
            try await cloud.modify(cloud.operation(.create, name, ["place": place(latitude, longitude)]))
            cloud.advance(1)
        }
    }

    private func refusal(_ filters: [QueryFilter], _ sorts: [QuerySort] = []) async -> String? {
        await #expect(throws: CloudError.self) { _ = try await names(filters, sorts) }?.reason
    }

    @Test func `NEAR finds what is within its distance in metres, the edge included, and nothing without the field`()
        async throws
    {
        try await save([("berlin", 52.52, 13.405), ("potsdam", 52.3906, 13.0645), ("paris", 48.8566, 2.3522)])
        try await cloud.modify(cloud.operation(.create, "nowhere"))
        #expect(try await names([near(52.52, 13.405, 0)]) == ["berlin"])
        #expect(try await names([near(52.52, 13.405, 30_000)]) == ["berlin", "potsdam"])
        #expect(try await names([near(52.52, 13.405, 27_000)]) == ["berlin"])
        #expect(try await names([near(52.52, 13.405, 900_000)]) == ["berlin", "potsdam", "paris"])
        for metres in [20_037_508, 1e9] {
            #expect(try await names([near(-52, -166, metres)]) == ["berlin", "potsdam", "paris"])
        }
        #expect(try await names([near(0, 0, 1000)]) == [])
    }

    @Test func `places across a pole and across the antimeridian are near each other`() async throws {
        try await save([("fiji", -17, 179.9), ("samoa", -17, -179.9), ("line", -17, 180), ("other", -17, -180)])
        try await save([("north", 89.9, 0), ("beyond", 89.9, 180), ("pole", 90, 77), ("south", -90, 0)])
        #expect(try await names([near(-17, 180, 11_000)]) == ["fiji", "samoa", "line", "other"])
        #expect(try await names([near(-17, -180, 1)]) == ["line", "other"])
        #expect(try await names([near(89.95, 90, 30_000)]) == ["north", "beyond", "pole"])
        #expect(try await names([near(90, -5, 1)]) == ["pole"])
        #expect(try await names([], [byDistance(89.95, 0)], limit: 1).prefix(3) == ["north", "pole", "beyond"])
        #expect(try await names([], [byDistance(-17, -179.95)]).prefix(4) == ["samoa", "line", "other", "fiji"])
        #expect(try await names([], [byDistance(-90, 55)]).first == "south")
    }

    @Test func `the nearest come first, then by creation, and records without a place last`() async throws {
        try await cloud.modify(cloud.operation(.create, "early"))
        cloud.advance(1)
        try await save([("b", 1, 0), ("a", -1, 0), ("far", 40, 40), ("here", 0, 0), ("c", 0, 1)])
        try await cloud.modify(cloud.operation(.create, "late"))
        for limit in [1, 2, 3, 200] {
            #expect(
                try await names([], [byDistance(0, 0)], limit: limit) == [
                    "here", "b", "a", "c", "far", "early", "late",
                ])
        }
        // Among equal distances a record that was made again is the youngest.
        try await cloud.modify(cloud.operation(.forceDelete, "b"))
        cloud.advance(1)
        try await save([("b", 1, 0)])
        #expect(try await names([], [byDistance(0, 0)], limit: 2).prefix(4) == ["here", "a", "c", "b"])
    }

    @Test func `more places at one point than a page reads are all found once, in order`() async throws {
        for start in stride(from: 0, to: 1200, by: 400) {
            try await cloud.modify(
                (start..<start + 400).map { cloud.operation(.create, "n\($0)", ["place": place(5, 5)]) })
            cloud.advance(1)
        }
        for limit in [7, 200] {
            #expect(
                try await names([], [byDistance(6, 6)], limit: limit) == (0..<1200).map { "n\($0)" })
        }
        #expect(try await names([near(5, 5, 0)], [byDistance(6, 6)]).count == 1200)
    }

    @Test func `distance goes with other filters and other sorts`() async throws {
        for number in 0..<60 {
            try await cloud.modify(
                cloud.operation(
                    .create, "n\(number)",
                    [
                        "place": place(0, Double(number % 20)), "n": .int64(Int64(number % 3)),
                        "title": .string(number % 2 == 0 ? "even" : "odd"),
                    ]))
            cloud.advance(1)
        }
        let even = QueryFilter(field: .user("title"), comparator: .equals, value: .string("even"))
        #expect(try await names([near(0, 0, 120_000), even]) == ["n0", "n20", "n40"])
        #expect(
            try await names([even], [byDistance(0, 0)], limit: 4).prefix(6) == ["n0", "n20", "n40", "n2", "n22", "n42"])
        let byNumber = QuerySort(field: .user("n"), ascending: false)
        #expect(try await names([near(0, 0, 1)], [byDistance(0, 0), byNumber]) == ["n20", "n40", "n0"])
        #expect(
            try await names([], [byNumber, byDistance(0, 0)], limit: 5).prefix(4) == ["n20", "n41", "n2", "n23"])
        #expect(try await names([near(0, 0, 1)], [QuerySort(field: .system(.recordName))]) == ["n0", "n20", "n40"])
        let two = [near(0, 0, 300_000), near(0, 4, 250_000)]
        #expect(try await names(two, [byDistance(0, 4)]) == ["n2", "n22", "n42"])
    }

    @Test func `a place that moves or goes is found where it is`() async throws {
        try await save([("a", 10, 10)])
        try await cloud.modify(cloud.operation(.forceUpdate, "a", ["place": place(20, 20)]))
        #expect(try await names([near(10, 10, 1000)]) == [])
        #expect(try await names([near(20, 20, 1000)]) == ["a"])
        try await cloud.modify(cloud.operation(.forceUpdate, "a", ["place": nil]))
        #expect(try await names([near(20, 20, 1000)]) == [])
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    @Test func `places are equal where their coordinates are, also in lists`() async throws {
        try await cloud.modify(
            cloud.operation(
                .create, "a",
                ["place": .location(Location(latitude: 1, longitude: 2, altitude: 5)), "l": .list(.location, [])]),
            cloud.operation(.create, "b", ["l": .list(.location, [place(3, 4), place(3.000001, 4)])]))
        func find(_ field: String, _ comparator: Comparator, _ value: FieldValue) async throws -> [String] {
            try await names([QueryFilter(field: .user(field), comparator: comparator, value: value)])
        }
        #expect(try await find("place", .equals, place(1, 2)) == ["a"])
        #expect(try await find("place", .equals, place(1, 2.00000001)) == [])
        #expect(try await find("place", .in, .list(.location, [place(9, 9), place(1, 2)])) == ["a"])
        #expect(try await find("l", .listContains, place(3, 4)) == ["b"])
        #expect(try await find("l", .listContains, place(3.0000001, 4)) == [])
        #expect(try await find("l", .notListContains, place(3, 4)) == ["a"])
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    @Test func `a refusal names the field and what is missing or wrong`() async throws {
        try await cloud.modify(
            cloud.operation(.create, "a", ["place": place(1, 2), "n": .int64(1), "l": .list(.location, [place(1, 2)])]))
        let number = QueryFilter(field: .user("n"), comparator: .near, value: place(1, 2), distance: 5)
        #expect(await refusal([number])?.contains("'n' has a value type of INT64") == true)
        #expect(await refusal([near(1, 2, nil)])?.contains("'place' needs a distance") == true)
        #expect(await refusal([near(1, 2, -1)])?.contains("distance -1.0") == true)
        #expect(await refusal([near(91, 2, 1)])?.contains("latitude 91.0") == true)
        let less = QueryFilter(field: .user("place"), comparator: .lessThan, value: place(1, 2))
        #expect(await refusal([less])?.contains("LESS_THAN") == true)
        #expect(await refusal([], [QuerySort(field: .user("place"))])?.contains("relativeLocation") == true)
        var down = byDistance(1, 2)
        down.ascending = false
        #expect(await refusal([], [down])?.contains("nearest first") == true)
        var elsewhere = byDistance(1, 2)
        elsewhere.field = .user("n")
        #expect(await refusal([], [elsewhere])?.contains("INT64, not LOCATION") == true)
        #expect(await refusal([], [byDistance(0, 181)])?.contains("longitude 181.0") == true)
        for (latitude, longitude) in [(90.5, 0.0), (0, -180.5), (.nan, 0), (0, .infinity)] {
            let saved = try await cloud.modify(cloud.operation(.create, "x", ["place": place(latitude, longitude)]))
            #expect(saved.first?.error?.reason.contains("'place' has the l") == true)
        }
    }

    @Test(arguments: UInt64(1)...6)
    func `random places: the index finds and orders what a look at all records does`(seed: UInt64) async throws {
        var random = SeededGenerator(state: seed)
        var limits = CloudLimits()
        limits.rowsPerQuery = Int.random(in: 1...60, using: &random)
        let tight = try RecordFixture(limits: limits)
        let zones = [cloud.zone(), cloud.zone("A")]
        for cloud in [cloud, tight] { try await cloud.makeZone("A") }
        let centers = (0..<4).map { _ in
            (Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
        }
        func somewhere() -> Location {
            let (latitude, longitude) = centers.randomElement(using: &random) ?? (0, 0)
            let spread = ([0.0, 0.001, 1, 60] as [Double]).randomElement(using: &random) ?? 0
            return Location(
                latitude: min(max(latitude + Double.random(in: -spread...spread, using: &random), -90), 90),
                longitude: min(max(longitude + Double.random(in: -spread...spread, using: &random), -180), 180))
        }
        for step in 0..<250 {
            let zone = zones.randomElement(using: &random) ?? zones[0]
            let isLost = step > 0 && Int.random(in: 0..<8, using: &random) == 0
            let operation = cloud.operation(
                .forceReplace, "n\(step % 200)",
                ["place": isLost ? nil : .location(somewhere()), "n": .int64(Int64(step % 3))], zone: zone)
            for cloud in [cloud, tight] {
                try await cloud.modify(operation)
                if step % 3 == 0 { cloud.advance(1) }
            }
        }
        #expect(try await cloud.store.read { try $0.verify() } == [])
        let everything = try await cloud.query(RecordQuery(recordType: "Note"), zone: nil)
        for _ in 0..<12 {
            let from = somewhere()
            let radius = ([0, 100, 200_000, 5_000_000, 2e7, 1e8] as [Double]).randomElement(using: &random) ?? 0
            var filters = [near(from.latitude, from.longitude, radius)]
            if Bool.random(using: &random) { filters = [] }
            let point = Bool.random(using: &random) ? from : somewhere()
            let sorts = Bool.random(using: &random) ? [byDistance(point.latitude, point.longitude)] : []
            let query = RecordQuery(recordType: "Note", filters: filters, sorts: sorts)
            let zone = Bool.random(using: &random) ? zones.randomElement(using: &random) : nil
            let context = "seed \(seed), \(limits.rowsPerQuery) rows, \(query)"
            let found = try await cloud.query(query, zone: zone, limit: Int.random(in: 1...50, using: &random))
            #expect(try await found == cloud.query(query, zone: zone), "\(context)")
            #expect(try await found == tight.query(query, zone: zone, limit: 17), "\(context)")
            let expected = everything.filter { record in
                guard zone == nil || record.id.zone == zone else { return false }
                return filters.isEmpty || distance(record, from).map { $0 <= radius } ?? false
            }
            #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(context)")
            #expect(found.count == expected.count, "\(context)")
            guard !sorts.isEmpty else { continue }
            let distances = found.map { distance($0, point) ?? .infinity }
            for (left, right) in zip(distances, distances.dropFirst()) { #expect(left <= right + 0.002, "\(context)") }
        }
    }

    /// Metres, by another formula than the engine's.
    private func distance(_ record: Record, _ from: Location) -> Double? {
        guard case .location(let place)? = record.fields["place"] else { return nil }
        func vector(_ place: Location) -> [Double] {
            let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
            return [cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude)]
        }
        let chord = zip(vector(place), vector(from)).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
        return 2 * 6_371_008.8 * asin(min(chord / 2, 1))
    }
}
