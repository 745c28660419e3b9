import CloudKit
import CoreLocation
import Testing

@Suite struct `A place` {
    private let berlin = CLLocation(latitude: 52.52, longitude: 13.405)

    @Test func `is as far from another as the great circle is long`() {
        let paris = CLLocation(latitude: 48.8566, longitude: 2.3522)
        #expect(abs(berlin.distance(from: paris) - 877_460) < 1_000)
        #expect(abs(berlin.distance(from: paris) - paris.distance(from: berlin)) < 0.001)
        #expect(berlin.distance(from: berlin) == 0)
        let opposite = CLLocation(latitude: -52.52, longitude: 13.405 - 180)
        #expect(abs(berlin.distance(from: opposite) - .pi * 6_371_008.8) < 1)
    }

    @Test func `is nearer across the antimeridian than around the world`() {
        let east = CLLocation(latitude: 0, longitude: 179.9)
        let west = CLLocation(latitude: 0, longitude: -179.9)
        #expect(east.distance(from: west) < 23_000)
    }

    @Test func `is kept in a record and in an archive with all that was measured`() throws {
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: -33.86, longitude: 151.21), altitude: 12.5,
            horizontalAccuracy: 5, verticalAccuracy: 3, course: 90, speed: 1.5,
            timestamp: Date(timeIntervalSince1970: 1_700_000_000))
        let record = CKRecord(recordType: "Photo")
        record["place"] = place
        record["way"] = [place, berlin]
        let data = try NSKeyedArchiver.archivedData(withRootObject: record, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: data))
        let kept = try #require(back["place"] as? CLLocation)
        #expect(kept.coordinate.latitude == -33.86 && kept.coordinate.longitude == 151.21)
        #expect(
            [kept.altitude, kept.horizontalAccuracy, kept.verticalAccuracy, kept.course, kept.speed] == [
                12.5, 5, 3, 90, 1.5,
            ])
        #expect(kept.timestamp == place.timestamp)
        #expect((back["way"] as? [CLLocation])?.map(\.coordinate.latitude) == [-33.86, 52.52])
        let alone = try NSKeyedArchiver.archivedData(withRootObject: place, requiringSecureCoding: true)
        let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: alone))
        #expect(again.distance(from: place) == 0 && again.timestamp == place.timestamp)
    }

    @Test func `outside of the world is no valid coordinate`() {
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90, -180)))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(90.1, 0)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(.nan, 0)))
    }
}
