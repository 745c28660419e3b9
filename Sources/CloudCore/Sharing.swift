/// What somebody may do with shared records. Raw values are those of `CKShare.ParticipantPermission`; they are stored.
package enum SharePermission: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case none = 1
    case readOnly = 2
    case readWrite = 3

    package var wireName: String {
        switch self {
        case .unknown: "UNKNOWN"
        case .none: "NONE"
        case .readOnly: "READ_ONLY"
        case .readWrite: "READ_WRITE"
        }
    }
}

/// The part that a participant has. Raw values are those of `CKShare.ParticipantRole`; they are stored.
package enum ParticipantRole: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case owner = 1
    /// May also add and remove participants and change permissions.
    case administrator = 2
    /// Was invited.
    case privateUser = 3
    /// Came by the share's URL.
    case publicUser = 4

    package var wireName: String {
        switch self {
        case .unknown: "UNKNOWN"
        case .owner: "OWNER"
        case .administrator: "ADMINISTRATOR"
        case .privateUser: "USER"
        case .publicUser: "PUBLIC_USER"
        }
    }
}

/// How far an invitation has come. Raw values are those of `CKShare.ParticipantAcceptanceStatus`; they are stored.
package enum AcceptanceStatus: Int, Hashable, Sendable, CaseIterable {
    case unknown = 0
    case invited = 1
    case accepted = 2
    case removed = 3

    package var wireName: String {
        switch self {
        case .unknown: "UNKNOWN"
        case .invited: "INVITED"
        case .accepted: "ACCEPTED"
        case .removed: "REMOVED"
        }
    }
}

/// Somebody a share is shared with, or its owner.
package struct ShareParticipant: Hashable, Sendable {
    /// Unique within the share; empty in a request that adds the participant.
    package var id: String
    package var identity: UserIdentity
    package var role: ParticipantRole
    package var permission: SharePermission
    package var status: AcceptanceStatus
    /// Milliseconds since 1970; `nil` in a request.
    package var dateAdded: Int64?
    /// Whether the participant asked for access and got it.
    package var isApprovedRequester: Bool
    /// The part of a one-time URL after the short GUID, told to those who may hand it out; such a participant is nobody yet.
    package var invitationToken: String?
    /// In a request: the participant is to be invited by a one-time URL.
    package var wantsInvitationToken: Bool

    package init(
        id: String = "", identity: UserIdentity, role: ParticipantRole = .privateUser,
        permission: SharePermission = .readOnly, status: AcceptanceStatus = .invited, dateAdded: Int64? = nil,
        isApprovedRequester: Bool = false, invitationToken: String? = nil, wantsInvitationToken: Bool = false
    ) {
        self.id = id
        self.identity = identity
        self.role = role
        self.permission = permission
        self.status = status
        self.dateAdded = dateAdded
        self.isApprovedRequester = isApprovedRequester
        self.invitationToken = invitationToken
        self.wantsInvitationToken = wantsInvitationToken
    }
}

/// What a share record says besides its fields, as one caller may see it.
package struct Sharing: Hashable, Sendable {
    /// The name of a zone-wide share's record.
    package static let zoneWideName = "cloudkit.zoneshare"
    /// The type of share records.
    package static let recordType = "cloudkit.share"

    /// The fields of share records whose names have a dot.
    package static let systemFields: [String: ScalarType] = [
        "cloudkit.title": .string, "cloudkit.type": .string, "cloudkit.thumbnailImageData": .bytes,
    ]

    /// The root of the tree; `nil` for a share of a whole zone.
    package var root: String?
    package var publicPermission: SharePermission
    /// Everyone, the owner first.
    package var participants: [ShareParticipant]
    /// The caller's own entry.
    package var currentUser: ShareParticipant?
    package var allowsAccessRequests: Bool
    /// Told to the owner and administrators only.
    package var requesters: [ShareParticipant]
    package var blocked: [ShareParticipant]

    package init(
        root: String? = nil, publicPermission: SharePermission = .none, participants: [ShareParticipant] = [],
        currentUser: ShareParticipant? = nil, allowsAccessRequests: Bool = false, requesters: [ShareParticipant] = [],
        blocked: [ShareParticipant] = []
    ) {
        self.root = root
        self.publicPermission = publicPermission
        self.participants = participants
        self.currentUser = currentUser
        self.allowsAccessRequests = allowsAccessRequests
        self.requesters = requesters
        self.blocked = blocked
    }
}

/// What a save of a share record asks for; what it does not name stays.
package struct SharingDraft: Hashable, Sendable {
    /// The root to share, of a new share of a tree.
    package var root: String?
    /// The root's tag as the client knows it; not checked when the root is saved in the same request.
    package var rootChangeTag: String?
    package var publicPermission: SharePermission?
    /// Everyone who is to take part; who is not named is removed. The owner is added.
    package var participants: [ShareParticipant]?
    package var allowsAccessRequests: Bool?
    /// Identifiers of requesters to refuse or to block, of blocked ones to let go.
    package var denied: [String]
    package var blocked: [String]
    package var unblocked: [String]

    package init(
        root: String? = nil, rootChangeTag: String? = nil, publicPermission: SharePermission? = nil,
        participants: [ShareParticipant]? = nil, allowsAccessRequests: Bool? = nil, denied: [String] = [],
        blocked: [String] = [], unblocked: [String] = []
    ) {
        self.root = root
        self.rootChangeTag = rootChangeTag
        self.publicPermission = publicPermission
        self.participants = participants
        self.allowsAccessRequests = allowsAccessRequests
        self.denied = denied
        self.blocked = blocked
        self.unblocked = unblocked
    }
}
