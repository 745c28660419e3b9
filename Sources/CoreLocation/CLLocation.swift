public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
public typealias CLLocationDegrees = Double
public typealias CLLocationDistance = Double
public typealias CLLocationAccuracy = Double
public typealias CLLocationSpeed = Double
public typealias CLLocationSpeedAccuracy = Double
public typealias CLLocationDirection = Double
public typealias CLLocationDirectionAccuracy = Double

/// A latitude and a longitude, in degrees.
public struct CLLocationCoordinate2D: Sendable {
    /// Degrees north of the equator; negative in the south.
    public var latitude: CLLocationDegrees
    /// Degrees east of the zero meridian; negative in the west.
    public var longitude: CLLocationDegrees

    public init() { self.init(latitude: 0, longitude: 0) }

    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A coordinate that stands for none.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Whether the latitude is within ±90 and the longitude within ±180 degrees.
// swift-format-ignore: AlwaysUseLowerCamelCase
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// A place, and what a device measured along with it. What was not measured is negative.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public let coordinate: CLLocationCoordinate2D
    /// Metres above the level of the sea.
    public let altitude: CLLocationDistance
    /// Metres; negative when the coordinate means nothing.
    public let horizontalAccuracy: CLLocationAccuracy
    /// Metres; negative when the altitude means nothing.
    public let verticalAccuracy: CLLocationAccuracy
    /// Degrees clockwise from true north; negative when unknown.
    public let course: CLLocationDirection
    public let courseAccuracy: CLLocationDirectionAccuracy
    /// Metres per second; negative when unknown.
    public let speed: CLLocationSpeed
    public let speedAccuracy: CLLocationSpeedAccuracy
    public let timestamp: Date

    public init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
        speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.verticalAccuracy = verticalAccuracy
        self.course = course
        self.courseAccuracy = courseAccuracy
        self.speed = speed
        self.speedAccuracy = speedAccuracy
        self.timestamp = timestamp
    }

    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1,
            timestamp: timestamp)
    }

    public convenience init(
        coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance, horizontalAccuracy: CLLocationAccuracy,
        verticalAccuracy: CLLocationAccuracy, timestamp: Date
    ) {
        self.init(
            coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
    }

    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
            horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
    }

    /// Metres along the great circle between the places, on a sphere of the Earth's mean radius. Heights do not count.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        let radians = Double.pi / 180
        let (a, b) = (coordinate.latitude * radians, location.coordinate.latitude * radians)
        let north = (b - a) / 2
        let east = (location.coordinate.longitude - coordinate.longitude) * radians / 2
        let part = sin(north) * sin(north) + cos(a) * cos(b) * sin(east) * sin(east)
        return 2 * Self.earthRadius * asin(min(1, part.squareRoot()))
    }

    /// Metres, as the service has it for its queries.
    static let earthRadius = 6_371_008.8

    public static var supportsSecureCoding: Bool { true }

    private static let keys = [
        "Latitude", "Longitude", "Altitude", "HorizontalAccuracy", "VerticalAccuracy", "Course", "CourseAccuracy",
        "Speed",
        "SpeedAccuracy", "Timestamp",
    ]

    public required convenience init?(coder: NSCoder) {
        guard Self.keys.allSatisfy(coder.containsValue) else { return nil }
        let values = Self.keys.map(coder.decodeDouble)
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: values[0], longitude: values[1]), altitude: values[2],
            horizontalAccuracy: values[3], verticalAccuracy: values[4], course: values[5], courseAccuracy: values[6],
            speed: values[7], speedAccuracy: values[8], timestamp: Date(timeIntervalSinceReferenceDate: values[9]))
    }

    public func encode(with coder: NSCoder) {
        let values = [
            coordinate.latitude, coordinate.longitude, altitude, horizontalAccuracy, verticalAccuracy, course,
            courseAccuracy, speed, speedAccuracy, timestamp.timeIntervalSinceReferenceDate,
        ]
        for (key, value) in zip(Self.keys, values) { coder.encode(value, forKey: key) }
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> ± \(horizontalAccuracy) m @ \(timestamp)"
    }
}
