import CloudCore
public import Foundation
import Synchronization

/// The record that says with whom a tree of records, or a whole zone, is shared, and how.
///
/// A share of a tree is saved together with its root. Changes of participants and permissions take effect with the save;
/// only the owner and administrators may make them.
///
/// Unchecked: as its superclass; what it adds is behind `sharing`'s lock.
public class CKShare: CKRecord, @unchecked Sendable {
    /// What a share has besides a record's fields.
    struct SharingState: Sendable {
        var root: String?
        var publicPermission = ParticipantPermission.none
        var owner: CKShare.Participant
        /// All but the owner.
        var others: [CKShare.Participant] = []
        var currentUser: CKShare.Participant?
        var allowsAccessRequests = false
        var requesters: [AccessRequester] = []
        var blocked: [BlockedIdentity] = []
        var url: URL?
        var changes = Changes()
        var sent: Sent?
    }

    /// What the last save sent.
    struct Sent: Sendable {
        var changes: Changes
        var others: [CKShare.Participant.ID]
        var publicPermission: ParticipantPermission
        var allowsAccessRequests: Bool
    }

    /// What the app changed since the share was made or fetched.
    struct Changes: Hashable, Sendable {
        var publicPermission = false
        var participants = false
        var allowsAccessRequests = false
        var denied: [String] = []
        var blocked: [String] = []
        var unblocked: [String] = []
    }

    let sharing: Mutex<SharingState>

    init(recordID: CKRecord.ID, state: State, sharing: SharingState) {
        self.sharing = Mutex(sharing)
        super.init(recordType: SystemType.share, recordID: recordID, state: state)
    }

    /// A share of the tree of records under `rootRecord`, which then refers to it and has to be saved with it.
    public convenience init(rootRecord: CKRecord) {
        let name = "Share-" + UUID().uuidString
        self.init(
            rootRecord: rootRecord, shareID: CKRecord.ID(recordName: name, zoneID: rootRecord.recordID.zoneID))
    }

    /// - Parameter shareID: In the zone of the root; it is a programming error when it is not.
    public convenience init(rootRecord: CKRecord, shareID: CKRecord.ID) {
        precondition(
            shareID.zoneID == rootRecord.recordID.zoneID, "the share has to be in the same zone as its root record")
        self.init(recordID: shareID, state: State(), sharing: .fresh(root: rootRecord.recordID.recordName))
        rootRecord.state.withLock { $0.share = CKRecord.Reference(recordID: shareID, action: .none) }
    }

    /// The share of a whole zone. A zone has one at most.
    public convenience init(recordZoneID: CKRecordZone.ID) {
        self.init(
            recordID: CKRecord.ID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID), state: State(),
            sharing: .fresh(root: nil))
    }

    /// The owner, who is a participant too.
    public var owner: CKShare.Participant { sharing.withLock { $0.owner } }

    /// Everyone, the owner first.
    public var participants: [CKShare.Participant] { sharing.withLock { [$0.owner] + $0.others } }

    /// The signed-in user's own part; `nil` for somebody who only looks at the share's metadata and was not invited.
    public var currentUserParticipant: CKShare.Participant? { sharing.withLock { $0.currentUser } }

    /// The share's address; `nil` until it is saved, then the same for good.
    public var url: URL? { sharing.withLock { $0.url } }

    /// What everybody may do who has the address. Setting it to ``ParticipantPermission/none`` removes all participants
    /// but the owner; setting another removes those who have not accepted.
    public var publicPermission: CKShare.ParticipantPermission {
        get { sharing.withLock { $0.publicPermission } }
        set {
            sharing.withLock { state in
                guard newValue != state.publicPermission else { return }
                state.others.removeAll { newValue == .none || $0.acceptanceStatus != .accepted }
                state.publicPermission = newValue
                state.changes.publicPermission = true
            }
        }
    }

    /// Whether people who were not invited may ask to be let in. Changed with the next save.
    public var allowsAccessRequests: Bool {
        get { sharing.withLock { $0.allowsAccessRequests } }
        set {
            sharing.withLock {
                $0.allowsAccessRequests = newValue
                $0.changes.allowsAccessRequests = true
            }
        }
    }

    /// Adds a participant, or changes the one who is the same person.
    public func addParticipant(_ participant: CKShare.Participant) {
        sharing.withLock { state in
            guard !state.owner.isSamePerson(as: participant) else { return }
            if let known = state.others.first(where: { $0.isSamePerson(as: participant) }) {
                if known !== participant {
                    known.permission = participant.permission
                    known.role = participant.role
                }
            } else {
                state.others.append(participant)
            }
            // Who asked for access is let in by being added.
            state.requesters.removeAll { $0.userIdentity == participant.userIdentity }
            state.changes.participants = true
        }
    }

    /// Removes a participant. The owner stays.
    public func removeParticipant(_ participant: CKShare.Participant) {
        sharing.withLock { state in
            state.others.removeAll { $0.participantID == participant.participantID }
            state.changes.participants = true
        }
    }

    /// The address that makes whoever accepts first this participant, made by ``Participant/oneTimeURLParticipant()``;
    /// `nil` until the share is saved, for other participants, and for callers who may not hand it out.
    public func oneTimeURL(for participantID: CKShare.Participant.ID) -> URL? {
        guard let url, let participant = participants.first(where: { $0.participantID == participantID }),
            let token = participant.state.withLock({ $0.core.invitationToken }),
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        else { return nil }
        parts.queryItems = [URLQueryItem(name: "invitation", value: token)]
        return parts.url
    }

    // MARK: - Copies and archives

    /// From an archive that holds none the coder gets an error, as far as its policy is to return errors, and the share has an
    /// empty record name: to save it is refused.
    public required convenience init(coder: NSCoder) {
        guard let record = RecordArchive(coder: coder), let archive: ShareArchive = coder.propertyList(ShareArchive.key)
        else {
            coder.fail("Share")
            self.init(recordID: CKRecord.ID(recordName: ""), state: State(), sharing: .fresh(root: nil))
            return
        }
        self.init(recordID: record.recordID, state: record.state, sharing: archive.state)
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(propertyList: ShareArchive(sharing.withLock { $0 }), ShareArchive.key)
    }

    public override func encodeSystemFields(with coder: NSCoder) {
        super.encodeSystemFields(with: coder)
        coder.encode(propertyList: ShareArchive(sharing.withLock { $0 }), ShareArchive.key)
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        CKShare(recordID: recordID, state: state.withLock { $0 }, sharing: sharing.withLock { $0.copied() })
    }

    override func adoptSharing(_ saved: CKRecord) {
        guard let saved = saved as? CKShare else { return }
        let answer = saved.sharing.withLock { $0 }
        sharing.withLock { $0.adopt(answer) }
    }

    public override var description: String {
        "<CKShare: \(recordID), \(participants.count) participants, public permission \(publicPermission)>"
    }
}

