import CloudCore
import CloudCrypto

/// Applies what a save of a share record asks for to the share: decides, and writes nothing.
struct ShareEditor {
    let limits: CloudLimits
    /// Milliseconds since 1970.
    let now: Int64
    /// Who saves: the owner or an administrator.
    let editor: StoredParticipant
    /// The user record name of whoever is meant; `nil` when nobody has an account by that.
    let find: (UserLookup) throws -> String?

    /// A share that nobody but the owner takes part in yet.
    static func empty(row: Int64, zone: Int64, root: Int64, rootName: String?, owner: String, now: Int64) -> StoredShare
    {
        StoredShare(
            row: row, zone: zone, root: root, rootName: rootName, publicPermission: .none, allowsAccessRequests: false,
            people: [
                StoredParticipant(
                    id: RandomID.make(), userName: owner, role: .owner, permission: .readWrite, status: .accepted,
                    added: now)
            ])
    }

    /// - Throws: `BAD_REQUEST` that names the participant or limit at fault; `ACCESS_DENIED` for what only the owner may do.
    func apply(_ draft: SharingDraft, to share: inout StoredShare) throws {
        let old = share
        if let permission = draft.publicPermission {
            guard permission != .unknown else { throw refusal("publicPermission is NONE, READ_ONLY or READ_WRITE") }
            share.publicPermission = permission
        }
        if let allows = draft.allowsAccessRequests { share.allowsAccessRequests = allows }
        try answerRequests(draft, in: &share)
        if let wanted = draft.participants { try invite(wanted, to: &share, from: old) }
        followPublicPermission(&share, from: old, names: draft.participants != nil)
        let count = share.participants.count - 1
        guard count <= limits.participantsPerShare else { throw Self.tooMany(count, limits) }
    }

    static func tooMany(_ count: Int, _ limits: CloudLimits) -> CloudError {
        CloudError(
            .badRequest,
            "the share would have \(count) participants besides its owner; at most \(limits.participantsPerShare) are "
                + "allowed", nativeCode: 29)
    }

    // MARK: Access requests

    private func answerRequests(_ draft: SharingDraft, in share: inout StoredShare) throws {
        for id in draft.denied {
            guard let place = share.people.firstIndex(where: { $0.id == id && $0.kind == .requester }) else {
                throw refusal("there is no access request '\(id)' to deny")
            }
            share.people.remove(at: place)
        }
        for id in draft.blocked {
            guard let place = share.people.firstIndex(where: { $0.id == id && $0.kind != .blocked }),
                share.people[place].userName != nil
            else { throw refusal("there is nobody '\(id)' to block") }
            try requireRight(over: share.people[place])
            share.people[place].kind = .blocked
            share.people[place].status = .removed
            share.people[place].invitation = nil
        }
        for id in draft.unblocked {
            guard let place = share.people.firstIndex(where: { $0.id == id && $0.kind == .blocked }) else {
                throw refusal("there is no blocked person '\(id)' to unblock")
            }
            share.people.remove(at: place)
        }
    }

    // MARK: Participants

    /// Makes the participants those that the request lists, in its order, and the owner.
    private func invite(_ wanted: [ShareParticipant], to share: inout StoredShare, from old: StoredShare) throws {
        guard let owner = share.people.first(where: \.isOwner) else {
            throw CloudError(.internalError, "the share has no owner")
        }
        var ids: Set<String> = []
        for draft in wanted where !draft.id.isEmpty && !ids.insert(draft.id).inserted {
            throw refusal("two participants have the participantId '\(draft.id)'")
        }
        var listed: [StoredParticipant] = [owner]
        for draft in wanted where draft.status != .removed {
            guard let person = try person(draft, of: share, from: old) else { continue }
            if let place = listed.firstIndex(where: { isSame($0, person) }) {
                if !listed[place].isOwner { listed[place] = person.with(id: listed[place].id) }
            } else {
                listed.append(person)
            }
        }
        for place in listed.indices { listed[place].place = Int64(place) }
        let names = Set(listed.map(\.id))
        for gone in share.participants where !names.contains(gone.id) { try requireRight(over: gone) }
        share.people = listed + share.people.filter { $0.kind != .participant && !names.contains($0.id) }
    }

    /// The entry that a listed participant is to have; `nil` for the owner, whose entry nobody changes.
    private func person(_ draft: ShareParticipant, of share: StoredShare, from old: StoredShare) throws
        -> StoredParticipant?
    {
        let listed = share.people.first { !draft.id.isEmpty && $0.id == draft.id }
        if draft.role == .owner {
            let name = draft.identity.userRecordName
            guard name == nil || name == share.people.first(where: \.isOwner)?.userName else {
                throw refusal("the owner of a share cannot be changed")
            }
            return nil
        }
        let contact = listed == nil ? try contact(of: draft) : nil
        let known = listed ?? contact.flatMap { contact in share.people.first { isSame($0, contact) } }
        if var known {
            if known.isOwner { return nil }
            guard known.kind != .blocked else {
                // Blocked in this very request: what the list says of him is older.
                if old.people.contains(where: { $0.id == known.id && $0.kind != .blocked }) { return nil }
                throw refusal("participant '\(known.id)' is blocked; unblock him first")
            }
            let wasRequester = known.kind == .requester
            if wasRequester {
                known = StoredParticipant(
                    id: known.id, userName: known.userName, email: known.email, phone: known.phone, role: .privateUser,
                    permission: .readOnly, status: .invited, added: now, isApproved: true)
            }
            if listed != nil { try requireSamePerson(known, draft) }
            try change(&known, to: draft, in: share)
            return known
        }
        guard share.publicPermission == .none else {
            throw refusal("participants can be invited only while publicPermission is NONE")
        }
        guard var new = contact else { return nil }
        new.id = try freeID(draft.id, in: share)
        new.added = now
        if draft.wantsInvitationToken {
            guard new.userName == nil, new.email == nil, new.phone == nil else {
                throw refusal("a participant is invited by a one-time URL or by name, not both")
            }
            new.invitation = Crypto.random(16)
        } else if new.userName == nil, new.email == nil, new.phone == nil {
            throw refusal("a participant needs userIdentity.lookupInfo or userIdentity.userRecordName")
        }
        try change(&new, to: draft, in: share)
        return new
    }

