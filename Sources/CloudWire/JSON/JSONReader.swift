import CSimdJSON

/// Where JSON text comes in.
package enum JSONTape {
    /// Containers may nest so deep.
    package static let depthLimit = 64

    /// Parses `bytes` and gives `body` a view of the root. The view must not leave `body`. An empty body is `{}`.
    package static func read<T>(
        _ bytes: [UInt8], _ body: (JSONReader) throws(WireError) -> T
    ) throws(WireError) -> T {
        if bytes.isEmpty { return try read([0x7B, 0x7D], body) }
        let tape = bytes.withUnsafeBufferPointer { stape_parse($0.baseAddress, $0.count, depthLimit) }
        defer { stape_release(tape.owner) }
        guard Int(tape.error) == STAPE_OK, let entries = tape.entries else {
            throw WireError(reason(of: Int(tape.error)))
        }
        return try body(JSONReader(root: entries, index: 0))
    }

    /// Like ``read(_:_:)``, for a body that must be an object.
    package static func readObject<T>(
        _ bytes: [UInt8], _ body: (JSONReader) throws(WireError) -> T
    ) throws(WireError) -> T {
        try read(bytes) { root throws(WireError) in
            guard root.kind == .object else { throw WireError("Unexpected input: the body must be a JSON object") }
            return try body(root)
        }
    }

    private static func reason(of error: Int) -> String {
        switch error {
        case STAPE_EMPTY: "Unexpected input: the body holds no JSON"
        case STAPE_UTF8: "Unexpected input: the body is not UTF-8"
        case STAPE_NUMBER: "Unexpected input: a number is malformed or too large"
        case STAPE_DEPTH: "Unexpected input: the JSON nests deeper than \(depthLimit) levels"
        case STAPE_TOO_LARGE: "Unexpected input: the body is too large"
        case STAPE_MEMORY: "not enough memory to read the body"
        case STAPE_INTERNAL: "the JSON reader failed"
        default: "Unexpected input: the body is not JSON"
        }
    }
}

/// A view of one value of a parsed document; nothing is built until it is asked for.
package struct JSONReader {
    package enum Kind { case null, bool, integer, double, string, array, object }

    let root: UnsafePointer<stape_entry>
    let index: Int

    @inline(__always)
    init(root: UnsafePointer<stape_entry>, index: Int) {
        self.root = root
        self.index = index
    }

    @inline(__always) private var entry: stape_entry { root[index] }

    package var kind: Kind {
        switch Int(entry.kind) {
        case STAPE_NULL: .null
        case STAPE_FALSE, STAPE_TRUE: .bool
        case STAPE_INT64, STAPE_UINT64: .integer
        case STAPE_DOUBLE: .double
        case STAPE_STRING, STAPE_KEY: .string
        case STAPE_ARRAY: .array
        default: .object
        }
    }

    @inline(__always) package var isNull: Bool { Int(entry.kind) == STAPE_NULL }

    /// The number of elements or members.
    package var count: Int { kind == .array || kind == .object ? Int(entry.length) : 0 }

    /// The index of the entry after this value.
    @inline(__always) var end: Int { Int(entry.kind) >= STAPE_ARRAY ? Int(entry.value) : index + 1 }

    package func string() throws(WireError) -> String { try text().string }

    /// The bytes of a string.
    @inline(__always)
    package func text() throws(WireError) -> JSONText {
        let entry = entry
        guard Int(entry.kind) == STAPE_STRING else { throw unexpected("a string") }
        return JSONText(entry)
    }

    package func bool() throws(WireError) -> Bool {
        switch Int(entry.kind) {
        case STAPE_TRUE: return true
        case STAPE_FALSE: return false
        default: throw unexpected("true or false")
        }
    }

    /// An integer of 64 bits with sign; a number with a zero fraction counts.
    package func int64() throws(WireError) -> Int64 {
        switch Int(entry.kind) {
        case STAPE_INT64: return Int64(bitPattern: entry.value)
        case STAPE_UINT64: throw failure("\(entry.value) does not fit in 64 bits with sign")
        case STAPE_DOUBLE:
            guard let exact = Int64(exactly: Double(bitPattern: entry.value)) else { throw unexpected("an integer") }
            return exact
        default: throw unexpected("an integer")
        }
    }

    package func double() throws(WireError) -> Double {
        switch Int(entry.kind) {
        case STAPE_INT64: return Double(Int64(bitPattern: entry.value))
        case STAPE_UINT64: return Double(entry.value)
        case STAPE_DOUBLE: return Double(bitPattern: entry.value)
        default: throw unexpected("a number")
        }
    }

    package var elements: Elements {
        get throws(WireError) {
            guard Int(entry.kind) == STAPE_ARRAY else { throw unexpected("an array") }
            return Elements(root: root, index: index + 1, end: end)
        }
    }

    package var members: Members {
        get throws(WireError) {
            guard Int(entry.kind) == STAPE_OBJECT else { throw unexpected("an object") }
            return Members(root: root, index: index + 1, end: end)
        }
    }

    package func strings() throws(WireError) -> [String] {
        var result: [String] = []
        result.reserveCapacity(count)
        for element in try elements { result.append(try element.string()) }
        return result
    }

    /// The last member of that name, `nil` when there is none or it is null.
    package func member(_ name: StaticString) throws(WireError) -> JSONReader? {
        var found: JSONReader?
        for (key, value) in try members where name ~= key { found = value }
        return found.flatMap { $0.isNull ? nil : $0 }
    }

    /// The member of that name, which must be there.
    package func required(_ name: StaticString) throws(WireError) -> JSONReader {
        guard let value = try member(name) else { throw missing(name) }
        return value
    }

    package struct Elements: Sequence, IteratorProtocol {
        let root: UnsafePointer<stape_entry>
        var index: Int
        let end: Int

        @inline(__always)
        package mutating func next() -> JSONReader? {
            guard index < end else { return nil }
            let reader = JSONReader(root: root, index: index)
            index = reader.end
            return reader
        }
    }

    package struct Members: Sequence, IteratorProtocol {
        let root: UnsafePointer<stape_entry>
        var index: Int
        let end: Int

        @inline(__always)
        package mutating func next() -> (key: JSONText, value: JSONReader)? {
            guard index < end else { return nil }
            let key = JSONText(root[index])
            let reader = JSONReader(root: root, index: index + 1)
            index = reader.end
            return (key, reader)
        }
    }
}

/// A key or string, compared without building a `String`.
package struct JSONText {
    private let start: UnsafePointer<UInt8>?
    private let count: Int

    @inline(__always)
    init(_ entry: stape_entry) {
        start = UnsafePointer(bitPattern: UInt(entry.value))
        count = Int(entry.length)
    }

    package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    @inline(__always)
    package static func ~= (pattern: StaticString, text: JSONText) -> Bool {
        guard pattern.utf8CodeUnitCount == text.count, let start = text.start else { return false }
        let wanted = pattern.utf8Start
        for offset in 0..<text.count where wanted[offset] != start[offset] { return false }
        return true
    }
}
