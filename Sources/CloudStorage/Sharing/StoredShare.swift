import CloudCore

/// A row of the `participant` table: somebody who takes part in a share, asks to, or may not even ask.
struct StoredParticipant: Hashable {
    /// Raw values are stored.
    enum Kind: Int64, Hashable {
        case participant = 1
        /// Asked for access and waits for an answer.
        case requester = 2
        /// Asked for access and may not ask again.
        case blocked = 3
    }

    var id: String
    var kind = Kind.participant
    /// The order of participants; the owner has 0.
    var place: Int64 = 0
    /// The user record name in the container; `nil` for somebody invited who has not come yet.
    var userName: String?
    /// What the person was invited by, in the form in which addresses and numbers compare.
    var email: String?
    var phone: String?
    var role: ParticipantRole
    var permission: SharePermission
    var status: AcceptanceStatus
    /// Milliseconds since 1970.
    var added: Int64
    /// Whether the participant asked for access first.
    var isApproved = false
    /// What the token of a one-time URL is made of; `nil` for those who were invited in person.
    var invitation: [UInt8]?

    /// Whether the person takes part now.
    var isMember: Bool { kind == .participant && status == .accepted }
    /// Whether the person was invited and has not come yet.
    var isPending: Bool { kind == .participant && status == .invited }
    var isOwner: Bool { kind == .participant && role == .owner }
    /// Whether the person may change who takes part.
    var isManager: Bool { isMember && (role == .owner || role == .administrator) }
}

/// A row of the `share` table with the people of the share.
struct StoredShare: Hashable {
    /// The row of the share record.
    var row: Int64
    /// The row of the zone.
    let zone: Int64
    /// The row of the tree's root; 0 for a share of the whole zone.
    let root: Int64
    var rootName: String?
    var publicPermission: SharePermission
    var allowsAccessRequests: Bool
    /// Participants in their order, requesters and blocked ones among them.
    var people: [StoredParticipant]

    var isWhole: Bool { root == 0 }
    var participants: [StoredParticipant] { people.filter { $0.kind == .participant } }

    /// The entry of a user, whatever its kind.
    func person(named userName: String) -> StoredParticipant? { people.first { $0.userName == userName } }

    /// Users other than the owner who take part now.
    var memberNames: Set<String> { Set(people.filter { $0.isMember && !$0.isOwner }.compactMap(\.userName)) }

    /// The place of somebody who comes now.
    var nextPlace: Int64 { (people.map(\.place).max() ?? 0) + 1 }
}
