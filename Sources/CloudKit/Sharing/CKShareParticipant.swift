import CloudCore
public import Foundation
import Synchronization

/// Somebody a share is shared with, or its owner.
///
/// Unchecked: what can change is behind `state`'s lock; the rest is constant.
public class CKShareParticipant: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public typealias ID = String
    public typealias AcceptanceStatus = CKShare.ParticipantAcceptanceStatus
    public typealias Permission = CKShare.ParticipantPermission
    public typealias Role = CKShare.ParticipantRole
    @available(*, deprecated, message: "use Role")
    public typealias ParticipantType = CKShare.ParticipantType

    struct State: Hashable, Sendable {
        var core: ShareParticipant
        /// Whether the app changed the permission or the role since the participant was fetched.
        var isChanged = false
        /// What the last save sent of the participant.
        var sent: ShareParticipant?
    }

    let state: Mutex<State>
    public let userIdentity: CKUserIdentity

    required init(_ participant: ShareParticipant, isChanged: Bool = false) {
        userIdentity = CKUserIdentity(participant.identity)
        state = Mutex(State(core: participant, isChanged: isChanged))
    }

    /// A participant whom anybody becomes who accepts by ``CKShare/oneTimeURL(for:)`` first.
    public class func oneTimeURLParticipant() -> Self {
        Self(
            ShareParticipant(
                id: UUID().uuidString, identity: UserIdentity(), status: .unknown, wantsInvitationToken: true))
    }

    /// Unique within a share.
    public final var participantID: CKShare.Participant.ID { state.withLock { $0.core.id } }

    /// Changed with the next save of the share.
    public var permission: CKShare.ParticipantPermission {
        get { CKShare.ParticipantPermission(rawValue: state.withLock { $0.core.permission.rawValue }) ?? .unknown }
        set {
            let value = SharePermission(rawValue: newValue.rawValue) ?? .unknown
            state.withLock {
                $0.core.permission = value
                $0.isChanged = true
            }
        }
    }

    /// Changed with the next save of the share.
    public var role: CKShare.ParticipantRole {
        get { CKShare.ParticipantRole(rawValue: state.withLock { $0.core.role.rawValue }) ?? .unknown }
        set {
            let value = CloudCore.ParticipantRole(rawValue: newValue.rawValue) ?? .unknown
            state.withLock {
                $0.core.role = value
                $0.isChanged = true
            }
        }
    }

    @available(*, deprecated, message: "use role")
    public var type: CKShare.ParticipantType {
        // Administrators look like the users they were before.
        get { CKShare.ParticipantType(rawValue: role == .administrator ? 3 : role.rawValue) ?? .unknown }
        set { role = CKShare.ParticipantRole(rawValue: newValue.rawValue) ?? .unknown }
    }

    public var acceptanceStatus: CKShare.ParticipantAcceptanceStatus {
        CKShare.ParticipantAcceptanceStatus(rawValue: state.withLock { $0.core.status.rawValue }) ?? .unknown
    }

    /// When a save of the share added the participant; `nil` before.
    public var dateAddedToShare: Date? { state.withLock { $0.core.dateAdded }.map { Date(milliseconds: $0) } }
    /// Whether the participant asked for access and was let in.
    public var isApprovedRequester: Bool { state.withLock { $0.core.isApprovedRequester } }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let archive: ShareParticipantArchive = coder.propertyList("CumuletParticipant") else { return nil }
        self.init(archive.participant, isChanged: archive.isChanged)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(propertyList: ShareParticipantArchive(self), "CumuletParticipant")
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let state = state.withLock { $0 }
        return CKShareParticipant(state.core, isChanged: state.isChanged)
    }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKShareParticipant else { return false }
        return other === self || other.state.withLock({ $0.core }) == state.withLock { $0.core }
    }

    public override var hash: Int { participantID.hashValue }

    public override var description: String {
        "<CKShareParticipant: \(userIdentity), \(role), \(permission), \(acceptanceStatus)>"
    }
}

extension CKShare {
    public typealias Participant = CKShareParticipant
}
