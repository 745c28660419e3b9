/// Standard base64 with padding (RFC 4648, section 4), read strictly.
package enum Base64Text {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    package static func encode(_ data: [UInt8]) -> String { String(decoding: encoded(data), as: UTF8.self) }

    package static func append(_ data: [UInt8], to text: inout [UInt8]) { text.append(contentsOf: encoded(data)) }

    private static func encoded(_ data: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: (data.count + 2) / 3 * 4) { text, count in
            alphabet.withUnsafeBufferPointer { alphabet in
                var index = 0
                while index < data.count {
                    let left = data.count - index
                    var group = UInt32(data[index]) << 16
                    if left > 1 { group |= UInt32(data[index + 1]) << 8 }
                    if left > 2 { group |= UInt32(data[index + 2]) }
                    text[count] = alphabet[Int(group >> 18)]
                    text[count + 1] = alphabet[Int(group >> 12 & 63)]
                    text[count + 2] = left > 1 ? alphabet[Int(group >> 6 & 63)] : 0x3D
                    text[count + 3] = left > 2 ? alphabet[Int(group & 63)] : 0x3D
                    count += 4
                    index += 3
                }
            }
        }
    }

    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { decode($0) }
    }

    package static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        if text.isEmpty { return [] }
        let padding = text[text.count - 1] != 0x3D ? 0 : text[text.count - 2] != 0x3D ? 1 : 2
        var data: [UInt8] = []
        data.reserveCapacity(text.count / 4 * 3)
        let values = values
        var group: UInt32 = 0
        var count = 0
        for index in 0..<(text.count - padding) {
            let value = values[Int(text[index])]
            if value == 0xFF { return nil }
            group = group << 6 | UInt32(value)
            count += 1
            if count == 4 {
                data.append(UInt8(truncatingIfNeeded: group >> 16))
                data.append(UInt8(truncatingIfNeeded: group >> 8))
                data.append(UInt8(truncatingIfNeeded: group))
                group = 0
                count = 0
            }
        }
        switch padding {
        case 1:
            guard group & 3 == 0 else { return nil }
            data.append(UInt8(truncatingIfNeeded: group >> 10))
            data.append(UInt8(truncatingIfNeeded: group >> 2))
        case 2:
            guard group & 15 == 0 else { return nil }
            data.append(UInt8(truncatingIfNeeded: group >> 4))
        default: break
        }
        return data
    }
}
