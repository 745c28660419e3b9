import CloudCore
import Testing

@testable import CloudStorage

@Suite struct RecordCodecTests {
    private let stamp = RecordStamp(timestamp: -1, userRecordName: "_a", deviceID: "2")

    @Test func `content comes back equal, to the bit`() throws {
        let content = RecordCodec.Content(
            fields: [
                "a": .string(""), "b": .int64(.min), "c": .double(-0.0), "d": .timestamp(.max), "e": .bytes([0, 255]),
                "f": .reference(Reference(recordName: "x", action: .deleteSelf)),
                "g": .list(.reference, [.reference(Reference(recordName: "y", action: .validate))]),
                "h": .list(.string, []), "i": .list(nil, []), "j": .list(.bytes, [.bytes([]), .bytes([1])]),
                "k": .location(Location(latitude: -90, longitude: 180)),
                "l": .list(
                    .location,
                    [
                        .location(
                            Location(
                                latitude: 1.5, longitude: -0.0, horizontalAccuracy: -1, verticalAccuracy: 2,
                                altitude: 3,
                                speed: 4, course: 5, timestamp: -6)),
                        .location(Location(latitude: 0, longitude: 0, speed: 7)),
                    ]),
            ], parent: "p", created: stamp, modified: stamp)
        #expect(try RecordCodec.decode(RecordCodec.encode(content)) == content)
    }

    @Test func `cut or altered content throws and never traps`() throws {
        let bytes = RecordCodec.encode(
            .init(
                fields: ["a": .list(.string, [.string("abc")]), "b": .double(1)], parent: nil, created: stamp,
                modified: stamp))
        for length in 0..<bytes.count {
            #expect(throws: (any Error).self) { try RecordCodec.decode(Array(bytes[..<length])) }
        }
        for position in bytes.indices {
            var altered = bytes
            altered[position] ^= 0xFF
            _ = try? RecordCodec.decode(altered)
        }
    }

    @Test func `keys sort as their values`() throws {
        let numbers: [FieldValue] = [.min, -256, -1, 0, 1, 255, .max].map { .int64($0) }
        let doubles: [FieldValue] = [-.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0, 1e-9, 1, 1e300].map {
            .double($0)
        }
        let texts: [FieldValue] = ["", "a", "a\u{0}", "ab", "b", "\u{E9}", "\u{FFFD}", "\u{1F600}"].map { .string($0) }
        for values in [numbers, doubles, texts] {
            let keys = try values.map { try #require(IndexKey.key($0)) }
            for (left, right) in zip(keys, keys.dropFirst()) { #expect(IndexKey.less(left, right)) }
        }
        #expect(IndexKey.key(.double(-0.0)) == IndexKey.key(.double(0)))
        #expect(try #require(IndexKey.key(.string(String(repeating: "x", count: 9999)))).count == 256)
    }
}
