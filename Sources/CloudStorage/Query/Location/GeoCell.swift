import CloudCore

/// A part of the earth between two meridians and two latitudes: the whole, or one of the four quarters of a larger cell.
///
/// Every place has a code of 128 bits, of its latitude and its longitude by turns, the highest bit first; the first
/// 2 · `level` bits are the same for all places of a cell. So the places of a cell are one range of codes.
struct GeoCell: Hashable {
    static let world = GeoCell(code: 0, level: 0)
    static let deepest = 64

    /// The smallest code in the cell.
    let code: UInt128
    /// 0 for the world, 64 for a cell with one code: a point, as far as numbers tell places apart.
    let level: Int

    private init(code: UInt128, level: Int) {
        self.code = code
        self.level = level
    }

    /// The smallest cell with that code.
    init(code: UInt128) { self.init(code: code, level: Self.deepest) }

    /// The smallest cell around a place. The two names of the antimeridian are one.
    init(_ location: Location) {
        let latitude = Self.step((location.latitude + 90) / 180)
        let longitude = location.longitude == 180 ? 0 : Self.step((location.longitude + 180) / 360)
        self.init(code: Self.spread(latitude) << 1 | Self.spread(longitude))
    }

    private static let steps = 18_446_744_073_709_551_616.0

    private static func step(_ fraction: Double) -> UInt64 {
        fraction < 1 ? UInt64(max(fraction, 0) * steps) : .max
    }

    /// The bits with a zero in front of each.
    private static func spread(_ bits: UInt64) -> UInt128 {
        UInt128(spread(UInt32(bits >> 32))) << 64 | UInt128(spread(UInt32(truncatingIfNeeded: bits)))
    }

    private static func spread(_ bits: UInt32) -> UInt64 {
        var bits = UInt64(bits)
        for (shift, mask) in zip([16, 8, 4, 2, 1] as [UInt64], masks) { bits = (bits | bits << shift) & mask }
        return bits
    }

    private static let masks: [UInt64] = [
        0x0000_FFFF_0000_FFFF, 0x00FF_00FF_00FF_00FF, 0x0F0F_0F0F_0F0F_0F0F, 0x3333_3333_3333_3333,
        0x5555_5555_5555_5555,
    ]

    /// Every second bit.
    private static func gather(_ bits: UInt128) -> UInt64 {
        UInt64(gather(UInt64(bits >> 64))) << 32 | UInt64(gather(UInt64(truncatingIfNeeded: bits)))
    }

    private static func gather(_ bits: UInt64) -> UInt32 {
        var bits = bits & 0x5555_5555_5555_5555
        for (shift, mask) in zip([1, 2, 4, 8, 16] as [UInt64], masks.dropLast().reversed() + [0xFFFF_FFFF]) {
            bits = (bits | bits >> shift) & mask
        }
        return UInt32(truncatingIfNeeded: bits)
    }

    var isSmallest: Bool { level == Self.deepest }

    /// The largest code in the cell.
    var lastCode: UInt128 { code | (UInt128.max >> UInt128(2 * level)) }

    /// The quarters, in the order of their codes.
    var children: [GeoCell] {
        (0..<4).map { GeoCell(code: code | UInt128($0) << UInt128(126 - 2 * level), level: level + 1) }
    }

    /// Latitudes and the western longitude in radians, and how far it reaches to the east.
    var bounds: (south: Double, north: Double, west: Double, width: Double) {
        let height = Double.pi / Double(UInt128(1) << UInt128(level))
        let unit = Double.pi / Self.steps
        let south = Double(Self.gather(code >> 1)) * unit - .pi / 2
        let west = Double(Self.gather(code)) * 2 * unit - .pi
        return (south, south + height, west, 2 * height)
    }

    /// The middle; of a smallest cell, the place itself.
    var center: SpherePoint {
        let (south, north, west, width) = bounds
        return SpherePoint(latitude: (south + north) / 2, longitude: west + width / 2)
    }

    // MARK: Keys

    /// The keys of the places in the cell.
    var keys: KeyRange {
        KeyRange(
            lower: Self.key(code), upper: lastCode == .max ? KeyRange.all.upper : Self.key(lastCode + 1))
    }

    static func key(_ code: UInt128) -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(1)
        writer.fixed(UInt64(code >> 64))
        writer.fixed(UInt64(truncatingIfNeeded: code))
        return writer.bytes
    }

    /// The code of an entry's key, and what follows it.
    static func split(_ key: [UInt8]) -> (code: UInt128, rest: [UInt8]) {
        func half(_ bytes: ArraySlice<UInt8>) -> UInt128 { UInt128(bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }) }
        return (half(key[1..<9]) << 64 | half(key[9..<17]), Array(key[17...]))
    }
}
