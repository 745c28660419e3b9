/// Writes the placeholders `?1`, `?2` … of a statement as PostgreSQL's `$1`, `$2` …, leaving literals, quoted names and
/// comments as they are.
func numberedWithDollars(_ sql: String) -> String {
    var scanner = PlaceholderScanner(Array(sql.utf8))
    return String(decoding: scanner.rewritten(), as: UTF8.self)
}

private struct PlaceholderScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var output: [UInt8] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        output.reserveCapacity(bytes.count)
    }

    mutating func rewritten() -> [UInt8] {
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "'"): copyQuoted(byte, escapes: isAfterE)
            case UInt8(ascii: "\""): copyQuoted(byte, escapes: false)
            case UInt8(ascii: "-") where peek(1) == byte: copy(through: [0x0a])
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"): copyComment()
            case UInt8(ascii: "$") where !isAfterWord: copyDollarQuoted()
            case UInt8(ascii: "?") where peek(1).map(Self.isDigit) == true:
                output.append(UInt8(ascii: "$"))
                position += 1
            default: copy(1)
            }
        }
        return output
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        position + offset < bytes.count ? bytes[position + offset] : nil
    }

    private mutating func copy(_ count: Int) {
        output += bytes[position..<min(position + count, bytes.count)]
        position = min(position + count, bytes.count)
    }

    /// Copies up to and with the next occurrence of `end`, or everything.
    private mutating func copy(through end: [UInt8]) {
        while position < bytes.count {
            if bytes[position...].starts(with: end) { return copy(end.count) }
            copy(1)
        }
    }

    /// A doubled quote inside ends one literal and begins the next, which comes to the same.
    private mutating func copyQuoted(_ quote: UInt8, escapes: Bool) {
        copy(1)
        while let byte = peek() {
            copy(escapes && byte == UInt8(ascii: "\\") ? 2 : 1)
            if byte == quote { return }
        }
    }

    private mutating func copyComment() {
        var depth = 0
        repeat {
            switch (peek(), peek(1)) {
            case (UInt8(ascii: "/"), UInt8(ascii: "*")):
                depth += 1
                copy(2)
            case (UInt8(ascii: "*"), UInt8(ascii: "/")):
                depth -= 1
                copy(2)
            default: copy(1)
            }
        } while depth > 0 && position < bytes.count
    }

    /// `$$ … $$` or `$tag$ … $tag$`; any other dollar is copied alone.
    private mutating func copyDollarQuoted() {
        var length = 1
        while let byte = peek(length), Self.isWord(byte) { length += 1 }
        guard peek(length) == UInt8(ascii: "$"), peek(1).map(Self.isDigit) != true else { return copy(1) }
        let tag = Array(bytes[position...(position + length)])
        copy(tag.count)
        copy(through: tag)
    }

    private var isAfterWord: Bool { output.last.map(Self.isWord) ?? false }

    private var isAfterE: Bool {
        guard let last = output.last, last | 0x20 == UInt8(ascii: "e") else { return false }
        return !(output.dropLast().last.map(Self.isWord) ?? false)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || byte == UInt8(ascii: "_") || byte >= 0x80 || (0x61...0x7a).contains(byte | 0x20)
    }
}
