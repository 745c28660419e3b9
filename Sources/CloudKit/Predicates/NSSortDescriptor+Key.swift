import CoreLocation
public import Foundation

extension NSSortDescriptor {
    /// Orders by the field `key`.
    public convenience init(key: String?, ascending: Bool) {
        self.init(keyPath: \SortProbe[key ?? ""], ascending: ascending)
    }
}

extension NSSortDescriptor {
    /// Orders records by a property of theirs that may be missing, for example `\.creationDate`; those without it first.
    public convenience init<Value: Comparable>(keyPath: KeyPath<CKRecord, Value?>, ascending: Bool) {
        self.init(keyPath: keyPath, ascending: ascending) { left, right in
            switch (left as? Value, right as? Value) {
            case (let left?, let right?):
                left == right ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
            case (nil, nil): .orderedSame
            case (nil, _): .orderedAscending
            case (_, nil): .orderedDescending
            }
        }
    }
}

/// Tells the key that a sort descriptor's key path captured: reading the path leaves it in ``key``.
final class SortProbe {
    var key: String?

    subscript(key: String) -> String {
        self.key = key
        return key
    }
}

/// What a sort descriptor says by a field's name or by a record's dates; `nil` for one by another key path.
struct SortOrder: Codable, Hashable {
    var key: String
    var ascending: Bool
    /// Of an order by distance.
    var place: LocationArchive?

    init?(_ descriptor: NSSortDescriptor) {
        ascending = descriptor.ascending
        place = (descriptor as? CKLocationSortDescriptor).map { LocationArchive($0.place) }
        if descriptor.keyPath == \CKRecord.creationDate {
            key = CKRecord.SystemFieldKey.creationDate
            return
        }
        if descriptor.keyPath == \CKRecord.modificationDate {
            key = CKRecord.SystemFieldKey.modificationDate
            return
        }
        guard let path = descriptor.keyPath as? PartialKeyPath<SortProbe> else { return nil }
        let probe = SortProbe()
        _ = probe[keyPath: path]
        guard let name = probe.key else { return nil }
        key = name
    }

    var descriptor: NSSortDescriptor {
        if let place { return CKLocationSortDescriptor(key: key, relativeLocation: CLLocation(place.location)) }
        return NSSortDescriptor(key: key, ascending: ascending)
    }
}
