import CloudCore
public import Foundation

/// The name of a record and its zone.
///
/// The classes that Apple nests have their Objective-C names here, so that keyed archives can name them.
///
/// Unchecked: every stored property is a constant of a `Sendable` type; subclasses are for this module to make.
public class CKRecordID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public let recordName: String
    public let zoneID: CKRecordZone.ID

    public init(recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = CKRecordZone.ID.default) {
        self.recordName = recordName
        self.zoneID = zoneID
    }

    public convenience init(recordName: String) {
        self.init(recordName: recordName, zoneID: .default)
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let name = coder.string("RecordName"), let zone = coder.string("ZoneName"),
            let owner = coder.string("OwnerName")
        else { return nil }
        self.init(recordName: name, zoneID: CKRecordZone.ID(zoneName: zone, ownerName: owner))
    }

    public func encode(with coder: NSCoder) {
        coder.encode(recordName as NSString, forKey: "RecordName")
        coder.encode(zoneID.zoneName as NSString, forKey: "ZoneName")
        coder.encode(zoneID.ownerName as NSString, forKey: "OwnerName")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordID else { return false }
        return recordName.utf8.elementsEqual(other.recordName.utf8) && zoneID == other.zoneID
    }

    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(zoneID.hash)
        for byte in recordName.utf8 { hasher.combine(byte) }
        return hasher.finalize()
    }

    public override var description: String { "\(recordName):(\(zoneID))" }
}

extension CKRecordID {
    /// An answer's record as the app sees it.
    convenience init(_ id: RecordID, scope: DatabaseScope) {
        self.init(recordName: id.name, zoneID: CKRecordZone.ID(id.zone, scope: scope))
    }
}

extension CKRecord {
    public typealias ID = CKRecordID
    public typealias Reference = CKReference

    /// What becomes of a record when the record it refers to is deleted.
    public enum ReferenceAction: UInt, Sendable {
        case none = 0
        case deleteSelf = 1
    }
}

public typealias CKRecord_Reference_Action = CKRecord.ReferenceAction

/// A pointer to another record of the same zone.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CKReference: NSObject, NSSecureCoding, NSCopying, __CKRecordObjCValue, @unchecked Sendable {
    public typealias Action = CKRecord.ReferenceAction

    public let recordID: CKRecord.ID
    public let action: CKRecord.ReferenceAction

    public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
        self.recordID = recordID
        self.action = action
    }

    public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
        self.init(recordID: record.recordID, action: action)
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let id = CKRecord.ID(coder: coder),
            let action = CKRecord.ReferenceAction(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "Action")))
        else { return nil }
        self.init(recordID: id, action: action)
    }

    public func encode(with coder: NSCoder) {
        recordID.encode(with: coder)
        coder.encode(Int(action.rawValue), forKey: "Action")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKReference else { return false }
        return recordID == other.recordID && action == other.action
    }

    public override var hash: Int { recordID.hash ^ Int(action.rawValue) }

    public override var description: String { "<CKReference: \(recordID), action \(action)>" }
}

extension NSCoder {
    func string(_ key: String) -> String? { object(NSString.self, key).map { String($0) } }
    func data(_ key: String) -> Data? { object(NSData.self, key).map { Data($0) } }

    /// `nil` where the archive lacks the key: asked for it, an unarchiver may end the process.
    func object<Object: NSObject & NSCoding>(_ type: Object.Type, _ key: String) -> Object? {
        containsValue(forKey: key) ? decodeObject(of: type, forKey: key) : nil
    }

    /// Tells a coder that returns errors, as that of `NSKeyedUnarchiver.unarchivedObject(ofClass:from:)` does, that its archive
    /// holds no `what`; that function then throws. A coder that raises exceptions would end the process, and is not told.
    ///
    /// `failWithError(_:)` leaves no error behind on this platform; to ask for a key that no archive has does.
    func fail(_ what: String) {
        guard decodingFailurePolicy == .setErrorAndReturn else { return }
        _ = decodeObject(of: NSString.self, forKey: "CumuletValid" + what)
    }
}
