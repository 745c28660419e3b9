import CloudCore
public import Foundation

extension CKShare {
    public typealias Metadata = CKShareMetadata
}

/// What a share URL leads to, as the signed-in user may see it: what an app needs to accept a share.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CKShareMetadata: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The container of the share, which need not be the one that was asked.
    public let containerIdentifier: String
    public let share: CKShare
    /// The root of the tree; `nil` for the share of a zone.
    public let hierarchicalRootRecordID: CKRecord.ID?
    /// `nil` unless it was asked for and may be read.
    public let rootRecord: CKRecord?
    /// The signed-in user's own part.
    public let participantRole: CKShare.ParticipantRole
    public let participantStatus: CKShare.ParticipantAcceptanceStatus
    public let participantPermission: CKShare.ParticipantPermission
    public let ownerIdentity: CKUserIdentity
    /// The address that the metadata was fetched by.
    let url: URL

    init(
        url: URL, containerIdentifier: String, share: CKShare, hierarchicalRootRecordID: CKRecord.ID?,
        rootRecord: CKRecord?, role: CKShare.ParticipantRole, status: CKShare.ParticipantAcceptanceStatus,
        permission: CKShare.ParticipantPermission, ownerIdentity: CKUserIdentity
    ) {
        self.url = url
        self.containerIdentifier = containerIdentifier
        self.share = share
        self.hierarchicalRootRecordID = hierarchicalRootRecordID
        self.rootRecord = rootRecord
        participantRole = role
        participantStatus = status
        participantPermission = permission
        self.ownerIdentity = ownerIdentity
    }

    /// The root of the tree; of the share of a zone the share itself.
    @available(*, deprecated, message: "use hierarchicalRootRecordID")
    public var rootRecordID: CKRecord.ID { hierarchicalRootRecordID ?? share.recordID }

    @available(*, deprecated, message: "use participantRole")
    public var participantType: CKShare.ParticipantType {
        CKShare.ParticipantType(rawValue: participantRole == .administrator ? 3 : participantRole.rawValue) ?? .unknown
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let url = coder.string("URL").flatMap({ URL(string: $0) }),
            let container = coder.string("ContainerIdentifier"), let share = coder.object(CKShare.self, "Share"),
            let owner = coder.object(CKUserIdentity.self, "OwnerIdentity"),
            let role = CKShare.ParticipantRole(rawValue: coder.decodeInteger(forKey: "Role")),
            let status = CKShare.ParticipantAcceptanceStatus(rawValue: coder.decodeInteger(forKey: "Status")),
            let permission = CKShare.ParticipantPermission(rawValue: coder.decodeInteger(forKey: "Permission"))
        else { return nil }
        self.init(
            url: url, containerIdentifier: container, share: share,
            hierarchicalRootRecordID: coder.object(CKRecord.ID.self, "RootRecordID"),
            rootRecord: coder.object(CKRecord.self, "RootRecord"), role: role, status: status, permission: permission,
            ownerIdentity: owner)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(url.absoluteString as NSString, forKey: "URL")
        coder.encode(containerIdentifier as NSString, forKey: "ContainerIdentifier")
        coder.encode(share, forKey: "Share")
        coder.encode(ownerIdentity, forKey: "OwnerIdentity")
        coder.encode(participantRole.rawValue, forKey: "Role")
        coder.encode(participantStatus.rawValue, forKey: "Status")
        coder.encode(participantPermission.rawValue, forKey: "Permission")
        if let hierarchicalRootRecordID { coder.encode(hierarchicalRootRecordID, forKey: "RootRecordID") }
        if let rootRecord { coder.encode(rootRecord, forKey: "RootRecord") }
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKShareMetadata else { return false }
        return url == other.url && containerIdentifier == other.containerIdentifier
    }
    public override var hash: Int { url.hashValue }
    public override var description: String {
        "<CKShareMetadata: \(containerIdentifier), \(share.recordID), \(participantStatus)>"
    }
}
