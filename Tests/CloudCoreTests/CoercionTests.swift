import CloudCore
import Testing

struct CoercionTests {
    @Test(arguments: [
        (FieldValue.int64(3), FieldType.scalar(.double), FieldValue.double(3)),
        (.double(3), .scalar(.int64), .int64(3)), (.string("-7"), .scalar(.int64), .int64(-7)),
        (.string("0.5"), .scalar(.double), .double(0.5)), (.string("12"), .scalar(.timestamp), .timestamp(12)),
        (.int64(5), .scalar(.timestamp), .timestamp(5)), (.double(5.6), .scalar(.timestamp), .timestamp(6)),
        (.string("AP8Q"), .scalar(.bytes), .bytes([0, 255, 16])), (.list(nil, []), .list(.bytes), .list(.bytes, [])),
        (.list(.int64, [.int64(1)]), .list(.double), .list(.double, [.double(1)])),
        (.list(.string, []), .unknownList, .list(nil, [])), (.string("x"), .scalar(.string), .string("x")),
    ])
    func `a value becomes one of the schema's type when nothing is lost`(
        _ value: FieldValue, _ type: FieldType, _ result: FieldValue
    ) {
        #expect(value.coerced(to: type) == result)
    }

    @Test(arguments: [
        (FieldValue.int64(9_007_199_254_740_993), FieldType.scalar(.double)), (.double(3.5), .scalar(.int64)),
        (.double(.infinity), .scalar(.timestamp)), (.string("x"), .scalar(.int64)), (.string("nan"), .scalar(.double)),
        (.string("A"), .scalar(.bytes)), (.string("x"), .list(.string)), (.list(.string, []), .scalar(.string)),
        (.int64(1), .scalar(.string)), (.timestamp(1), .scalar(.int64)),
        (.list(.string, [.string("x")]), .list(.int64)),
    ])
    func `a value that would lose something does not`(_ value: FieldValue, _ type: FieldType) {
        #expect(value.coerced(to: type) == nil)
    }

    @Test func `base64 of every length reads back`() {
        for count in 0..<20 {
            let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 200) }
            let text = Base64Text.encode(data)
            #expect(text.utf8.count % 4 == 0)
            #expect(Base64Text.decode(text) == data)
        }
        #expect(Base64Text.encode([0xFF, 0xFE, 0xFD]) == "//79")
        for bad in ["A", "AA", "AAA", "AA=A", "A===", "====", "AB==", "AAB=", "AA-_", "AAAA\n", "AA==AAAA"] {
            #expect(Base64Text.decode(bad) == nil)
        }
    }
}
