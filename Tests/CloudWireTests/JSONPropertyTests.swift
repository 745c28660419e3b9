import CloudWire
import Foundation
import Testing

/// Random documents, written and read by us and by Foundation.
struct JSONPropertyTests {
    @Test func `a random document reads back exactly, and Foundation reads the same`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(state: seed)
        for _ in 0..<300 {
            let document = Document.object(["root": Document.random(depth: 5, &random)])
            var writer = JSONWriter()
            document.write(to: &writer)
            let text: Comment = "seed \(seed): \(String(decoding: writer.bytes, as: UTF8.self))"
            let ours = try JSONTape.readObject(writer.bytes) { json throws(WireError) in try Document(json) }
            #expect(ours == document, text)
            let theirs = try Document(JSONSerialization.jsonObject(with: Data(writer.bytes)))
            #expect(theirs.isClose(to: document), text)
        }
    }

    @Test func `a random document that Foundation wrote reads the same`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(state: seed)
        for _ in 0..<300 {
            let document = Document.object(["root": Document.random(depth: 5, &random)])
            let bytes = [UInt8](try JSONSerialization.data(withJSONObject: document.foundation))
            let ours = try JSONTape.readObject(bytes) { json throws(WireError) in try Document(json) }
            #expect(ours.isClose(to: document), "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}

private indirect enum Document: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([Document])
    case object([String: Document])

    static func random(depth: Int, _ random: inout SeededGenerator) -> Document {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: .integer(.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random))
        case 1: .double(.random(in: -1e6...1e6, using: &random))
        case 2: .bool(.random(using: &random))
        case 3: .string(text(&random))
        case 4: .null
        case 5: .array((0..<Int.random(in: 0..<5, using: &random)).map { _ in Self.random(depth: depth - 1, &random) })
        default:
            .object(
                Dictionary(
                    (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                        (text(&random), Self.random(depth: depth - 1, &random))
                    }, uniquingKeysWith: { first, _ in first }))
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let ranges: [ClosedRange<UInt32>] = [0...0x7F, 0x20...0x7E, 0x80...0x2FF, 0x4E00...0x9FFF, 0x1F600...0x1F64F]
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            let range = ranges.randomElement(using: &random) ?? 0x20...0x7E
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "?")
        }
        return text
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let flag): json.bool(flag)
        case .integer(let number): json.integer(number)
        case .double(let number): json.double(number)
        case .string(let text): json.string(text)
        case .array(let elements): json.array(elements) { $1.write(to: &$0) }
        case .object(let members):
            json.object { json in
                for (name, value) in members {
                    json.key(name)
                    value.write(to: &json)
                }
            }
        }
    }

    init(_ json: JSONReader) throws(WireError) {
        switch json.kind {
        case .null: self = .null
        case .bool: self = .bool(try json.bool())
        case .integer: self = .integer(try json.int64())
        case .double: self = .double(try json.double())
        case .string: self = .string(try json.string())
        case .array:
            var elements: [Document] = []
            for element in try json.elements { elements.append(try Document(element)) }
            self = .array(elements)
        case .object:
            var members: [String: Document] = [:]
            for (key, value) in try json.members { members[key.string] = try Document(value) }
            self = .object(members)
        }
    }

    init(_ foundation: Any) throws {
        switch foundation {
        case let text as String: self = .string(text)
        case let elements as [Any]: self = .array(try elements.map { try Document($0) })
        case let members as [String: Any]: self = .object(try members.mapValues { try Document($0) })
        case let number as NSDecimalNumber:
            // Foundation reads large negative integers as decimals, exact as text but not as a double.
            if let integer = Int64(number.stringValue) {
                self = .integer(integer)
            } else {
                self = .double(number.doubleValue)
            }
        case let number as NSNumber:
            switch String(cString: number.objCType) {
            case "c": self = .bool(number.boolValue)
            case "d", "f": self = .double(number.doubleValue)
            default: self = .integer(number.int64Value)
            }
        default: self = .null
        }
    }

    var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let flag): flag
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .string(let text): text
        case .array(let elements): elements.map(\.foundation)
        case .object(let members): members.mapValues(\.foundation)
        }
    }

    /// Equal but for the last bits of doubles, which Foundation rounds its own way.
    func isClose(to other: Document) -> Bool {
        switch (self, other) {
        case (.double(let left), .double(let right)): abs(left - right) <= 16 * max(left.ulp, right.ulp)
        case (.integer(let left), .double(let right)), (.double(let right), .integer(let left)): Double(left) == right
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isClose(to: $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { right[$0.key]?.isClose(to: $0.value) == true }
        default: self == other
        }
    }
}
