/// Appends numbers and text in the compact form that stored values and tokens use.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// - Parameter capacity: The bytes to come, as far as they are known.
    init(capacity: Int) { bytes.reserveCapacity(capacity) }

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Zigzag, so that small negative numbers stay short.
    mutating func integer(_ value: Int64) { varint(UInt64(bitPattern: (value << 1) ^ (value >> 63))) }

    mutating func fixed(_ value: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func blob(_ value: [UInt8]) {
        varint(UInt64(value.count))
        bytes += value
    }

    mutating func text(_ value: String) {
        let utf8 = value.utf8
        varint(UInt64(utf8.count))
        bytes.append(contentsOf: utf8)
    }

    /// An optional text: 0 for none, else 1 and the text.
    mutating func optional(_ value: String?) {
        byte(value == nil ? 0 : 1)
        if let value { text(value) }
    }
}

/// Reads what ``ByteWriter`` wrote; throws at the first byte that does not fit.
struct ByteReader {
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() throws -> UInt8 {
        guard position < bytes.count else { throw Malformed() }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func varint() throws -> UInt64 {
        var result: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let next = try byte()
            result |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return result }
        }
        throw Malformed()
    }

    mutating func integer() throws -> Int64 {
        let raw = try varint()
        return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
    }

    mutating func fixed() throws -> UInt64 {
        var result: UInt64 = 0
        for _ in 0..<8 { result = result << 8 | UInt64(try byte()) }
        return result
    }

    mutating func count() throws -> Int {
        let count = try varint()
        guard count <= UInt64(bytes.count - position) else { throw Malformed() }
        return Int(count)
    }

    mutating func blob() throws -> [UInt8] {
        let count = try count()
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    mutating func text() throws -> String {
        let count = try count()
        defer { position += count }
        return String(decoding: bytes[position..<position + count], as: UTF8.self)
    }

    mutating func optional() throws -> String? { try byte() == 0 ? nil : try text() }
}
