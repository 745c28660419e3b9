import CloudCore

extension CKShare {
    /// What a participant may do with shared records.
    public enum ParticipantPermission: Int, Sendable {
        case unknown = 0
        case none = 1
        case readOnly = 2
        case readWrite = 3
    }

    /// How far an invitation has come.
    public enum ParticipantAcceptanceStatus: Int, Sendable {
        case unknown = 0
        case pending = 1
        case accepted = 2
        case removed = 3
    }

    /// The part somebody has in a share.
    public enum ParticipantRole: Int, Sendable {
        case unknown = 0
        case owner = 1
        /// May also add and remove participants and change permissions.
        case administrator = 2
        /// Was invited.
        case privateUser = 3
        /// Came by the share's URL.
        case publicUser = 4
    }

    @available(*, deprecated, message: "use ParticipantRole")
    public enum ParticipantType: Int, Sendable {
        case unknown = 0
        case owner = 1
        case privateUser = 3
        case publicUser = 4
    }

    /// The fields of a share that sharing screens show.
    public enum SystemFieldKey {
        public static let title: CKRecord.FieldKey = "cloudkit.title"
        /// Data of a small image.
        public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"
        /// A uniform type identifier of the app's.
        public static let shareType: CKRecord.FieldKey = "cloudkit.type"
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKShareTitleKey: String = CKShare.SystemFieldKey.title
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKShareThumbnailImageDataKey: String = CKShare.SystemFieldKey.thumbnailImageData
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKShareTypeKey: String = CKShare.SystemFieldKey.shareType
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordTypeShare: String = CKRecord.SystemType.share
/// The name of the share record of a zone that is shared as a whole.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordNameZoneWideShare: String = Sharing.zoneWideName

@available(*, deprecated, renamed: "CKShare.ParticipantAcceptanceStatus")
public typealias CKShare_Participant_AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
@available(*, deprecated, renamed: "CKShare.ParticipantPermission")
public typealias CKShare_Participant_Permission = CKShare.ParticipantPermission
@available(*, deprecated, renamed: "CKShare.ParticipantRole")
public typealias CKShare_Participant_Role = CKShare.ParticipantRole
@available(*, deprecated, renamed: "CKShare.ParticipantType")
public typealias CKShare_Participant_ParticipantType = CKShare.ParticipantType