    private func change(_ person: inout StoredParticipant, to draft: ShareParticipant, in share: StoredShare) throws {
        if draft.role == .administrator || person.role == .administrator, draft.role != .unknown,
            draft.role != person.role
        {
            guard editor.isOwner else {
                throw CloudError(
                    .accessDenied, "only the owner of a share appoints and dismisses administrators", nativeCode: 10)
            }
        }
        if draft.permission != .unknown, draft.permission != person.permission {
            try requireRight(over: person)
            guard editor.isOwner || person.id != editor.id else {
                throw CloudError(
                    .accessDenied, "an administrator of a share does not change what he himself may do", nativeCode: 10)
            }
        }
        switch draft.role {
        case .administrator: person.role = .administrator
        case .privateUser where person.role == .administrator || share.publicPermission == .none:
            person.role = .privateUser
        default: break
        }
        if draft.permission != .unknown { person.permission = draft.permission }
    }

    /// Whoever the request means, as an entry that is not in the share yet.
    private func contact(of draft: ShareParticipant) throws -> StoredParticipant {
        var entry = StoredParticipant(
            id: draft.id, role: .privateUser, permission: .readOnly, status: .invited, added: now)
        switch draft.identity.lookup {
        case .emailAddress(let text)?:
            let email = UserLookup.normalized(emailAddress: text)
            guard CloudTransaction.violation(inEmail: email) == nil else {
                throw refusal("'\(text)' is not an email address")
            }
            entry.email = email
            entry.userName = try find(.emailAddress(email))
        case .phoneNumber(let text)?:
            guard let phone = UserLookup.normalized(phoneNumber: text) else {
                throw refusal("'\(text)' is not a telephone number")
            }
            entry.phone = phone
            entry.userName = try find(.phoneNumber(phone))
        case .userRecordName(let name)?: entry.userName = try known(name)
        case nil: entry.userName = try draft.identity.userRecordName.map(known)
        }
        return entry
    }

    /// An entry stays that of the person it was made for.
    private func requireSamePerson(_ person: StoredParticipant, _ draft: ShareParticipant) throws {
        let isSame: Bool
        switch draft.identity.lookup {
        case .emailAddress(let text)?: isSame = UserLookup.normalized(emailAddress: text) == person.email
        case .phoneNumber(let text)?:
            isSame = UserLookup.normalized(phoneNumber: text).map { $0 == person.phone } ?? false
        case .userRecordName(let name)?: isSame = name == person.userName
        case nil: isSame = draft.identity.userRecordName.map { $0 == person.userName } ?? true
        }
        if isSame { return }
        var contact = try contact(of: draft)
        contact.id = ""
        guard self.isSame(person, contact) else {
            throw refusal(
                "participant '\(person.id)' was invited by another address or name; leave him out, and invite the other one "
                    + "without a participantId")
        }
    }

    private func known(_ name: String) throws -> String {
        guard let found = try find(.userRecordName(name)) else { throw refusal("there is no user '\(name)'") }
        return found
    }

    private func isSame(_ person: StoredParticipant, _ other: StoredParticipant) -> Bool {
        if let name = person.userName, let otherName = other.userName { return name == otherName }
        if let email = person.email, email == other.email { return true }
        if let phone = person.phone, phone == other.phone { return true }
        return person.id == other.id && !person.id.isEmpty
    }

    private func freeID(_ wanted: String, in share: StoredShare) throws -> String {
        guard !wanted.isEmpty else { return RandomID.make() }
        if let violation = NameRule.labelViolation(in: wanted, of: "participantId") { throw refusal(violation) }
        return wanted
    }

    /// An administrator has no right over another one; everybody may leave.
    private func requireRight(over person: StoredParticipant) throws {
        if person.isOwner { throw refusal("the owner of a share cannot be removed") }
        guard person.role == .administrator, !editor.isOwner, person.id != editor.id else { return }
        throw CloudError(
            .accessDenied, "only the owner of a share removes administrators or changes what they may do",
            nativeCode: 10)
    }

    // MARK: Public permission

    /// Who was invited and who came by the URL never mix: what the change of the public permission does to people.
    ///
    /// - Parameter names: Whether the request lists participants.
    private func followPublicPermission(_ share: inout StoredShare, from old: StoredShare, names: Bool) {
        let isPublic = share.publicPermission != .none
        if isPublic, old.publicPermission == .none { share.people.removeAll { $0.isPending } }
        if !isPublic {
            share.people.removeAll { $0.kind == .participant && $0.role == .publicUser }
            if old.publicPermission != .none, !names {
                share.people.removeAll { $0.kind == .participant && !$0.isOwner }
            }
        }
        for place in share.people.indices where share.people[place].role == .publicUser {
            share.people[place].permission = share.publicPermission
        }
    }

    private func refusal(_ reason: String) -> CloudError { CloudError(.badRequest, reason, nativeCode: 12) }
}

extension StoredParticipant {
    fileprivate func with(id: String) -> StoredParticipant {
        var copy = self
        copy.id = id
        return copy
    }
}
