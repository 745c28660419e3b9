import CloudWire
import Foundation
import Testing

struct JSONWriterTests {
    private func text(_ body: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        body(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func `numbers are exact and shortest`() {
        #expect(text { $0.integer(.max) } == "9223372036854775807")
        #expect(text { $0.integer(.min) } == "-9223372036854775808")
        #expect(text { $0.integer(0) } == "0")
        #expect(text { $0.integer(-10, quoted: true) } == "\"-10\"")
        #expect(text { $0.double(-0.0) } == "-0.0")
        #expect(text { $0.double(0.1 + 0.2) } == "0.30000000000000004")
        #expect(text { $0.double(5e-324) } == "5e-324")
        #expect(text { $0.double(3) } == "3.0")
        #expect(text { $0.double(.infinity) } == "\"inf\"")
    }

    @Test(arguments: [-0.0, 5e-324, -5e-324, 0.1 + 0.2, .greatestFiniteMagnitude, .leastNormalMagnitude, 1e23, 1e16, 123456.75])
    func `a double reads back bit for bit`(_ number: Double) throws {
        let body = JSONWriter.document {
            $0.key("n")
            $0.double(number)
        }
        let back = try JSONTape.readObject(body) { json throws(WireError) in try json.required("n").double() }
        #expect(back.bitPattern == number.bitPattern)
    }

    @Test func `quotes, backslashes and control characters are escaped and nothing else`() {
        #expect(text { $0.string("a\"b\\c\n\r\t\u{8}\u{C}\u{0}\u{1F}/é\u{2028}😀") }
            == #""a\"b\\c\n\r\t\b\f\u0000\u001f/é"# + "\u{2028}😀\"")
    }

    @Test func `what is written Foundation reads the same, and we as well`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(state: seed)
        for _ in 0..<300 {
            let document: [String: Any] = ["root": Self.value(depth: 5, &random)]
            let written = JSONWriter.document { json in Self.write(document["root"] as Any, key: "root", &json) }
            let read = try #require(JSONSerialization.jsonObject(with: Data(written)) as? NSDictionary)
            #expect(read == document as NSDictionary, "seed \(seed): \(String(decoding: written, as: UTF8.self))")
            // and what Foundation writes, we read and write again as the same document
            let theirs = [UInt8](try JSONSerialization.data(withJSONObject: document))
            let copy = try JSONTape.readObject(theirs) { json throws(WireError) in
                var writer = JSONWriter()
                try Self.copy(json, to: &writer)
                return writer.bytes
            }
            #expect(try tree(copy) == document as NSDictionary, "seed \(seed)")
        }
    }

    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static func value(depth: Int, _ random: inout SeededGenerator) -> Any {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: return Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random)
        case 1: return Double.random(in: -1e6...1e6, using: &random)
        case 2: return Bool.random(using: &random)
        case 3: return string(&random)
        case 4: return NSNull()
        case 5: return (0..<Int.random(in: 0..<5, using: &random)).map { _ in value(depth: depth - 1, &random) }
        default:
            var members: [String: Any] = [:]
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                members[string(&random)] = value(depth: depth - 1, &random)
            }
            return members
        }
    }

    private static func string(_ random: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0x20...0x7E, 0x80...0x7FF, 0x4E00...0x9FFF, 0x1F600...0x1F64F]
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            let range = ranges.randomElement(using: &random) ?? 0x20...0x7E
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "?")
        }
        return text
    }

    private static func write(_ value: Any, key: String?, _ json: inout JSONWriter) {
        if let key { json.key(key) }
        switch value {
        case let flag as Bool where type(of: value) == Bool.self: json.bool(flag)
        case let number as Int64: json.integer(number)
        case let number as Double: json.double(number)
        case let text as String: json.string(text)
        case let elements as [Any]: json.array(elements) { write($1, key: nil, &$0) }
        case let members as [String: Any]:
            json.object { json in for (key, value) in members { write(value, key: key, &json) } }
        default: json.null()
        }
    }

    private static func copy(_ value: JSONReader, to json: inout JSONWriter) throws(WireError) {
        switch value.kind {
        case .null: json.null()
        case .bool: json.bool(try value.bool())
        case .integer: json.integer(try value.int64())
        case .double: json.double(try value.double())
        case .string: json.string(try value.string())
        case .array:
            var parts: [[UInt8]] = []
            for element in try value.elements {
                var part = JSONWriter()
                try copy(element, to: &part)
                parts.append(part.bytes)
            }
            json.array(parts) { $0.raw($1) }
        case .object:
            var parts: [(String, [UInt8])] = []
            for (key, member) in try value.members {
                var part = JSONWriter()
                try copy(member, to: &part)
                parts.append((key.string, part.bytes))
            }
            json.object { json in
                for (key, part) in parts {
                    json.key(key)
                    json.raw(part)
                }
            }
        }
    }
}
