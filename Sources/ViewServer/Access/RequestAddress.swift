/// A request's path and the values of its query.
package struct RequestAddress {
    package let path: Substring
    private let query: [Substring]

    package init(_ target: String) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first ?? ""
        query = parts.count > 1 ? parts[1].split(separator: "&") : []
    }

    /// A value as it stands: all of ours are words that need no encoding.
    package subscript(_ name: String) -> Substring? {
        query.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1)
    }

    /// A whole number; 0 for anything else.
    func number(_ name: String) -> Double { self[name].flatMap { Int32($0) }.map(Double.init) ?? 0 }
}

/// Text in which other characters than those of words stand as `%41`.
enum PercentText {
    /// `nil` for what is no such text.
    static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    static func encode(_ text: some StringProtocol) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + Hexadecimal.text([byte])
            }
        }
        return result
    }
}
