import CloudCore
public import CoreLocation
import Foundation

extension CLLocation: __CKRecordObjCValue {}

extension CLLocation {
    /// A place as the service keeps it. What it does not say is negative, as where a device did not measure it; a height
    /// and a time that nobody told are 0 and the beginning of 1970.
    convenience init(_ location: Location) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: location.latitude, longitude: location.longitude),
            altitude: location.altitude ?? 0, horizontalAccuracy: location.horizontalAccuracy ?? -1,
            verticalAccuracy: location.verticalAccuracy ?? -1, course: location.course ?? -1,
            speed: location.speed ?? -1, timestamp: Date(milliseconds: location.timestamp ?? 0))
    }
}

extension Location {
    init(_ location: CLLocation) {
        self.init(
            latitude: location.coordinate.latitude, longitude: location.coordinate.longitude,
            horizontalAccuracy: location.horizontalAccuracy, verticalAccuracy: location.verticalAccuracy,
            altitude: location.altitude, speed: location.speed, course: location.course,
            timestamp: location.timestamp.milliseconds)
    }
}
