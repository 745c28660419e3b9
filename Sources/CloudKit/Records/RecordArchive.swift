import CloudCore
import Foundation
import Synchronization

/// What a keyed archive holds of a record: one property list under one key.
struct RecordArchive: Codable {
    struct Identity: Codable {
        var name: String
        var zone: String
        var owner: String

        init(_ id: CKRecord.ID) {
            name = id.recordName
            zone = id.zoneID.zoneName
            owner = id.zoneID.ownerName
        }

        var recordID: CKRecord.ID {
            CKRecord.ID(recordName: name, zoneID: CKRecordZone.ID(zoneName: zone, ownerName: owner))
        }
    }

    var recordType: String
    var id: Identity
    var parent: Identity?
    var isParentChanged: Bool
    /// The values and the parent as last fetched; `nil` for a record that never was.
    var base: Base?
    var share: Identity?
    var changeTag: String?
    var creationDate: Date?
    var modificationDate: Date?
    var creator: Identity?
    var modifier: Identity?
    var modifiedByDevice: String?
    var values: [String: StoredValue]
    var changed: [String]

    struct Base: Codable {
        var values: [String: StoredValue]
        var parent: Identity?
    }

    private static let key = "CumuletRecord"

    init(_ record: CKRecord, withValues: Bool) {
        let state = record.state.withLock { $0 }
        recordType = record.recordType
        id = Identity(record.recordID)
        parent = state.parent.map { Identity($0.recordID) }
        isParentChanged = state.isParentChanged
        base = state.base.map {
            Base(values: withValues ? $0.values : [:], parent: $0.parent.map { Identity($0.recordID) })
        }
        share = state.share.map { Identity($0.recordID) }
        changeTag = state.changeTag
        creationDate = state.creationDate
        modificationDate = state.modificationDate
        creator = state.creator.map(Identity.init)
        modifier = state.modifier.map(Identity.init)
        modifiedByDevice = state.modifiedByDevice
        values = withValues ? state.values : [:]
        changed = withValues ? Array(state.changed) : []
    }

    init?(coder: NSCoder) {
        guard let archive: Self = coder.propertyList(Self.key) else { return nil }
        self = archive
    }

    func encode(with coder: NSCoder) { coder.encode(propertyList: self, Self.key) }

    var recordID: CKRecord.ID { id.recordID }

    var state: CKRecord.State {
        func reference(_ identity: Identity?) -> CKRecord.Reference? {
            identity.map { CKRecord.Reference(recordID: $0.recordID, action: .none) }
        }
        return CKRecord.State(
            values: values, changed: Set(changed), parent: reference(parent), isParentChanged: isParentChanged,
            base: base.map { CKRecord.Base(values: $0.values, parent: reference($0.parent)) },
            share: reference(share), changeTag: changeTag, creationDate: creationDate,
            modificationDate: modificationDate, creator: creator?.recordID,
            modifier: modifier?.recordID, modifiedByDevice: modifiedByDevice)
    }
}

extension StoredValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case string, integer, unsigned, double, date, data, reference, action, location, asset, list, unsupported
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .string(let value): try container.encode(value, forKey: .string)
        case .number(let value):
            if value.isFloatingPoint {
                try container.encode(value.doubleValue, forKey: .double)
            } else if value.isAboveInt64 {
                try container.encode(value.uint64Value, forKey: .unsigned)
            } else {
                try container.encode(value.int64Value, forKey: .integer)
            }
        case .date(let value): try container.encode(value, forKey: .date)
        case .data(let value): try container.encode(value, forKey: .data)
        case .reference(let value):
            try container.encode(RecordArchive.Identity(value.recordID), forKey: .reference)
            try container.encode(value.action.rawValue, forKey: .action)
        case .location(let value): try container.encode(LocationArchive(value), forKey: .location)
        case .asset(let value): try container.encode(AssetArchive(value), forKey: .asset)
        case .list(let values): try container.encode(values, forKey: .list)
        case .unsupported(let name): try container.encode(name, forKey: .unsupported)
        }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first(where: { $0 != .action }) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no value"))
        }
        switch key {
        case .string: self = .string(try container.decode(String.self, forKey: key))
        case .integer: self = .number(NSNumber(value: try container.decode(Int64.self, forKey: key)))
        case .unsigned: self = .number(NSNumber(value: try container.decode(UInt64.self, forKey: key)))
        case .double: self = .number(NSNumber(value: try container.decode(Double.self, forKey: key)))
        case .date: self = .date(try container.decode(Date.self, forKey: key))
        case .data: self = .data(try container.decode(Data.self, forKey: key))
        case .reference, .action:
            let id = try container.decode(RecordArchive.Identity.self, forKey: .reference)
            let action = CKRecord.ReferenceAction(rawValue: try container.decode(UInt.self, forKey: .action))
            self = .reference(CKRecord.Reference(recordID: id.recordID, action: action ?? .none))
        case .location: self = .location(try container.decode(LocationArchive.self, forKey: key).location)
        case .asset: self = .asset(try container.decode(AssetArchive.self, forKey: key).asset(decoder))
        case .list: self = .list(try container.decode([StoredValue].self, forKey: key))
        case .unsupported: self = .unsupported(try container.decode(String.self, forKey: key))
        }
    }
}

/// What an archive holds of an asset: its name at the service, its file, or both.
private struct AssetArchive: Codable {
    var fileChecksum: String?
    var size: Int64?
    var file: URL?

    init(_ asset: CKAsset) {
        fileChecksum = asset.stored?.fileChecksum
        size = asset.stored?.size
        file = asset.fileURL
    }

    func asset(_ decoder: any Decoder) throws -> CKAsset {
        if let fileChecksum, let size {
            let isThere = file.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
            return CKAsset(stored: Asset(fileChecksum: fileChecksum, size: size), fileURL: isThere ? file : nil)
        }
        guard let file else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no asset"))
        }
        return CKAsset(fileURL: file)
    }
}

/// What an archive holds of a place.
struct LocationArchive: Codable, Hashable {
    var latitude: Double
    var longitude: Double
    var horizontalAccuracy: Double?
    var verticalAccuracy: Double?
    var altitude: Double?
    var speed: Double?
    var course: Double?
    var timestamp: Int64?

    init(_ location: Location) {
        latitude = location.latitude
        longitude = location.longitude
        horizontalAccuracy = location.horizontalAccuracy
        verticalAccuracy = location.verticalAccuracy
        altitude = location.altitude
        speed = location.speed
        course = location.course
        timestamp = location.timestamp
    }

    var location: Location {
        Location(
            latitude: latitude, longitude: longitude, horizontalAccuracy: horizontalAccuracy,
            verticalAccuracy: verticalAccuracy, altitude: altitude, speed: speed, course: course, timestamp: timestamp)
    }
}

extension NSNumber {
    var isFloatingPoint: Bool {
        let type = String(cString: objCType)
        return type == "d" || type == "f"
    }

    /// True for an unsigned number that no field can hold.
    var isAboveInt64: Bool { !isFloatingPoint && uint64Value > UInt64(Int64.max) && compare(0) == .orderedDescending }
}
