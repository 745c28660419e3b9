/// A request target taken apart: path segments and query, both percent-decoded.
struct RequestTarget: Hashable, Sendable {
    var segments: [String] = []
    private var parameters: [(name: String, value: String)] = []

    /// - Parameter prefix: What the service's address has before the protocol's paths. A proxy may have removed it.
    init(_ target: String, without prefix: String = "") {
        let isPrefixed = !prefix.isEmpty && target.hasPrefix(prefix + "/")
        let parts = target.utf8.dropFirst(isPrefixed ? prefix.utf8.count : 0).split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        segments = (parts.first ?? "".utf8[...]).split(separator: UInt8(ascii: "/")).map {
            Self.decode($0, form: false)
        }
        if parts.count > 1 { parameters = Self.form(parts[1]) }
    }

    /// The first value of a parameter.
    subscript(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// A token's value: a `+` that arrived as a space is a `+` again, since no token has spaces.
    func token(_ name: String) -> String? {
        guard let value = self[name] else { return nil }
        return value.utf8.contains(32) ? String(value.map { $0 == " " ? "+" : $0 }) : value
    }

    /// Whether a parameter is `true`, in any case.
    func flag(_ name: String) -> Bool { self[name]?.lowercased() == "true" }

    /// The pairs of a query or of a form's body.
    static func form(_ text: some Sequence<UInt8>) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { pair in
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(halves[0], form: true), halves.count > 1 ? decode(halves[1], form: true) : "")
        }
    }

    /// Segments of a path for people to read, at most eight. Of a long one only the beginning: it may be a token that came to
    /// a wrong place, and what nobody serves is told to the client and to the log.
    static func shown(_ segments: some Sequence<String>) -> String {
        segments.prefix(8).map(shown).joined(separator: "/")
    }

    static func shown(_ segment: String) -> String {
        let letters = segment.unicodeScalars
        return letters.count > 40 ? String(String.UnicodeScalarView(letters.prefix(8))) + "…" : segment
    }

    static func decode(_ text: some Collection<UInt8>, form: Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            if byte == UInt8(ascii: "+"), form {
                bytes.append(32)
            } else if byte == UInt8(ascii: "%") {
                guard let first = rest.next() else {
                    bytes.append(byte)
                    break
                }
                guard let second = rest.next() else {
                    bytes += [byte, first]
                    break
                }
                if let high = hex(first), let low = hex(second) {
                    bytes.append(high << 4 | low)
                } else {
                    bytes += [byte, first, second]
                }
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Escapes all but unreserved characters.
    static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95, 126: bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 65...70: digit - 55
        case 97...102: digit - 87
        default: nil
        }
    }

    static func == (left: Self, right: Self) -> Bool {
        left.segments == right.segments
            && left.parameters.elementsEqual(right.parameters) { $0.name == $1.name && $0.value == $1.value }
    }

    func hash(into hasher: inout Hasher) { hasher.combine(segments) }
}
