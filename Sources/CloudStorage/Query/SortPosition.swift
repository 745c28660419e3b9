import CloudCore
import CloudCrypto

/// A record's place in the order of a query: the keys of its sort fields, then its row.
///
/// Text counts with the first 255 bytes of its UTF-8; record names count whole.
struct SortPosition: Equatable {
    var keys: [[UInt8]]
    var row: Int64
    /// True for the place behind every record whose first key is this one.
    var isBehindKey = false

    init(keys: [[UInt8]], row: Int64, isBehindKey: Bool = false) {
        self.keys = keys
        self.row = row
        self.isBehindKey = isBehindKey
    }

    init(of stored: StoredRecord, sorts: [QuerySort]) {
        keys = sorts.map { Self.key(stored.record.value(of: $0.field), of: $0.field) }
        row = stored.row
    }

    static func key(_ value: FieldValue?, of field: QueryField) -> [UInt8] {
        guard let value else { return IndexKey.absent }
        if field == .system(.recordName), case .string(let name) = value { return [1] + name.utf8 }
        return IndexKey.key(value) ?? IndexKey.absent
    }

    /// Whether this place comes before the other.
    func precedes(_ other: SortPosition, sorts: [QuerySort]) -> Bool {
        for (index, sort) in sorts.enumerated() {
            let (left, right) = (keys[index], other.keys[index])
            if left != right { return IndexKey.less(left, right) == sort.ascending }
            if index == 0, isBehindKey || other.isBehindKey { return !isBehindKey && other.isBehindKey }
        }
        return sorts[0].ascending ? row < other.row : row > other.row
    }
}

/// Where a page ended, bound to its query, zone and database.
enum QueryMarker {
    private static let version: UInt8 = 1

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
        writer.byte(position.isBehindKey ? 1 : 0)
        writer.integer(position.row)
        for key in position.keys { writer.blob(key) }
        return SyncTokenCodec.seal(writer.bytes, secret: secret)
    }

    static func decode(_ text: String, binding: [UInt8], sorts: Int, secret: [UInt8]) throws -> SortPosition {
        guard let bytes = SyncTokenCodec.open(text, secret: secret) else {
            throw CloudError(
                .badRequest, "the continuation marker was not made by this service or has been altered", nativeCode: 12)
        }
        var reader = ByteReader(bytes)
        guard try reader.byte() == version, try reader.blob() == binding else {
            throw CloudError(.badRequest, "the continuation marker belongs to another query", nativeCode: 12)
        }
        let isBehindKey = try reader.byte() == 1
        let row = try reader.integer()
        let keys = try (0..<sorts).map { _ in try reader.blob() }
        return SortPosition(keys: keys, row: row, isBehindKey: isBehindKey)
    }
}
