import CloudCrypto

/// Identifiers that nobody else draws.
enum RandomID {
    /// A random UUID in lower case.
    static func make() -> String {
        var bytes = Crypto.random(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var hex = Array(Hex.encode(bytes))
        for position in [20, 16, 12, 8] { hex.insert("-", at: position) }
        return String(hex)
    }
}
