/// Standard base64, padded.
package enum Base64 {
    private static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    /// The value of each character; 255 for those outside the alphabet.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let left = bytes.count - start
            let second = left > 1 ? bytes[start + 1] : 0
            let third = left > 2 ? bytes[start + 2] : 0
            text.append(alphabet[Int(bytes[start] >> 2)])
            text.append(alphabet[Int((bytes[start] & 3) << 4 | second >> 4)])
            text.append(left > 1 ? alphabet[Int((second & 15) << 2 | third >> 6)] : UInt8(ascii: "="))
            text.append(left > 2 ? alphabet[Int(third & 63)] : UInt8(ascii: "="))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes, or `nil` for anything but the one text that ``encode(_:)`` makes of them.
    package static func decode(_ text: String) -> [UInt8]? {
        let characters = [UInt8](text.utf8)
        guard characters.count % 4 == 0 else { return nil }
        guard !characters.isEmpty else { return [] }
        let padding = characters.suffix(2).reversed().prefix { $0 == UInt8(ascii: "=") }.count
        let digits = characters.count - padding
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits * 3 / 4)
        var pending: UInt32 = 0
        var bits = 0
        for character in characters[..<digits] {
            let value = values[Int(character)]
            guard value != 255 else { return nil }
            pending = pending << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
                pending &= (1 << UInt32(bits)) - 1
            }
        }
        return pending == 0 ? bytes : nil
    }
}

/// Hexadecimal text, lower case.
package enum Hex {
    package static func encode(_ bytes: [UInt8]) -> String {
        let digits = [UInt8]("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of an even number of digits of either case, or `nil`.
    package static func decode(_ text: String) -> [UInt8]? {
        let characters = [UInt8](text.utf8)
        guard characters.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count / 2)
        for start in stride(from: 0, to: characters.count, by: 2) {
            guard let high = digit(characters[start]), let low = digit(characters[start + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case 48...57: character - 48
        case 97...102: character - 87
        case 65...70: character - 55
        default: nil
        }
    }
}
