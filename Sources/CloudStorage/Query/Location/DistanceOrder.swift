import CloudCore

/// Orders places by their distance from a point, to the millimetre, as far as the index knows where they are.
struct DistanceOrder {
    let point: SpherePoint

    init(from location: Location) { point = SpherePoint(location) }

    func millimetres(to cell: GeoCell) -> Int64 { Self.millimetres(point.distance(to: cell.center)) }

    /// No place in the cell is nearer.
    func lowerBound(of cell: GeoCell) -> Int64 { Int64((point.distance(to: cell) * 1000).rounded(.down)) - 1 }

    /// No place in the cell is farther.
    func upperBound(of cell: GeoCell) -> Int64 { Int64((point.farthestDistance(of: cell) * 1000).rounded(.up)) + 1 }

    func key(_ location: Location) -> [UInt8] { Self.key(millimetres(to: GeoCell(location))) }

    static func key(_ millimetres: Int64) -> [UInt8] { IndexKey.key(number: millimetres) }

    /// The distance that a key tells.
    static func millimetres(of key: [UInt8]) -> Int64 {
        Int64(bitPattern: key.dropFirst().reduce(0) { $0 << 8 | UInt64($1) } ^ (1 << 63))
    }

    private static func millimetres(_ metres: Double) -> Int64 { Int64((metres * 1000).rounded()) }
}
