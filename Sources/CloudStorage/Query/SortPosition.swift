import CloudCore

/// A place in the order of a query.
///
/// A record's place is the keys of its sort fields, then, if it lacks the last of them or that one sorts by distance, the
/// key of its creation, then its row. A place without a row has fewer keys and lies behind every record that begins with them.
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
        var keys = sorts.map { $0.key(of: stored.record) }
        let needsCreation = keys.last == IndexKey.absent || sorts.last?.relativeLocation != nil
        keys.append(needsCreation ? IndexKey.key(number: stored.record.created.timestamp) : IndexKey.absent)
        self.init(keys: keys, row: stored.row)
    }

    static func behind(_ keys: [[UInt8]]) -> SortPosition { SortPosition(keys: keys, row: nil) }

    /// Whether this place comes before the other.
    func precedes(_ other: SortPosition, sorts: [QuerySort]) -> Bool {
        for (index, (left, right)) in zip(keys, other.keys).enumerated() where left != right {
            guard index < sorts.count else { return IndexKey.less(left, right) }
            if left == IndexKey.absent || right == IndexKey.absent {
                return (right == IndexKey.absent) == sorts[index].absentComesLast
            }
            return IndexKey.less(left, right) == sorts[index].ascending
        }
        guard let row, let otherRow = other.row else { return row != nil && other.row == nil }
        let isAscending = keys[sorts.count - 1] == IndexKey.absent || sorts[sorts.count - 1].ascending
        return isAscending ? row < otherRow : row > otherRow
    }
}

extension QuerySort {
    /// Where records without the field stand.
    var absentComesLast: Bool { !ascending || relativeLocation != nil }

    /// The record's place in this order alone.
    func key(of record: Record) -> [UInt8] {
        guard let value = record.value(of: field) else { return IndexKey.absent }
        if let relativeLocation {
            guard case .location(let location) = value else { return IndexKey.absent }
            return DistanceOrder(from: relativeLocation).key(location)
        }
        if field == .system(.recordName), case .string(let name) = value { return [1] + name.utf8 }
        return IndexKey.key(value) ?? IndexKey.absent
    }
}
