import CloudCore
import Glibc

/// A point on the earth taken as a sphere, in radians.
struct SpherePoint: Hashable {
    /// The mean radius of the earth in metres.
    static let radius = 6_371_008.8

    let latitude: Double
    let longitude: Double

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    init(_ location: Location) {
        self.init(latitude: location.latitude * .pi / 180, longitude: location.longitude * .pi / 180)
    }

    /// The point on the other side of the earth.
    var antipode: SpherePoint { SpherePoint(latitude: -latitude, longitude: longitude + .pi) }

    /// Metres along the great circle; exact to a millimetre near and far, across the poles and the antimeridian.
    func distance(to other: SpherePoint) -> Double {
        distance(latitude: other.latitude, turn: other.longitude - longitude)
    }

    /// Metres to the point of a latitude whose longitude is `turn` away.
    private func distance(latitude other: Double, turn: Double) -> Double {
        let across = cos(other) * sin(turn)
        let along = cos(latitude) * sin(other) - sin(latitude) * cos(other) * cos(turn)
        let inward = sin(latitude) * sin(other) + cos(latitude) * cos(other) * cos(turn)
        return Self.radius * atan2(hypot(across, along), inward)
    }

    /// Metres to the nearest point of a cell.
    ///
    /// On one latitude, the nearer longitude is the nearer point. So the nearest point is on the point's own meridian if
    /// the cell has it, else on the nearer of the two meridians that bound the cell: where the great circle that
    /// meets that meridian at a right angle does so, or at one of the cell's corners.
    func distance(to cell: GeoCell) -> Double {
        let (south, north, west, width) = cell.bounds
        let turn = (longitude - west).truncatingRemainder(dividingBy: 2 * .pi)
        let eastward = turn < 0 ? turn + 2 * .pi : turn
        if eastward <= width { return Self.radius * max(south - latitude, latitude - north, 0) }
        let offset = min(eastward - width, 2 * .pi - eastward)
        let foot = atan2(sin(latitude), cos(latitude) * cos(offset))
        if foot >= south, foot <= north { return distance(latitude: foot, turn: offset) }
        return min(distance(latitude: south, turn: offset), distance(latitude: north, turn: offset))
    }

    /// Metres to the farthest point of a cell: what is near the other side of the earth is far.
    func farthestDistance(of cell: GeoCell) -> Double { Self.radius * .pi - antipode.distance(to: cell) }
}

/// A circle on the earth, its edge included.
struct Circle: Hashable {
    let center: SpherePoint
    /// Metres.
    let radius: Double

    func contains(_ location: Location) -> Bool { center.distance(to: SpherePoint(location)) <= radius }

    /// False when no place in the cell is in the circle; what is nearer to the edge than sums of numbers are exact is not ruled out.
    func mayMeet(_ cell: GeoCell) -> Bool { center.distance(to: cell) <= radius + Self.slack }

    /// True when every place in the cell is in the circle.
    func covers(_ cell: GeoCell) -> Bool { center.farthestDistance(of: cell) <= radius - Self.slack }

    private static let slack = 0.001

    /// The keys of the places in the circle, and of some around it: at most about `most` ranges, in rising order.
    func ranges(most: Int) -> [KeyRange] {
        var open = [GeoCell.world]
        var closed: [GeoCell] = []
        var next = 0
        while next < open.count, closed.count + open.count - next < most {
            let cell = open[next]
            next += 1
            if cell.isSmallest || covers(cell) {
                closed.append(cell)
            } else {
                open += cell.children.filter(mayMeet)
            }
        }
        var ranges: [KeyRange] = []
        for cell in (closed + open[next...]).sorted(by: { $0.code < $1.code }) {
            let range = cell.keys
            if ranges.last?.upper == range.lower {
                ranges[ranges.count - 1].upper = range.upper
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }
}
