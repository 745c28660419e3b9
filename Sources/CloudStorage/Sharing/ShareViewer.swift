import CloudCore
import CloudCrypto

/// Somebody who looks at shares. Owner and administrators see all people and how they can be reached; everyone else sees
/// those who take part, by their names.
struct ShareViewer {
    /// The user record name; `nil` for somebody without an account.
    let userName: String?
    let identities: ShareIdentities
    /// The key of the tokens of one-time URLs.
    let secret: [UInt8]

    /// What the share says to the viewer.
    /// - Parameter owner: The user record name of the zone's owner.
    func sharing(_ share: StoredShare, of owner: String) throws -> Sharing {
        let own = userName.flatMap { name in share.people.first { $0.kind == .participant && $0.userName == name } }
        let isManager = own?.isManager == true
        let visible = share.participants.filter { person in
            isManager || person.isOwner || person.id == own?.id || own?.isMember == true && person.isMember
        }
        let others = isManager ? share.people.filter { $0.kind != .participant } : []
        let names = try identities.names(of: (visible + others).compactMap(\.userName))
        func participant(_ person: StoredParticipant) -> ShareParticipant {
            ShareParticipant(
                id: person.id, identity: identity(person, names, isManager: isManager), role: person.role,
                permission: person.permission, status: person.status, dateAdded: person.added,
                isApprovedRequester: person.isApproved,
                invitationToken: isManager ? person.invitation.map { Self.token($0, secret: secret) } : nil)
        }
        return Sharing(
            root: share.rootName, publicPermission: share.publicPermission, participants: visible.map(participant),
            currentUser: own.map(participant), allowsAccessRequests: share.allowsAccessRequests,
            requesters: others.filter { $0.kind == .requester }.map(participant),
            blocked: others.filter { $0.kind == .blocked }.map(participant))
    }

    private func identity(_ person: StoredParticipant, _ names: [String: ShareIdentities.Name], isManager: Bool)
        -> UserIdentity
    {
        var lookup: UserLookup?
        if isManager {
            lookup =
                person.email.map { .emailAddress($0) } ?? person.phone.map { .phoneNumber($0) }
                ?? person.userName.map { .userRecordName($0) }
        }
        let name = person.userName.flatMap { names[$0] }
        // Who was only invited has not agreed to be known by name. Whether somebody has an account by an address or number
        // is not told either: the invitation looks the same as one to nobody.
        let isKnown = name?.isDiscoverable == true || !person.isPending
        let isNamed = isKnown || person.userName == userName || person.email == nil && person.phone == nil
        return UserIdentity(
            userRecordName: isNamed ? person.userName : nil, nameComponents: isKnown ? name?.components : nil,
            lookup: lookup)
    }

    /// The text of a one-time URL that stands for a participant: made of the stored bytes and the store's key, so that
    /// the table alone does not tell it.
    static func token(_ invitation: [UInt8], secret: [UInt8]) -> String {
        let mac = Crypto.hmacSHA256(key: secret, [UInt8]("one-time share URL\n".utf8) + invitation)
        return ShortGUID.text(Array(mac.prefix(18)))
    }
}

/// What names a record in a share's URL.
enum ShortGUID {
    private static let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_".utf8)

    /// 25 characters of letters, digits, `-` and `_`: a zero and 144 random bits.
    static func make() -> String { "0" + text(Crypto.random(18)) }

    /// Six bits a character; `bytes` must be a multiple of three.
    static func text(_ bytes: [UInt8]) -> String {
        var characters: [UInt8] = []
        for start in stride(from: 0, to: bytes.count - 2, by: 3) {
            let word = bytes[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
            for shift in [18, 12, 6, 0] { characters.append(alphabet[word >> shift & 63]) }
        }
        return String(decoding: characters, as: UTF8.self)
    }
}
