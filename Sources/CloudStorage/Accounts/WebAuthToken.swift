import CloudCrypto

/// The text that proves a web session.
///
/// Version (1 byte), session id (16), session secret (32), time of issue (8, big endian), random (8), then the
/// HMAC-SHA256 of all that (32), in base64. It can be renewed without writing anything.
package struct WebAuthToken: Hashable, Sendable {
    package let sessionID: [UInt8]
    package let secret: [UInt8]
    /// Milliseconds since 1970.
    package let issued: Int64

    private static let version: UInt8 = 1
    private static let bodyLength = 65
    private static let macLength = 32

    package init(sessionID: [UInt8], secret: [UInt8], issued: Int64) {
        precondition(sessionID.count == 16 && secret.count == 32, "a session has an id of 16 and a secret of 32 bytes")
        self.sessionID = sessionID
        self.secret = secret
        self.issued = issued
    }

    package func encoded(key: [UInt8]) -> String {
        var bytes = [Self.version] + sessionID + secret
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: issued >> shift)) }
        bytes += Crypto.random(8)
        return Base64.encode(bytes + Crypto.hmacSHA256(key: key, bytes))
    }

    /// Reads a token; `nil` when its form, version or authentication code is wrong.
    package init?(_ text: String, key: [UInt8]) {
        guard let bytes = Base64.decode(text), bytes.count == Self.bodyLength + Self.macLength,
            bytes[0] == Self.version
        else { return nil }
        let body = Array(bytes[..<Self.bodyLength])
        guard Crypto.equal(Array(bytes[Self.bodyLength...]), Crypto.hmacSHA256(key: key, body)) else { return nil }
        sessionID = Array(body[1..<17])
        secret = Array(body[17..<49])
        issued = body[49..<57].reduce(0) { $0 << 8 | Int64($1) }
    }
}
