/// A place on the earth, as a device measured it. What is unknown is absent, or -1 as some clients have it.
package struct Location: Hashable, Sendable {
    /// Degrees, -90 to 90.
    package var latitude: Double
    /// Degrees, -180 to 180.
    package var longitude: Double
    /// Metres.
    package var horizontalAccuracy: Double?
    /// Metres.
    package var verticalAccuracy: Double?
    /// Metres above the sea.
    package var altitude: Double?
    /// Metres per second.
    package var speed: Double?
    /// Degrees from north, clockwise.
    package var course: Double?
    /// Milliseconds since 1970.
    package var timestamp: Int64?

    package init(
        latitude: Double, longitude: Double, horizontalAccuracy: Double? = nil, verticalAccuracy: Double? = nil,
        altitude: Double? = nil, speed: Double? = nil, course: Double? = nil, timestamp: Int64? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.altitude = altitude
        self.speed = speed
        self.course = course
        self.timestamp = timestamp
    }

    /// The numbers that may be absent, in the order of their storage.
    package var details: [Double?] { [horizontalAccuracy, verticalAccuracy, altitude, speed, course] }

    /// What makes this no place on the earth, in words; `nil` when all is well.
    package var violation: String? {
        guard (-90...90).contains(latitude) else {
            return "has the latitude \(latitude), which is not within -90 and 90"
        }
        guard (-180...180).contains(longitude) else {
            return "has the longitude \(longitude), which is not within -180 and 180"
        }
        return details.allSatisfy { $0?.isFinite ?? true } ? nil : "has a detail that is not a number"
    }
}
