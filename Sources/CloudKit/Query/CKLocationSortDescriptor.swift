import CloudCore
public import CoreLocation
public import Foundation

/// Orders records by how far a field of theirs is from a place, the nearest first; those without the field come last.
///
/// The distance is along the great circle; heights do not count. The order cannot be reversed.
public class CKLocationSortDescriptor: NSSortDescriptor, NSSecureCoding {
    let place: Location

    public init(key: String, relativeLocation: CLLocation) {
        place = Location(relativeLocation)
        super.init(keyPath: \SortProbe[key], ascending: true, comparator: { _, _ in .orderedSame })
    }

    public var relativeLocation: CLLocation { CLLocation(place) }

    public static var supportsSecureCoding: Bool { true }

    /// From an archive that holds none the coder gets an error, as far as its policy is to return errors, and the descriptor has
    /// an empty key: a query with it is refused.
    public required convenience init(coder: NSCoder) {
        guard let key = coder.string("Key"), let location = coder.object(CLLocation.self, "Location") else {
            coder.fail("SortDescriptor")
            self.init(key: "", relativeLocation: CLLocation(latitude: 0, longitude: 0))
            return
        }
        self.init(key: key, relativeLocation: location)
    }

    public func encode(with coder: NSCoder) {
        if let key = SortOrder(self)?.key { coder.encode(key as NSString, forKey: "Key") }
        coder.encode(relativeLocation, forKey: "Location")
    }
}
