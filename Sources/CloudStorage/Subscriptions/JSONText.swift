import CloudCore
import CloudCrypto

/// Writes small JSON texts.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    mutating func object(_ body: (inout JSONText) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func array(_ texts: [String]) {
        separate()
        bytes.append(UInt8(ascii: "["))
        for text in texts {
            separate()
            append(text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func key(_ name: String) {
        separate()
        append(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func pair(_ name: String, _ text: String) {
        key(name)
        append(text)
    }

    mutating func pair(_ name: String, _ number: Int) {
        key(name)
        bytes += Array(String(number).utf8)
    }

    mutating func value(_ value: FieldValue) {
        switch value {
        case .string(let text): append(text)
        case .int64(let number), .timestamp(let number): bytes += Array(String(number).utf8)
        case .double(let number): bytes += Array("\(number)".utf8)
        case .bytes(let blob): append(Base64.encode(blob))
        case .reference(let reference):
            object {
                $0.pair("recordName", reference.recordName)
                $0.pair("action", reference.action.rawValue)
            }
        case .asset(let asset):
            object {
                $0.pair("fileChecksum", asset.fileChecksum)
                $0.pair("size", Int(asset.size))
            }
        case .location(let location):
            object {
                $0.key("latitude")
                $0.value(.double(location.latitude))
                $0.key("longitude")
                $0.value(.double(location.longitude))
            }
        case .list(_, let values):
            separate()
            bytes.append(UInt8(ascii: "["))
            for value in values {
                separate()
                self.value(value)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// A comma where something stands before.
    private mutating func separate() {
        guard let last = bytes.last,
            ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ",")]
                .contains(last)
        else { return }
        bytes.append(UInt8(ascii: ","))
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                bytes += Array("\\u\(String(repeating: "0", count: 4 - hex.count))\(hex)".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
