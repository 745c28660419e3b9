import CloudCore
public import Foundation

/// Stands for the user who is signed in, as the owner of a zone and as a user record's name.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKCurrentUserDefaultName = "__defaultOwner__"
// swift-format-ignore: AlwaysUseLowerCamelCase
@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public let CKOwnerDefaultName = "__defaultOwner__"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordZoneDefaultName = "_defaultZone"

/// The name and the owner of a zone.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public let zoneName: String
    public let ownerName: String

    public static let `default` = CKRecordZoneID(zoneName: defaultZoneName, ownerName: CKCurrentUserDefaultName)
    public static let defaultZoneName = CKRecordZoneDefaultName

    public init(
        zoneName: String = CKRecordZone.ID.defaultZoneName, ownerName: String = CKCurrentUserDefaultName
    ) {
        self.zoneName = zoneName
        self.ownerName = ownerName
    }

    /// `nil` stands for the current user.
    @available(*, deprecated, message: "use init(zoneName:ownerName:) with CKCurrentUserDefaultName")
    @_disfavoredOverload
    public convenience init(
        zoneName: String = CKRecordZone.ID.defaultZoneName, ownerName: String? = CKOwnerDefaultName
    ) {
        self.init(zoneName: zoneName, ownerName: ownerName ?? CKCurrentUserDefaultName)
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let zone = coder.string("ZoneName"), let owner = coder.string("OwnerName") else { return nil }
        self.init(zoneName: zone, ownerName: owner)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(zoneName as NSString, forKey: "ZoneName")
        coder.encode(ownerName as NSString, forKey: "OwnerName")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZoneID else { return false }
        return zoneName.utf8.elementsEqual(other.zoneName.utf8) && ownerName.utf8.elementsEqual(other.ownerName.utf8)
    }

    public override var hash: Int {
        var hasher = Hasher()
        for byte in zoneName.utf8 { hasher.combine(byte) }
        for byte in ownerName.utf8 { hasher.combine(byte) }
        return hasher.finalize()
    }

    public override var description: String { "\(zoneName):\(ownerName)" }
}

extension CKRecordZoneID {
    /// An answer's zone as the app sees it: zones of one's own databases belong to ``CKCurrentUserDefaultName``.
    convenience init(_ zone: ZoneID, scope: DatabaseScope) {
        self.init(zoneName: zone.name, ownerName: scope == .shared ? zone.owner : CKCurrentUserDefaultName)
    }

    /// The zone with its owner as the app named it, which may be the placeholder.
    var coreID: ZoneID { ZoneID(name: zoneName, owner: ownerName) }

    /// The owner for a request; `nil` stands for the current user.
    var ownerRecordName: String? { ownerName == CKCurrentUserDefaultName ? nil : ownerName }

    /// Throws when no zone can have this name.
    func checkName() throws {
        if ownerName.isEmpty {
            throw CKError(.invalidArguments, reason: "the owner of the zone '\(zoneName)' has no name")
        }
        guard zoneName != Self.defaultZoneName else { return }
        if let reason = NameRule.violation(in: zoneName, of: "zone name") {
            throw CKError(.invalidArguments, reason: reason)
        }
    }
}

/// A group of records that can be changed together.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CKRecordZone: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public typealias ID = CKRecordZoneID

    public struct Capabilities: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static var fetchChanges: Capabilities { Capabilities(rawValue: 1) }
        public static var atomic: Capabilities { Capabilities(rawValue: 2) }
        public static var sharing: Capabilities { Capabilities(rawValue: 4) }
        public static var zoneWideSharing: Capabilities { Capabilities(rawValue: 8) }
    }

    public let zoneID: CKRecordZone.ID
    /// Of a fetched zone that is shared as a whole: its share record.
    public let share: CKRecord.Reference?

    /// What the zone can do, known of one that was saved or fetched: everything for a custom zone of one's own, changes
    /// and atomic saves for one that is shared with the user, nothing for the default zone.
    public let capabilities: CKRecordZone.Capabilities

    init(zoneID: CKRecordZone.ID, isShared: Bool, capabilities: Capabilities) {
        self.zoneID = zoneID
        self.capabilities = capabilities
        share =
            isShared
            ? CKRecord.Reference(
                recordID: CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: zoneID), action: .none) : nil
    }

    /// A zone of the service, in a database of `scope`.
    convenience init(zoneID: CKRecordZone.ID, isShared: Bool, scope: DatabaseScope) {
        let custom: Capabilities =
            switch scope {
            case .public: []
            case .private: [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
            case .shared: [.fetchChanges, .atomic]
            }
        let isDefault = zoneID.zoneName == CKRecordZone.ID.defaultZoneName
        self.init(zoneID: zoneID, isShared: isShared, capabilities: isDefault ? [] : custom)
    }

    public convenience init(zoneID: CKRecordZone.ID) { self.init(zoneID: zoneID, isShared: false, capabilities: []) }

    public convenience init(zoneName: String) {
        self.init(zoneID: CKRecordZone.ID(zoneName: zoneName, ownerName: CKCurrentUserDefaultName))
    }

    public class func `default`() -> CKRecordZone { CKRecordZone(zoneID: .default) }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let id = CKRecordZone.ID(coder: coder) else { return nil }
        self.init(
            zoneID: id, isShared: coder.containsValue(forKey: "IsShared") && coder.decodeBool(forKey: "IsShared"),
            capabilities: Capabilities(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "Capabilities"))))
    }

    public func encode(with coder: NSCoder) {
        zoneID.encode(with: coder)
        coder.encode(share != nil, forKey: "IsShared")
        coder.encode(Int(bitPattern: capabilities.rawValue), forKey: "Capabilities")
    }
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKRecordZone)?.zoneID == zoneID }
    public override var hash: Int { zoneID.hash }
    public override var description: String { "<CKRecordZone: \(zoneID)>" }
}
