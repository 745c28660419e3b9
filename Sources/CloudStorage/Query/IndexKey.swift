import CloudCore

/// Keys whose byte order is the order of the values. Empty stands for "no value" and sorts first.
///
/// A field's values are all of one type, so a key carries no type: one byte that is not 0, then the value.
/// Keys of text stop at 256 bytes; whoever reads by them checks the record itself.
enum IndexKey {
    static let maximumBytes = 256
    static let absent: [UInt8] = []

    /// The key of a scalar; `nil` for types that have no order we keep (bytes, locations, lists).
    static func key(_ value: FieldValue) -> [UInt8]? {
        switch value {
        case .string(let text): key(text)
        case .int64(let number), .timestamp(let number): key(number: number)
        case .double(let number): key(orderedBits(number))
        case .reference(let reference): key(reference.recordName)
        case .bytes, .location, .asset, .list: nil
        }
    }

    /// All keys of a field's value: one for a scalar, one for each element of a list.
    static func keys(_ value: FieldValue) -> [[UInt8]] {
        guard case .list(_, let values) = value else { return key(value).map { [$0] } ?? [] }
        return values.compactMap { key($0) }
    }

    static func key(_ text: String) -> [UInt8] { [1] + text.utf8.prefix(maximumBytes - 1) }

    static func key(number: Int64) -> [UInt8] { key(UInt64(bitPattern: number) ^ (1 << 63)) }

    private static func key(_ bits: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(1)
        writer.fixed(bits)
        return writer.bytes
    }

    /// Both zeros have one key, as they are equal.
    private static func orderedBits(_ number: Double) -> UInt64 {
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | (1 << 63)
    }

    /// Byte order.
    static func less(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}

/// Keys from `lower` up to, not including, `upper`.
struct KeyRange: Hashable {
    var lower: [UInt8]
    var upper: [UInt8]

    /// Every key of a value.
    static let all = KeyRange(lower: [1], upper: [2])

    static func exactly(_ key: [UInt8]) -> KeyRange { KeyRange(lower: key, upper: key + [0]) }
    static func upTo(_ key: [UInt8]) -> KeyRange { KeyRange(lower: [1], upper: key + [0]) }
    static func from(_ key: [UInt8]) -> KeyRange { KeyRange(lower: key, upper: [2]) }

    /// Keys of texts that begin with the text of `key`; UTF-8 has no byte 0xFF, so the last byte can be counted up.
    static func prefix(_ key: [UInt8]) -> KeyRange {
        var upper = key
        upper[upper.count - 1] += 1
        return KeyRange(lower: key, upper: upper)
    }

    func intersection(_ other: KeyRange) -> KeyRange {
        KeyRange(
            lower: IndexKey.less(lower, other.lower) ? other.lower : lower,
            upper: IndexKey.less(upper, other.upper) ? upper : other.upper)
    }
}
