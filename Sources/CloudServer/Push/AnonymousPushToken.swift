import CloudCrypto

/// A push token of somebody without a user. As nobody's subscriptions lead to it, nothing of it is kept: it tells by
/// itself that the service has made it, so that polls of it are held and answered like others.
enum AnonymousPushToken {
    private static func code(_ random: [UInt8], _ secret: [UInt8]) -> [UInt8] {
        Array(Crypto.hmacSHA256(key: secret, Array("anonymous push token".utf8) + random).prefix(16))
    }

    /// Base64 of 32 bytes, as others are.
    static func make(secret: [UInt8]) -> String {
        let random = Crypto.random(16)
        return Base64.encode(random + code(random, secret))
    }

    static func isGood(_ token: String, secret: [UInt8]) -> Bool {
        guard let bytes = Base64.decode(token), bytes.count == 32 else { return false }
        return Crypto.equal(Array(bytes.suffix(16)), code(Array(bytes.prefix(16)), secret))
    }

    /// A number for its polls: negative, as those of kept tokens are not.
    static func number(of token: String) -> Int64 {
        let bytes = Crypto.sha256(Array(token.utf8)).prefix(8)
        return bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) } | Int64.min
    }
}
