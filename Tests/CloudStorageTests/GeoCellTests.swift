import CloudCore
import Testing

@testable import CloudStorage

/// Distances on the earth and the cells of the location index.
@Suite struct GeoCellTests {
    private static func random(_ random: inout SeededGenerator) -> Location {
        let edges = [-90.0, -89.9999, 0, 45, 89.9999, 90]
        let meridians = [-180.0, -179.9999, 0, 179.9999, 180]
        return Location(
            latitude: Int.random(in: 0..<4, using: &random) == 0
                ? edges.randomElement(using: &random) ?? 0 : Double.random(in: -90...90, using: &random),
            longitude: Int.random(in: 0..<4, using: &random) == 0
                ? meridians.randomElement(using: &random) ?? 0 : Double.random(in: -180...180, using: &random))
    }

    @Test func `distances are right over the poles, over the antimeridian, and to the other side of the earth`() {
        func distance(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
            SpherePoint(Location(latitude: a, longitude: b)).distance(
                to: SpherePoint(Location(latitude: c, longitude: d)))
        }
        let degree = SpherePoint.radius * .pi / 180
        #expect(abs(distance(0, 179.5, 0, -179.5) - degree) < 0.001)
        #expect(abs(distance(89.5, 0, 89.5, 180) - degree) < 0.001)
        #expect(abs(distance(-90, 17, -90, -120)) < 0.001)
        #expect(abs(distance(0, 0, 0, 180) - 180 * degree) < 0.001)
        #expect(abs(distance(30, 40, -30, -140) - 180 * degree) < 0.001)
        #expect(abs(distance(52.52, 13.405, 48.8566, 2.3522) - 877_463) < 1000)  // Berlin, Paris
        #expect(abs(distance(10, 10, 10.000001, 10) - degree / 1e6) < 0.0001)
    }

    @Test(arguments: UInt64(1)...4)
    func `a cell has its places, its bounds hold them, and no place in it is nearer or farther than it says`(
        seed: UInt64
    ) {
        var random = SeededGenerator(state: seed)
        for _ in 0..<500 {
            let place = Self.random(&random)
            let smallest = GeoCell(place)
            var cell = GeoCell.world
            for _ in 0..<Int.random(in: 0...64, using: &random) {
                let next = cell.children.filter { $0.code <= smallest.code && smallest.code <= $0.lastCode }
                #expect(next.count == 1, "\(place)")
                cell = next.first ?? cell
            }
            let keys = cell.keys
            let key = GeoCell.key(smallest.code) + IndexKey.key(number: 5)
            #expect(!IndexKey.less(key, keys.lower) && IndexKey.less(key, keys.upper), "\(place), \(cell)")
            #expect(SpherePoint(place).distance(to: smallest.center) < 0.000_001, "\(place)")
            let from = SpherePoint(Self.random(&random))
            for _ in 0..<4 {
                let (south, north, west, width) = cell.bounds
                let inside = SpherePoint(
                    latitude: Double.random(in: south...north, using: &random),
                    longitude: west + Double.random(in: 0...width, using: &random))
                let distance = from.distance(to: inside)
                #expect(from.distance(to: cell) <= distance + 0.0001, "\(from) \(cell) \(inside)")
                #expect(from.farthestDistance(of: cell) >= distance - 0.0001, "\(from) \(cell) \(inside)")
            }
        }
    }

    @Test(arguments: UInt64(1)...4)
    func `the ranges of a circle have every place in it`(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        for _ in 0..<200 {
            let center = Self.random(&random)
            let radius =
                ([0.0, 1, 500, 40_000, 3_000_000, 19_000_000, 30_000_000] as [Double]).randomElement(using: &random)
                ?? 0
            let circle = Circle(center: SpherePoint(center), radius: radius)
            let ranges = circle.ranges(most: 16)
            #expect(ranges.count <= 20)
            for place in [center] + (0..<40).map({ _ in Self.random(&random) }) where circle.contains(place) {
                let key = GeoCell.key(GeoCell(place).code)
                #expect(
                    ranges.contains { !IndexKey.less(key, $0.lower) && IndexKey.less(key, $0.upper) },
                    "\(place) \(circle)")
            }
        }
        let world = Circle(center: SpherePoint(latitude: 0, longitude: 0), radius: 30_000_000)
        #expect(world.ranges(most: 16) == [GeoCell.world.keys])
    }

    @Test func `a heap gives its values with the least first`() {
        var random = SeededGenerator(state: 1)
        var heap = MinimumHeap<Int, Int>()
        let numbers = (0..<500).map { _ in Int.random(in: 0...99, using: &random) }
        for number in numbers { heap.insert(number, at: number) }
        var sorted: [Int] = []
        while let first = heap.first {
            sorted.append(first.value)
            heap.removeFirst()
        }
        #expect(sorted == numbers.sorted())
    }
}
