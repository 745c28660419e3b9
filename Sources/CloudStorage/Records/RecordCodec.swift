import CloudCore

/// The stored form of a record's content: everything but its id, type, change number and state, which are columns.
///
/// Version byte, parent, in version 2 share and short GUID, two stamps, then name and value of each field in the order of
/// names. Version 1 is what has neither share nor short GUID.
enum RecordCodec {
    static let version: UInt8 = 1
    static let sharedVersion: UInt8 = 2

    struct Content: Equatable {
        var fields: [String: FieldValue]
        var parent: String?
        var share: String?
        var shortGUID: String?
        var created: RecordStamp
        var modified: RecordStamp
    }

    static func encode(_ content: Content) -> [UInt8] {
        var writer = ByteWriter(capacity: 128 + FieldCheck.bytes(of: content.fields))
        let isPlain = content.share == nil && content.shortGUID == nil
        writer.byte(isPlain ? version : sharedVersion)
        writer.optional(content.parent)
        if !isPlain {
            writer.optional(content.share)
            writer.optional(content.shortGUID)
        }
        for stamp in [content.created, content.modified] {
            writer.integer(stamp.timestamp)
            writer.text(stamp.userRecordName)
            writer.text(stamp.deviceID)
        }
        writer.varint(UInt64(content.fields.count))
        for (name, value) in content.fields.sorted(by: { $0.key < $1.key }) {
            writer.text(name)
            write(value, to: &writer)
        }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws -> Content {
        var reader = ByteReader(bytes)
        let found = try reader.byte()
        guard found == version || found == sharedVersion else { throw ByteReader.Malformed() }
        let parent = try reader.optional()
        let share = found == sharedVersion ? try reader.optional() : nil
        let shortGUID = found == sharedVersion ? try reader.optional() : nil
        func stamp() throws -> RecordStamp {
            RecordStamp(
                timestamp: try reader.integer(), userRecordName: try reader.text(), deviceID: try reader.text())
        }
        let created = try stamp()
        let modified = try stamp()
        let count = try reader.count()
        var fields = [String: FieldValue](minimumCapacity: count)
        for _ in 0..<count {
            let name = try reader.text()
            fields[name] = try value(from: &reader)
        }
        return Content(
            fields: fields, parent: parent, share: share, shortGUID: shortGUID, created: created, modified: modified)
    }

    private static let listTag: UInt8 = 0x10

    static func write(_ value: FieldValue, to writer: inout ByteWriter) {
        switch value {
        case .list(let element, let values):
            writer.byte(listTag | (element?.rawValue ?? 0))
            writer.varint(UInt64(values.count))
            for value in values { writeScalar(value, to: &writer) }
        default:
            if case .scalar(let type) = value.type { writer.byte(type.rawValue) }
            writeScalar(value, to: &writer)
        }
    }

    private static func writeScalar(_ value: FieldValue, to writer: inout ByteWriter) {
        switch value {
        case .string(let text): writer.text(text)
        case .int64(let number), .timestamp(let number): writer.integer(number)
        case .double(let number): writer.fixed(number.bitPattern)
        case .bytes(let bytes): writer.blob(bytes)
        case .reference(let reference):
            writer.byte(UInt8(ReferenceAction.allCases.firstIndex(of: reference.action) ?? 0))
            writer.text(reference.recordName)
            writer.optional(reference.zone?.name)
            if let zone = reference.zone { writer.text(zone.owner) }
        case .location(let location): write(location, to: &writer)
        case .asset(let asset):
            writer.blob(asset.content)
            writer.text(asset.fileChecksum)
            writer.integer(asset.size)
        case .list: break
        }
    }

    /// Which details follow, one bit each; both coordinates; the details.
    private static func write(_ location: Location, to writer: inout ByteWriter) {
        let details = location.details
        var present: UInt8 = location.timestamp == nil ? 0 : 1 << 5
        for (bit, detail) in details.enumerated() where detail != nil { present |= 1 << UInt8(bit) }
        writer.byte(present)
        writer.fixed(location.latitude.bitPattern)
        writer.fixed(location.longitude.bitPattern)
        for case .some(let detail) in details { writer.fixed(detail.bitPattern) }
        if let timestamp = location.timestamp { writer.integer(timestamp) }
    }

    private static func location(from reader: inout ByteReader) throws -> Location {
        let present = try reader.byte()
        guard present < 1 << 6 else { throw ByteReader.Malformed() }
        func number() throws -> Double { Double(bitPattern: try reader.fixed()) }
        func detail(_ bit: UInt8) throws -> Double? { present & 1 << bit == 0 ? nil : try number() }
        var location = Location(latitude: try number(), longitude: try number())
        location.horizontalAccuracy = try detail(0)
        location.verticalAccuracy = try detail(1)
        location.altitude = try detail(2)
        location.speed = try detail(3)
        location.course = try detail(4)
        if present & 1 << 5 != 0 { location.timestamp = try reader.integer() }
        return location
    }

    static func value(from reader: inout ByteReader) throws -> FieldValue {
        let tag = try reader.byte()
        guard tag & listTag != 0 else {
            guard let type = ScalarType(rawValue: tag) else { throw ByteReader.Malformed() }
            return try scalar(type, from: &reader)
        }
        let element = ScalarType(rawValue: tag & ~listTag)
        let count = try reader.count()
        guard let element else { return .list(nil, []) }
        var values: [FieldValue] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try scalar(element, from: &reader)) }
        return .list(element, values)
    }

    private static func scalar(_ type: ScalarType, from reader: inout ByteReader) throws -> FieldValue {
        switch type {
        case .string: return .string(try reader.text())
        case .int64: return .int64(try reader.integer())
        case .timestamp: return .timestamp(try reader.integer())
        case .double: return .double(Double(bitPattern: try reader.fixed()))
        case .bytes: return .bytes(try reader.blob())
        case .reference:
            let index = Int(try reader.byte())
            guard ReferenceAction.allCases.indices.contains(index) else { throw ByteReader.Malformed() }
            let name = try reader.text()
            let zoneName = try reader.optional()
            let zone = try zoneName.map { ZoneID(name: $0, owner: try reader.text()) }
            return .reference(Reference(recordName: name, zone: zone, action: ReferenceAction.allCases[index]))
        case .location: return .location(try location(from: &reader))
        case .asset:
            let content = try reader.blob()
            return .asset(Asset(fileChecksum: try reader.text(), size: try reader.integer(), content: content))
        }
    }
}

extension RecordCodec.Content {
    init(_ record: Record) {
        self.init(
            fields: record.fields, parent: record.parent, share: record.share, shortGUID: record.shortGUID,
            created: record.created, modified: record.modified)
    }
}
