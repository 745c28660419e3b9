import CloudCore
import CloudStorage
import Testing

@Suite struct RecordSaveTests {
    let cloud: RecordFixture

    init() throws { cloud = try RecordFixture() }

    @Test func `every change gives a new tag, in base 36`() async throws {
        let first = try #require(
            try await cloud.modify(cloud.operation(.create, "n1", ["title": .string("a")]))[0].record)
        let second = try #require(
            try await cloud.modify(cloud.operation(.update, "n1", ["title": .string("b")], tag: first.changeTag))[0]
                .record)
        #expect(first.changeTag == "1")
        #expect(second.changeTag == "2")
        #expect(second.created == first.created)
        #expect(try await cloud.record("n1") == second)
    }

    @Test func `create over an existing record answers EXISTS with the server's record`() async throws {
        let saved = try await cloud.modify(cloud.operation(.create, "n1"))[0].record
        let error = try #require(try await cloud.modify(cloud.operation(.create, "n1"))[0].error)
        #expect(error.code == .exists)
        #expect(error.reason == "record to insert already exists")
        #expect(error.serverRecord == saved)
    }

    @Test func `update and replace need the current tag of a record that is there`() async throws {
        try await cloud.modify(cloud.operation(.create, "n1"))
        for type in [RecordOperationType.update, .replace] {
            #expect(try await cloud.modify(cloud.operation(type, "n1"))[0].error?.code == .badRequest)
            #expect(try await cloud.modify(cloud.operation(type, "n1", tag: "zz"))[0].error?.code == .conflict)
            #expect(try await cloud.modify(cloud.operation(type, "n2", tag: "1"))[0].error?.code == .notFound)
        }
    }

    @Test func `update keeps fields that are not given, replace drops them`() async throws {
        let fields: [String: FieldValue?] = ["a": .int64(1), "b": .int64(2)]
        try await cloud.modify(cloud.operation(.create, "n1", fields))
        try await cloud.modify(cloud.operation(.forceUpdate, "n1", ["b": nil, "c": .int64(3)]))
        #expect(try await cloud.record("n1")?.fields == ["a": .int64(1), "c": .int64(3)])
        try await cloud.modify(cloud.operation(.forceReplace, "n1", ["b": .int64(4)]))
        #expect(try await cloud.record("n1")?.fields == ["b": .int64(4)])
    }

    @Test func `deleting what is not there succeeds; a stale tag does not delete`() async throws {
        try await cloud.modify(cloud.operation(.create, "n1"))
        #expect(try await cloud.modify(cloud.operation(.delete, "n2"))[0].error == nil)
        #expect(try await cloud.modify(cloud.operation(.delete, "n1", tag: "zz"))[0].error?.code == .conflict)
        #expect(try await cloud.modify(cloud.operation(.forceDelete, "n1", tag: "zz"))[0].error == nil)
        #expect(try await cloud.record("n1") == nil)
    }

    @Test func `an atomic failure saves nothing and says so for each sibling`() async throws {
        try await cloud.makeZone("Notes")
        let zone = cloud.zone("Notes")
        let results = try await cloud.modify(
            cloud.operation(.create, "n1", zone: zone), cloud.operation(.update, "n2", zone: zone, tag: "9"),
            cloud.operation(.create, "n3", zone: zone), atomic: true)
        #expect(results.map { $0.error?.code } == [.atomicError, .notFound, .atomicError])
        #expect(
            results[0].error?.reason.hasSuffix("will not be saved because of previous error in atomic zone") == true)
        #expect(try await cloud.record("n1", zone: zone) == nil)
    }

    @Test func `atomic operations are refused in the default zone`() async throws {
        let error = await #expect(throws: CloudError.self) {
            try await cloud.modify(cloud.operation(.create, "n1"), atomic: true)
        }
        #expect(error?.reason == "atomic operations not supported in default zone")
    }

    @Test func `two operations on one record are refused, names that only look alike are two records`() async throws {
        await #expect(throws: CloudError.self) {
            try await cloud.modify(cloud.operation(.create, "n1"), cloud.operation(.delete, "n1"))
        }
        let results = try await cloud.modify(
            cloud.operation(.create, "caf\u{E9}"), cloud.operation(.create, "cafe\u{301}"))
        #expect(results.allSatisfy { $0.error == nil })
    }

    @Test func `more operations than allowed are refused with both numbers`() async throws {
        let operations = (0..<401).map { cloud.operation(.create, "n\($0)") }
        let error = await #expect(throws: CloudError.self) { try await cloud.modify(operations) }
        #expect(error?.nativeCode == 27)
        #expect(error?.reason.contains("401") == true && error?.reason.contains("400") == true)
    }

    @Test func `a record above the limit is refused alone`() async throws {
        let big = FieldValue.string(String(repeating: "x", count: 1_048_577))
        let results = try await cloud.modify(
            cloud.operation(.create, "big", ["text": big]), cloud.operation(.create, "small"))
        #expect(results[0].error?.nativeCode == 27)
        #expect(results[1].error == nil)
    }

    @Test func `a value of another type is refused naming both, and nothing of it is stored`() async throws {
        try await cloud.modify(cloud.operation(.create, "n1", ["pages": .int64(3)]))
        let error = try #require(
            try await cloud.modify(cloud.operation(.create, "n2", ["pages": .string("many")]))[0].error)
        #expect(error.code == .badRequest)
        #expect(["pages", "STRING", "INT64"].allSatisfy(error.reason.contains))
        #expect(try await cloud.record("n2") == nil)
        let untyped = try await cloud.modify(
            cloud.operation(.create, "n3", ["pages": .string("7")], isTyped: false))[0].record
        #expect(untyped?.fields["pages"] == .int64(7))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `numbers that are none are refused`(number: Double) async throws {
        #expect(
            try await cloud.modify(cloud.operation(.create, "n1", ["x": .double(number)]))[0].error?.code == .badRequest
        )
    }

    @Test func `values come back exactly`() async throws {
        let fields: [String: FieldValue] = [
            "min": .int64(.min), "max": .int64(.max), "zero": .double(-0.0), "tiny": .double(.leastNonzeroMagnitude),
            "past": .timestamp(-62_135_596_800_000), "future": .timestamp(253_402_300_799_999),
            "text": .string("a\u{0}b\u{1F600}\u{10FFFF}"), "bytes": .bytes([0, 255]), "none": .list(nil, []),
            "list": .list(.double, [.double(0.1), .double(-1)]),
        ]
        try await cloud.modify(cloud.operation(.create, "n1", fields.mapValues { $0 }))
        let record = try #require(try await cloud.record("n1"))
        #expect(record.fields == fields)
        guard case .double(let zero)? = record.fields["zero"] else { return }
        #expect(zero.sign == .minus)
    }

    @Test func `names are checked`() async throws {
        for name in ["", "_x", "a\u{7}", String(repeating: "x", count: 256)] {
            #expect(try await cloud.modify(cloud.operation(.create, name))[0].error?.code == .badRequest)
        }
        #expect(try await cloud.modify(cloud.operation(.create, "n", ["1x": .int64(1)]))[0].error != nil)
        #expect(try await cloud.modify(cloud.operation(.create, "n", recordType: "My-Type"))[0].error != nil)
    }

    @Test func `in the public database only the creator writes`() async throws {
        let database = cloud.database(.public)
        let zone = cloud.zone(ZoneID.defaultName, .public)
        try await cloud.modify(cloud.operation(.create, "n1", zone: zone), in: database)
        for type in [RecordOperationType.forceUpdate, .forceDelete] {
            let error = try await cloud.modify(cloud.operation(type, "n1", zone: zone), in: database, by: cloud.bob)[0]
                .error
            #expect(error?.code == .accessDenied)
            #expect(error?.reason == "WRITE operation not permitted")
        }
        #expect(try await cloud.modify(cloud.operation(.forceDelete, "n1", zone: zone), in: database)[0].error == nil)
    }

    @Test func `a user's own record is there from the start and can be saved`() async throws {
        let name = cloud.alice.userName
        let fresh = try #require(try await cloud.record(name))
        #expect(fresh.type == "Users")
        let saved = try await cloud.modify(
            cloud.operation(.update, name, ["nick": .string("Al")], recordType: nil, tag: fresh.changeTag))[0].record
        #expect(saved?.fields == ["nick": .string("Al")])
        #expect(try await cloud.modify(cloud.operation(.create, "u", recordType: "Users"))[0].error != nil)
        #expect(try await cloud.record(cloud.bob.userName) == nil)
    }

    @Test func `nothing of a foreign zone is shown`() async throws {
        try await cloud.makeZone("Notes")
        let foreign = cloud.zone("Notes")
        let database = cloud.database(.private, of: cloud.bob)
        let error = await #expect(throws: CloudError.self) {
            try await cloud.modify(cloud.operation(.create, "n1", zone: foreign), in: database, by: cloud.bob)
        }
        #expect(error?.code == .zoneNotFound)
    }
}
