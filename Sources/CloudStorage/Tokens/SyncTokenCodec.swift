import CloudCore
import CloudCrypto

/// A place in the feed of a zone or database; opaque to clients, bound to one incarnation, protected by a MAC.
struct SyncToken: Equatable {
    enum Kind: UInt8 {
        case database = 1
        case zone = 2
        /// A place in a walk from the newest change backwards.
        case reverseZone = 3
    }

    var kind: Kind
    var databaseIncarnation: Int64
    /// 0 for a database token.
    var zoneIncarnation: Int64
    /// The last change number seen; for a reverse walk the lowest.
    var number: Int64
}

enum SyncTokenCodec {
    static let version: UInt8 = 1
    private static let macBytes = 16

    static func encode(_ token: SyncToken, secret: [UInt8]) -> String {
        var writer = ByteWriter()
        writer.byte(version)
        writer.byte(token.kind.rawValue)
        writer.fixed(UInt64(bitPattern: token.databaseIncarnation))
        writer.fixed(UInt64(bitPattern: token.zoneIncarnation))
        writer.fixed(UInt64(bitPattern: token.number))
        return seal(writer.bytes, secret: secret)
    }

    static func decode(_ text: String, secret: [UInt8]) throws -> SyncToken {
        guard let bytes = open(text, secret: secret), bytes.count == 26, bytes[0] == version,
            let kind = SyncToken.Kind(rawValue: bytes[1])
        else { throw expired("it was not made by this service or has been altered") }
        var reader = ByteReader(Array(bytes[2...]))
        return SyncToken(
            kind: kind, databaseIncarnation: Int64(bitPattern: try reader.fixed()),
            zoneIncarnation: Int64(bitPattern: try reader.fixed()), number: Int64(bitPattern: try reader.fixed()))
    }

    static var expiredZone: CloudError {
        expired(
            "it belongs to another zone, to the zone before it was re-created, or to a walk in the other direction")
    }

    static func expired(_ why: String) -> CloudError {
        CloudError(.badRequest, "sync token expired: \(why); fetch again without a token", nativeCode: 21)
    }

    /// `bytes` and their MAC as standard base64.
    static func seal(_ bytes: [UInt8], secret: [UInt8]) -> String {
        Base64.encode(bytes + Crypto.hmacSHA256(key: secret, bytes).prefix(macBytes))
    }

    /// What ``seal(_:secret:)`` sealed, or `nil`.
    static func open(_ text: String, secret: [UInt8]) -> [UInt8]? {
        guard let sealed = Base64.decode(text), sealed.count > macBytes else { return nil }
        let bytes = Array(sealed.dropLast(macBytes))
        let mac = Array(Crypto.hmacSHA256(key: secret, bytes).prefix(macBytes))
        return Crypto.equal(mac, Array(sealed.suffix(macBytes))) ? bytes : nil
    }
}
