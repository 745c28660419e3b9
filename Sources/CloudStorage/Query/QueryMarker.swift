import CloudCore
import CloudCrypto

/// Where a page ended, bound to its query, zone and database. Encrypted: a page of a shared tree may end at a record that its
/// reader does not see.
enum QueryMarker {
    private static let version: UInt8 = 3

    static func binding(_ query: RecordQuery, zone: ZoneID?, database: DatabaseRef) -> [UInt8] {
        var writer = ByteWriter()
        writer.fixed(UInt64(bitPattern: database.incarnation))
        writer.optional(zone?.name)
        QueryCodec.write(query, to: &writer)
        return Array(Crypto.sha256(writer.bytes).prefix(16))
    }

    static func encode(_ position: SortPosition, binding: [UInt8], secret: [UInt8]) -> String {
        var writer = ByteWriter()
        writer.byte(version)
        writer.blob(binding)
        writer.byte(position.row == nil ? 0 : 1)
        writer.integer(position.row ?? 0)
        writer.varint(UInt64(position.keys.count))
        for key in position.keys { writer.blob(key) }
        return Base64.encode(Crypto.encrypt(writer.bytes, key: key(secret)))
    }

    static func decode(_ text: String, binding: [UInt8], sorts: Int, secret: [UInt8]) throws -> SortPosition {
        guard let bytes = Base64.decode(text).flatMap({ Crypto.decrypt($0, key: key(secret)) }) else {
            throw refusal("the continuation marker was not made by this service or has been altered")
        }
        var reader = ByteReader(bytes)
        guard try reader.byte() == version, try reader.blob() == binding else {
            throw refusal("the continuation marker belongs to another query")
        }
        let hasRow = try reader.byte() == 1
        let row = try reader.integer()
        let keys = try (0..<(try reader.count())).map { _ in try reader.blob() }
        guard hasRow ? keys.count == sorts + 1 : (1...sorts).contains(keys.count) else {
            throw refusal("the continuation marker belongs to another query")
        }
        return SortPosition(keys: keys, row: hasRow ? row : nil)
    }

    private static func key(_ secret: [UInt8]) -> [UInt8] {
        Crypto.hmacSHA256(key: secret, Array("continuation markers".utf8))
    }

    private static func refusal(_ reason: String) -> CloudError { CloudError(.badRequest, reason, nativeCode: 12) }
}
