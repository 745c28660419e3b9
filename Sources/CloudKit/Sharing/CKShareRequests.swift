import CloudCore
public import Foundation
import Synchronization

extension CKShare {
    public typealias AccessRequester = CKShareAccessRequester
    public typealias BlockedIdentity = CKShareBlockedIdentity

    /// Those who asked to be let in; told to the owner and administrators.
    public var requesters: [CKShare.AccessRequester] { sharing.withLock { $0.requesters } }
    /// Those who may not ask again; told to the owner and administrators.
    public var blockedIdentities: [CKShare.BlockedIdentity] { sharing.withLock { $0.blocked } }

    /// Refuses requests, with the next save. Whoever is refused may ask again.
    public func denyRequesters(_ requesters: [CKShare.AccessRequester]) {
        let ids = requesters.map(\.core.id)
        sharing.withLock { state in
            state.requesters.removeAll { ids.contains($0.core.id) }
            state.changes.denied += ids
        }
    }

    /// Refuses requests for good and removes the people from the share, with the next save.
    public func blockRequesters(_ requesters: [CKShare.AccessRequester]) {
        let ids = requesters.map(\.core.id)
        sharing.withLock { state in
            state.requesters.removeAll { ids.contains($0.core.id) }
            state.changes.blocked += ids
        }
    }

    /// Lets people ask again, with the next save.
    public func unblockIdentities(_ blockedIdentities: [CKShare.BlockedIdentity]) {
        let ids = blockedIdentities.map(\.core.id)
        sharing.withLock { state in
            state.blocked.removeAll { ids.contains($0.core.id) }
            state.changes.unblocked += ids
        }
    }
}

/// Somebody who asked to take part in a share. To let him in, fetch a participant by ``participantLookupInfo`` and add it.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CKShareAccessRequester: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let core: ShareParticipant

    init(_ requester: ShareParticipant) { core = requester }

    public var userIdentity: CKUserIdentity { CKUserIdentity(core.identity) }

    public var participantLookupInfo: CKUserIdentity.LookupInfo {
        CKUserIdentity.LookupInfo(core.identity.lookup ?? .userRecordName(core.identity.userRecordName ?? ""))
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let archive: ShareParticipantArchive = coder.propertyList("CumuletRequester") else { return nil }
        self.init(archive.participant)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(propertyList: ShareParticipantArchive(core), "CumuletRequester")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CKShareAccessRequester)?.core == core }
    public override var hash: Int { core.id.hashValue }
}

/// Somebody who may not ask to take part any more.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CKShareBlockedIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let core: ShareParticipant

    init(_ blocked: ShareParticipant) { core = blocked }

    public var userIdentity: CKUserIdentity { CKUserIdentity(core.identity) }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let archive: ShareParticipantArchive = coder.propertyList("CumuletBlocked") else { return nil }
        self.init(archive.participant)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(propertyList: ShareParticipantArchive(core), "CumuletBlocked")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CKShareBlockedIdentity)?.core == core }
    public override var hash: Int { core.id.hashValue }
}
