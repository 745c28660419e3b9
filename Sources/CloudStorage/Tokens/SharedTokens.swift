import CloudCore
import CloudCrypto

/// What the tokens of a shared database have in common.
enum SharedToken {
    static let version: UInt8 = 1

    /// Binds a token to its user: what he has seen is nobody else's.
    static func digest(of user: String) -> UInt64 {
        Crypto.sha256(Array(user.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// A place in the feed of a zone that its holder takes part in.
struct SharedZoneToken: Equatable {
    /// Raw values are those of ``SyncToken/Kind``, continued.
    enum Kind: UInt8 {
        case whole = 4
        case reverseWhole = 5
        case trees = 6
        case reverseTrees = 7

        init(_ access: ZoneAccess, isReverse: Bool) {
            switch access.view {
            case .whole: self = isReverse ? .reverseWhole : .whole
            case .trees: self = isReverse ? .reverseTrees : .trees
            }
        }

        var isReverse: Bool { self == .reverseWhole || self == .reverseTrees }
    }

    /// How far one share was read.
    struct Place: Equatable {
        /// The row of the share record.
        var share: Int64
        /// The last number seen; for a reverse walk the lowest.
        var number: Int64
        /// The number of the zone's last change when the walk began: deletions up to there are not told.
        var since: Int64
        /// The last number up to which the records of a lost share were told as deleted.
        var lost: Int64?
    }

    var kind: Kind
    var databaseIncarnation: Int64
    var zoneIncarnation: Int64
    var user: UInt64
    /// Each share once.
    var places: [Place]

    func encode(secret: [UInt8]) -> String {
        var writer = ByteWriter()
        writer.byte(SharedToken.version)
        writer.byte(kind.rawValue)
        writer.fixed(UInt64(bitPattern: databaseIncarnation))
        writer.fixed(UInt64(bitPattern: zoneIncarnation))
        writer.fixed(user)
        writer.varint(UInt64(places.count))
        for place in places {
            writer.integer(place.share)
            writer.integer(place.number)
            writer.integer(place.since)
            writer.integer(place.lost ?? -1)
        }
        return SyncTokenCodec.seal(writer.bytes, secret: secret)
    }

    static func decode(_ text: String, secret: [UInt8]) throws -> SharedZoneToken {
        guard let bytes = SyncTokenCodec.open(text, secret: secret), bytes.first == SharedToken.version else {
            throw SyncTokenCodec.expired("it was not made by this service or has been altered")
        }
        var reader = ByteReader(Array(bytes.dropFirst()))
        guard let kind = Kind(rawValue: try reader.byte()) else { throw SyncTokenCodec.expiredZone }
        var token = SharedZoneToken(
            kind: kind, databaseIncarnation: Int64(bitPattern: try reader.fixed()),
            zoneIncarnation: Int64(bitPattern: try reader.fixed()), user: try reader.fixed(), places: [])
        for _ in 0..<(try reader.count()) {
            var place = Place(
                share: try reader.integer(), number: try reader.integer(), since: try reader.integer(), lost: nil)
            let lost = try reader.integer()
            place.lost = lost < 0 ? nil : lost
            token.places.append(place)
        }
        return token
    }
}

/// A place in the feed of a shared database: the zones that its holder was told of.
struct SharedDatabaseToken: Equatable {
    static let kind: UInt8 = 8

    struct Key: Hashable {
        let database, zone: Int64
    }

    struct Told: Equatable {
        /// The number of the last change told.
        var number: Int64
        /// Stands for the incarnations and shares that the view of the zone was made of.
        var view: UInt64
    }

    var user: UInt64
    var zones: [Key: Told]

    func encode(secret: [UInt8]) -> String {
        var writer = ByteWriter()
        writer.byte(SharedToken.version)
        writer.byte(Self.kind)
        writer.fixed(user)
        writer.varint(UInt64(zones.count))
        for (key, told) in zones.sorted(by: { ($0.key.database, $0.key.zone) < ($1.key.database, $1.key.zone) }) {
            writer.integer(key.database)
            writer.integer(key.zone)
            writer.integer(told.number)
            writer.fixed(told.view)
        }
        return SyncTokenCodec.seal(writer.bytes, secret: secret)
    }

    static func decode(_ text: String, secret: [UInt8]) throws -> SharedDatabaseToken {
        guard let bytes = SyncTokenCodec.open(text, secret: secret), bytes.starts(with: [SharedToken.version, kind])
        else { throw SyncTokenCodec.expired("it was not made by this service, or is of another database or zone") }
        var reader = ByteReader(Array(bytes.dropFirst(2)))
        var token = SharedDatabaseToken(user: try reader.fixed(), zones: [:])
        for _ in 0..<(try reader.count()) {
            let key = Key(database: try reader.integer(), zone: try reader.integer())
            token.zones[key] = Told(number: try reader.integer(), view: try reader.fixed())
        }
        return token
    }
}
