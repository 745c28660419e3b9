import CloudCore
import Foundation
import Synchronization

/// What a keyed archive holds of a participant.
struct ShareParticipantArchive: Codable {
    var id: String
    var identity: UserIdentityArchive
    var role: Int
    var permission: Int
    var status: Int
    var dateAdded: Int64?
    var isApprovedRequester: Bool
    var invitationToken: String?
    var wantsInvitationToken: Bool
    var isChanged = false

    init(_ participant: ShareParticipant) {
        id = participant.id
        identity = UserIdentityArchive(participant.identity)
        role = participant.role.rawValue
        permission = participant.permission.rawValue
        status = participant.status.rawValue
        dateAdded = participant.dateAdded
        isApprovedRequester = participant.isApprovedRequester
        invitationToken = participant.invitationToken
        wantsInvitationToken = participant.wantsInvitationToken
    }

    init(_ participant: CKShare.Participant) {
        let state = participant.state.withLock { $0 }
        self.init(state.core)
        isChanged = state.isChanged
    }

    var participant: ShareParticipant {
        ShareParticipant(
            id: id, identity: identity.identity, role: CloudCore.ParticipantRole(rawValue: role) ?? .unknown,
            permission: SharePermission(rawValue: permission) ?? .unknown,
            status: AcceptanceStatus(rawValue: status) ?? .unknown, dateAdded: dateAdded,
            isApprovedRequester: isApprovedRequester, invitationToken: invitationToken,
            wantsInvitationToken: wantsInvitationToken)
    }
}

/// What a keyed archive holds of a share besides the record: one property list under one key.
struct ShareArchive: Codable {
    static let key = "CumuletShare"

    var root: String?
    var publicPermission: Int
    var owner: ShareParticipantArchive
    var others: [ShareParticipantArchive]
    /// The signed-in user's own entry, which need not be among the others.
    var currentUser: ShareParticipantArchive?
    var allowsAccessRequests: Bool
    var requesters: [ShareParticipantArchive]
    var blocked: [ShareParticipantArchive]
    var url: String?
    var isPublicPermissionChanged: Bool
    var areParticipantsChanged: Bool
    var isAccessRequestsChanged: Bool
    var deniedIDs: [String]
    var blockedIDs: [String]
    var unblockedIDs: [String]

    init(_ state: CKShare.SharingState) {
        root = state.root
        publicPermission = state.publicPermission.rawValue
        owner = ShareParticipantArchive(state.owner)
        others = state.others.map { ShareParticipantArchive($0) }
        currentUser = state.currentUser.map { ShareParticipantArchive($0) }
        allowsAccessRequests = state.allowsAccessRequests
        requesters = state.requesters.map { ShareParticipantArchive($0.core) }
        blocked = state.blocked.map { ShareParticipantArchive($0.core) }
        url = state.url?.absoluteString
        isPublicPermissionChanged = state.changes.publicPermission
        areParticipantsChanged = state.changes.participants
        isAccessRequestsChanged = state.changes.allowsAccessRequests
        deniedIDs = state.changes.denied
        blockedIDs = state.changes.blocked
        unblockedIDs = state.changes.unblocked
    }

    var state: CKShare.SharingState {
        let people = ([owner] + others).map { CKShare.Participant($0.participant, isChanged: $0.isChanged) }
        return CKShare.SharingState(
            root: root, publicPermission: CKShare.ParticipantPermission(rawValue: publicPermission) ?? .none,
            owner: people[0], others: Array(people.dropFirst()),
            currentUser: currentUser.map { own in
                people.first { $0.participantID == own.id }
                    ?? CKShare.Participant(own.participant, isChanged: own.isChanged)
            },
            allowsAccessRequests: allowsAccessRequests, requesters: requesters.map { .init($0.participant) },
            blocked: blocked.map { .init($0.participant) }, url: url.flatMap { URL(string: $0) },
            changes: CKShare.Changes(
                publicPermission: isPublicPermissionChanged, participants: areParticipantsChanged,
                allowsAccessRequests: isAccessRequestsChanged, denied: deniedIDs, blocked: blockedIDs,
                unblocked: unblockedIDs))
    }
}
