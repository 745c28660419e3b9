import HTTPCore
import Testing

@Suite struct RangeTests {
    @Test(arguments: [
        ("bytes=0-0", HTTPRange.part(first: 0, count: 1)), ("bytes=2-", .part(first: 2, count: 8)),
        ("bytes=-3", .part(first: 7, count: 3)), ("bytes=-99", .part(first: 0, count: 10)),
        ("bytes=4-99", .part(first: 4, count: 6)), ("BYTES= 1 - 2 ", .part(first: 1, count: 2)),
        ("bytes=9-9", .part(first: 9, count: 1)), ("bytes=10-", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable),
        ("bytes=0-99999999999999999999", .part(first: 0, count: 10)), ("bytes=5-4", .whole), ("bytes=-", .whole),
        ("bytes=0-1,3-4", .whole), ("bytes=a-b", .whole), ("items=0-1", .whole), ("bytes=--1", .whole), ("", .whole),
    ])
    func `a range is a part, all or nothing of the body`(field: String, expected: HTTPRange) {
        #expect(HTTPRange(field, size: 10) == expected)
    }

    @Test func `nothing can be a part of an empty body`() {
        #expect(HTTPRange("bytes=0-0", size: 0) == .unsatisfiable)
        #expect(HTTPRange("bytes=-1", size: 0) == .unsatisfiable)
        #expect(HTTPRange(nil, size: 0) == .whole)
    }
}