extension CKShare.SharingState {
    /// The owner is somebody without a name until the service has named him.
    static func fresh(root: String?) -> Self {
        let owner = CKShare.Participant(
            ShareParticipant(identity: UserIdentity(), role: .owner, permission: .readWrite, status: .accepted))
        return Self(root: root, owner: owner, currentUser: owner)
    }

    /// Takes what the service answered to a save; what was changed since it was sent stays to be saved. Participants that
    /// the app holds stay the same objects.
    mutating func adopt(_ answer: Self) {
        let known = Dictionary(others.map { ($0.participantID, $0) }) { first, _ in first }
        func kept(_ participant: CKShare.Participant) -> CKShare.Participant {
            guard let mine = known[participant.participantID] else { return participant }
            let core = participant.state.withLock { $0.core }
            mine.state.withLock { state in
                if let sent = state.sent, state.core != sent { return }
                state = .init(core: core)
            }
            return mine
        }
        let (before, mine) = (sent, self)
        self = answer
        others = answer.others.map(kept)
        if let current = answer.currentUser {
            currentUser = others.first { $0.participantID == current.participantID } ?? current
        }
        guard let before else { return }
        if mine.others.map(\.participantID) != before.others {
            others = mine.others
            changes.participants = true
        }
        if mine.publicPermission != before.publicPermission {
            publicPermission = mine.publicPermission
            changes.publicPermission = true
        }
        if mine.allowsAccessRequests != before.allowsAccessRequests {
            allowsAccessRequests = mine.allowsAccessRequests
            changes.allowsAccessRequests = true
        }
        changes.denied = Array(mine.changes.denied.dropFirst(before.changes.denied.count))
        changes.blocked = Array(mine.changes.blocked.dropFirst(before.changes.blocked.count))
        changes.unblocked = Array(mine.changes.unblocked.dropFirst(before.changes.unblocked.count))
    }

    /// A state whose participants are objects of their own.
    func copied() -> Self {
        func copied(_ participant: CKShare.Participant) -> CKShare.Participant {
            CKShare.Participant(participant.state.withLock { $0.core }, isChanged: participant.isChanged)
        }
        var copy = self
        copy.owner = copied(owner)
        copy.others = others.map(copied)
        if let currentUser {
            copy.currentUser =
                zip([owner] + others, [copy.owner] + copy.others).first { $0.0 === currentUser }?.1
                ?? copied(currentUser)
        }
        return copy
    }
}

extension CKShare.Participant {
    var isChanged: Bool { state.withLock { $0.isChanged } }

    fileprivate func isSamePerson(as other: CKShare.Participant) -> Bool {
        if self === other || participantID == other.participantID { return true }
        let (mine, theirs) = (userIdentity.core, other.userIdentity.core)
        // Until he accepts, the service does not say who somebody invited by an address is.
        if let user = mine.userRecordName, let other = theirs.userRecordName { return user == other }
        return mine.lookup != nil && mine.lookup == theirs.lookup
    }
}
