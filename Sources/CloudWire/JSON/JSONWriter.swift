import CloudCore

/// Writes JSON text as bytes. Commas look after themselves.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []
    /// What assets look like in this document; `nil` shows them as they are.
    var presenter: AssetPresenter?

    package init(capacity: Int = 512) { bytes.reserveCapacity(capacity) }

    /// The text of one document.
    package static func document(
        capacity: Int = 512, presenter: AssetPresenter? = nil, _ body: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: capacity)
        writer.presenter = presenter
        writer.object(body)
        return writer.bytes
    }

    /// Whatever ends a value is no opening bracket and no colon, so the last byte tells whether a comma is due.
    @inline(__always)
    private mutating func separate() {
        switch bytes.last {
        case nil, 0x7B, 0x5B, 0x3A: break
        default: bytes.append(0x2C)
        }
    }

    @inline(__always)
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(0x7B)
        body(&self)
        bytes.append(0x7D)
    }

    @inline(__always)
    package mutating func array<S: Sequence>(_ elements: S, _ body: (inout JSONWriter, S.Element) -> Void) {
        separate()
        bytes.append(0x5B)
        for element in elements { body(&self, element) }
        bytes.append(0x5D)
    }

    /// A member's key, without characters that need escapes.
    @inline(__always)
    package mutating func key(_ name: StaticString) {
        separate()
        bytes.append(0x22)
        append(name)
        bytes.append(0x22)
        bytes.append(0x3A)
    }

    package mutating func key(_ name: String) {
        string(name)
        bytes.append(0x3A)
    }

    package mutating func string(_ text: String) {
        separate()
        bytes.append(0x22)
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { escape($0) }
        if done == nil { Array(text.utf8).withUnsafeBufferPointer { escape($0) } }
        bytes.append(0x22)
    }

    /// A string that needs no escapes.
    package mutating func plain(_ text: StaticString) {
        separate()
        bytes.append(0x22)
        append(text)
        bytes.append(0x22)
    }

    package mutating func integer(_ number: Int64, quoted: Bool = false) {
        separate()
        if quoted { bytes.append(0x22) }
        digits(number)
        if quoted { bytes.append(0x22) }
    }

    /// The shortest text that reads back as the same number. Infinities and not-a-number have no JSON number; they
    /// become strings, which readers refuse by name.
    package mutating func double(_ number: Double, quoted: Bool = false) {
        separate()
        let quoted = quoted || !number.isFinite
        if quoted { bytes.append(0x22) }
        bytes.append(contentsOf: number.description.utf8)
        if quoted { bytes.append(0x22) }
    }

    package mutating func bool(_ flag: Bool) {
        separate()
        append(flag ? "true" : "false")
    }

    package mutating func null() {
        separate()
        append("null")
    }

    /// The text of a value that is JSON already.
    package mutating func raw(_ text: [UInt8]) {
        separate()
        bytes.append(contentsOf: text)
    }

    /// Standard base64 with padding, as a string.
    package mutating func base64(_ data: [UInt8]) {
        separate()
        bytes.append(0x22)
        Base64Text.append(data, to: &bytes)
        bytes.append(0x22)
    }

    @inline(__always)
    private mutating func append(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func escape(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for index in text.indices {
            let byte = text[index]
            if byte >= 0x20, byte != 0x22, byte != 0x5C { continue }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            start = index + 1
            bytes.append(0x5C)
            switch byte {
            case 0x22, 0x5C: bytes.append(byte)
            case 0x08: bytes.append(0x62)
            case 0x09: bytes.append(0x74)
            case 0x0A: bytes.append(0x6E)
            case 0x0C: bytes.append(0x66)
            case 0x0D: bytes.append(0x72)
            default:
                let low = byte & 0xF
                bytes.append(contentsOf: [0x75, 0x30, 0x30, 0x30 + (byte >> 4), low < 10 ? 0x30 + low : 0x57 + low])
            }
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private mutating func digits(_ number: Int64) {
        var rest = number.magnitude
        if number < 0 { bytes.append(0x2D) }
        let start = bytes.count
        repeat {
            bytes.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        if bytes.count - start > 1 { bytes[start...].reverse() }
    }
}

// MARK: - Members

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ text: String) {
        key(name)
        string(text)
    }

    /// Left out when `nil`.
    package mutating func member(_ name: StaticString, ifPresent text: String?) {
        if let text { member(name, text) }
    }

    package mutating func member(_ name: StaticString, _ number: Int64) {
        key(name)
        integer(number)
    }

    package mutating func member(_ name: StaticString, ifPresent number: Int?) {
        if let number { member(name, Int64(number)) }
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        key(name)
        bool(flag)
    }

    package mutating func member(_ name: StaticString, _ texts: [String]) {
        key(name)
        array(texts) { $0.string($1) }
    }

    package mutating func member(_ name: StaticString, ifPresent texts: [String]?) {
        if let texts { member(name, texts) }
    }

    @inline(__always)
    package mutating func member(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    @inline(__always)
    package mutating func member<S: Sequence>(
        _ name: StaticString, array elements: S, _ body: (inout JSONWriter, S.Element) -> Void
    ) {
        key(name)
        array(elements, body)
    }
}
