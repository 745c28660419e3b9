import CloudCore

/// A place in the order of a query.
///
/// A record's place is the keys of its sort fields, then, if it lacks the last of them, the key of its creation, then
/// its row. A place without a row has fewer keys and lies behind every record that begins with them.
///
/// Text counts with the first 255 bytes of its UTF-8; record names count whole.
struct SortPosition: Equatable {
    let keys: [[UInt8]]
    let row: Int64?

    init(keys: [[UInt8]], row: Int64?) {
        self.keys = keys
        self.row = row
    }

    init(of stored: StoredRecord, sorts: [QuerySort]) {
        var keys = sorts.map { Self.key(stored.record.value(of: $0.field), of: $0.field) }
        let created = FieldValue.timestamp(stored.record.created.timestamp)
        keys.append(
            keys.last == IndexKey.absent
                ? Self.key(created, of: .system(.createdTimestamp)) : IndexKey.absent)
        self.init(keys: keys, row: stored.row)
    }

    static func behind(_ keys: [[UInt8]]) -> SortPosition { SortPosition(keys: keys, row: nil) }

    static func key(_ value: FieldValue?, of field: QueryField) -> [UInt8] {
        guard let value else { return IndexKey.absent }
        if field == .system(.recordName), case .string(let name) = value { return [1] + name.utf8 }
        return IndexKey.key(value) ?? IndexKey.absent
    }

    /// Whether this place comes before the other.
    func precedes(_ other: SortPosition, sorts: [QuerySort]) -> Bool {
        for (index, (left, right)) in zip(keys, other.keys).enumerated() where left != right {
            return IndexKey.less(left, right) == (index < sorts.count ? sorts[index].ascending : true)
        }
        guard let row, let otherRow = other.row else { return row != nil && other.row == nil }
        let isAscending = keys[sorts.count - 1] == IndexKey.absent || sorts[sorts.count - 1].ascending
        return isAscending ? row < otherRow : row > otherRow
    }
}
