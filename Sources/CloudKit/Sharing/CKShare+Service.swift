import CloudCore
import Foundation
import Synchronization

extension CKShare {
    /// A share as the service sent it.
    convenience init(record: Record, sharing: Sharing, _ viewpoint: Viewpoint) {
        let people = sharing.participants.map { CKShare.Participant($0) }
        let owner =
            people.first { $0.role == .owner }
            ?? CKShare.Participant(
                ShareParticipant(
                    identity: UserIdentity(userRecordName: record.id.zone.owner), role: .owner,
                    permission: .readWrite, status: .accepted))
        let current = sharing.currentUser.map { own in
            ([owner] + people).first { $0.participantID == own.id } ?? CKShare.Participant(own)
        }
        var state = SharingState(
            root: sharing.root,
            publicPermission: ParticipantPermission(rawValue: sharing.publicPermission.rawValue) ?? .unknown,
            owner: owner, others: people.filter { $0 !== owner }, currentUser: current,
            allowsAccessRequests: sharing.allowsAccessRequests,
            requesters: sharing.requesters.map { AccessRequester($0) },
            blocked: sharing.blocked.map { BlockedIdentity($0) })
        if let server = viewpoint.server, let guid = record.shortGUID {
            state.url = URL(string: "\(server)/share/\(guid)")
        }
        self.init(
            recordID: CKRecord.ID(record.id, scope: viewpoint.scope),
            state: Self.state(of: record, viewpoint), sharing: state)
    }

    /// The root of the tree; `nil` for the share of a zone.
    var rootID: CKRecord.ID? {
        sharing.withLock { $0.root }.map { CKRecord.ID(recordName: $0, zoneID: recordID.zoneID) }
    }

    /// What a save asks for: all of a new share, of a known one what the app changed.
    func sharingDraft() -> SharingDraft {
        let isNew = recordChangeTag == nil
        return sharing.withLock { state in
            let changes = state.changes
            var draft = SharingDraft(
                root: isNew ? state.root : nil, denied: changes.denied, blocked: changes.blocked,
                unblocked: changes.unblocked)
            if isNew || changes.publicPermission {
                draft.publicPermission = SharePermission(rawValue: state.publicPermission.rawValue)
            }
            if isNew || changes.participants || changes.publicPermission || state.others.contains(where: \.isChanged) {
                draft.participants = state.others.map { participant in
                    participant.state.withLock { state in
                        state.sent = state.core
                        return state.core
                    }
                }
            }
            if isNew || changes.allowsAccessRequests { draft.allowsAccessRequests = state.allowsAccessRequests }
            state.sent = Sent(
                changes: changes, others: state.others.map(\.participantID), publicPermission: state.publicPermission,
                allowsAccessRequests: state.allowsAccessRequests)
            return draft
        }
    }
}
