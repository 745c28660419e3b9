package import CloudCore
import SQLCore

/// What a share's URL names, as its text or in parts.
package struct ShareLink: Hashable, Sendable {
    package var shortGUID: String
    /// Of a one-time URL.
    package var invitationToken: String?

    package init(shortGUID: String, invitationToken: String? = nil) {
        self.shortGUID = shortGUID
        self.invitationToken = invitationToken
    }
}

/// What somebody with a share's URL may know of the share.
package struct ShareMetadata: Hashable, Sendable {
    package var database: DatabaseID
    package var zone: ZoneID
    /// The root of the tree; `nil` for a share of a whole zone.
    package var rootName: String?
    /// Only of those who may read it.
    package var rootRecord: Record?
    package var share: Record
    package var owner: UserIdentity
    /// The caller's own part.
    package var role: ParticipantRole
    package var status: AcceptanceStatus
    package var permission: SharePermission
    package var isOwner: Bool { role == .owner }
}

/// What everybody with a share's URL may know of it.
package struct ShareAnnouncement: Hashable, Sendable {
    /// The owner's.
    package var database: DatabaseID
    package var title: String?
    package var ownerName: String?
    /// Whether somebody who was not invited may take part.
    package var isPublic: Bool
}

extension CloudTransaction {
    /// What a share's URL announces to a stranger; `nil` when nothing is shared there.
    package func announceShare(_ link: ShareLink) throws -> ShareAnnouncement? {
        guard let place = try sharePlace(link.shortGUID) else { return nil }
        let id = place.database.id
        let name = try ShareIdentities(connection: connection, container: id.container).names(of: [id.owner])[id.owner]
        let words = [name?.components?.givenName, name?.components?.familyName].compactMap { $0 }
        var title: String?
        if case .string(let text)? = place.record.fields["cloudkit.title"], !text.isEmpty { title = text }
        return ShareAnnouncement(
            database: id, title: title,
            ownerName: words.isEmpty ? name?.components?.nickname : words.joined(separator: " "),
            isPublic: place.share.publicPermission != .none)
    }

    private func notFound(_ link: ShareLink) -> CloudError {
        CloudError(.notFound, "nothing is shared under the shortGUID '\(link.shortGUID.prefix(64))'", nativeCode: 11)
    }

    private var unverified: CloudError {
        CloudError(
            .accessDenied,
            "the share was sent to an address or number that is not known to be yours; sign in with the account it was "
                + "sent to", nativeCode: 33)
    }

    private func place(_ link: ShareLink, in environment: CloudEnvironment) throws -> SharePlace {
        guard let place = try sharePlace(link.shortGUID), place.database.id.environment == environment else {
            throw notFound(link)
        }
        return place
    }

    /// What a share's URL leads to.
    ///
    /// - Parameters:
    ///   - account: Whose; `nil` for somebody without one, who sees public shares only.
    ///   - environment: The caller's: a share of the other one is not found.
    /// - Throws: `NOT_FOUND` when there is no such share, and when it has nothing to do with the caller; `ACCESS_DENIED`
    ///   with the native code 33 when the caller may be somebody who was invited by an unknown address or number.
    package func resolveShare(_ link: ShareLink, in environment: CloudEnvironment, for account: Int64?) throws
        -> ShareMetadata
    {
        let place = try place(link, in: environment)
        let person = try account.map { try self.person(of: $0, in: place.database.id.container) }
        switch place.standing(of: person, token: link.invitationToken, secret: secret) {
        case .owner(let own), .member(let own), .invited(let own):
            return try metadata(of: place, for: person, as: own)
        case .welcome: return try metadata(of: place, for: person, as: nil)
        case .unverified: throw unverified
        case .stranger: throw notFound(link)
        }
    }

    /// Makes the caller a participant: whoever was invited, and with a public permission whoever has the URL. Doing so
    /// again changes nothing, and nothing changes for the owner.
    ///
    /// - Throws: `NOT_FOUND` when there is no such share; `ACCESS_DENIED` for somebody who was not invited;
    ///   `BAD_REQUEST` when the share is of another container or has as many participants as it may.
    package func acceptShare(_ link: ShareLink, in database: DatabaseID, for account: Int64, by writer: Writer) throws
        -> ShareMetadata
    {
        var place = try place(link, in: database.environment)
        let container = place.database.id.container
        guard container == database.container else {
            throw CloudError(
                .badRequest, "the share is of the container '\(container)'; accept it there", nativeCode: 5)
        }
        let person = try self.person(of: account, in: container)
        var share = place.share
        let own: StoredParticipant
        switch place.standing(of: person, token: link.invitationToken, secret: secret) {
        case .owner(let known), .member(let known): return try metadata(of: place, for: person, as: known)
        case .invited(var invited):
            invited.userName = person.userName
            invited.status = .accepted
            share.people.removeAll { $0.userName == person.userName && $0.id != invited.id }
            share.people = share.people.map { $0.id == invited.id ? invited : $0 }
            own = invited
        case .welcome:
            let count = share.participants.count
            guard count <= limits.participantsPerShare else { throw ShareEditor.tooMany(count, limits) }
            own = StoredParticipant(
                id: RandomID.make(), place: share.nextPlace, userName: person.userName, role: .publicUser,
                permission: share.publicPermission, status: .accepted, added: now)
            share.people.removeAll { $0.userName == person.userName }
            share.people.append(own)
        case .unverified: throw unverified
        case .stranger:
            throw CloudError(.accessDenied, "you are not invited to this share", nativeCode: 10)
        }
        try keepMembership(of: person.userName, in: place)
        place = try change(place, to: share, by: writer)
        try notifySharedZones(of: [person.userName], in: place.database.id, by: writer)
        return try metadata(of: place, for: person, as: own)
    }

    /// Asks the owner for access to a share. What became of it is not told: there may be no such share, or nobody who
    /// takes requests.
    ///
    /// - Throws: `EXISTS` with the native code 37 when the caller was invited already or takes part.
    package func requestAccess(_ link: ShareLink, in database: DatabaseID, for account: Int64, by writer: Writer) throws
    {
        guard let place = try sharePlace(link.shortGUID), place.database.id.environment == database.environment else {
            return
        }
        let person = try self.person(of: account, in: place.database.id.container)
        switch place.standing(of: person, token: nil, secret: secret) {
        case .owner, .member, .invited:
            throw CloudError(.exists, "you are invited to this share already", nativeCode: 37)
        case .welcome: return
        case .unverified, .stranger: break
        }
        let waiting = place.share.people.filter { $0.kind == .requester }.count
        guard place.share.allowsAccessRequests, place.share.person(named: person.userName) == nil,
            waiting < limits.accessRequestsPerShare
        else { return }
        var share = place.share
        share.people.append(
            StoredParticipant(
                id: RandomID.make(), kind: .requester, place: share.nextPlace, userName: person.userName,
                role: .unknown, permission: .none, status: .unknown, added: now))
        _ = try change(place, to: share, by: writer)
    }

    /// Writes who takes part and gives the share record another tag, so that everybody hears of it.
    func change(_ place: SharePlace, to share: StoredShare, by writer: Writer) throws -> SharePlace {
        try place.table.shares.save(share, over: place.share)
        let access = ZoneAccess(
            database: place.database, zone: place.zone, view: .whole(.readWrite, share: nil))
        let session = ModifySession(self, access, writer: writer, promised: [], doomed: [])
        try session.touch(place.record)
        try finish(session)
        let record = try session.latest(of: place.record) ?? place.record
        return SharePlace(database: place.database, table: place.table, share: share, record: record)
    }

    private func keepMembership(of user: String, in place: SharePlace) throws {
        let id = place.database.id
        try connection.post(
            """
            INSERT INTO membership (container, environment, user_name, db, share, zone, owner, zone_name, ended)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0)
            ON CONFLICT (container, environment, user_name, db, share)
            DO UPDATE SET zone = excluded.zone, owner = excluded.owner, zone_name = excluded.zone_name, ended = 0
            """, .text(id.container.rawValue), .text(id.environment.rawValue), .text(user),
            .integer(place.database.row), .integer(place.share.row), .integer(place.zone.row), .text(id.owner),
            .text(place.zone.id.name))
    }

    private func metadata(of place: SharePlace, for person: SharePerson?, as own: StoredParticipant?) throws
        -> ShareMetadata
    {
        let id = place.database.id
        let viewer = shareViewer(person?.userName, in: id)
        var record = place.record
        record.sharing = try viewer?.sharing(place.share, of: id.owner)
        if record.sharing?.currentUser == nil {
            // Somebody who comes by a one-time URL or another address is not in the list by name.
            record.sharing?.currentUser = ShareParticipant(
                id: own?.id ?? "", identity: UserIdentity(userRecordName: person?.userName),
                role: own?.role ?? .publicUser, permission: own?.permission ?? place.share.publicPermission,
                status: own?.status ?? .invited)
        }
        // Whoever was invited reads the records once he has accepted; everybody reads what is public.
        let mayRead = (own.map(\.isMember) ?? false) && own?.permission != SharePermission.none
        let root = mayRead || place.share.publicPermission != .none ? place.share.root : 0
        // What the root lies in itself is the owner's.
        var rootRecord = try root == 0 ? nil : place.table.row(id: root)?.record
        if person?.userName != id.owner { rootRecord?.parent = nil }
        let owner = try viewer?.identities.names(of: [id.owner])[id.owner]?.components
        return ShareMetadata(
            database: id, zone: place.zone.id, rootName: place.share.rootName,
            rootRecord: rootRecord, share: record,
            owner: UserIdentity(userRecordName: id.owner, nameComponents: owner), role: own?.role ?? .publicUser,
            status: own?.status ?? .invited, permission: own?.permission ?? place.share.publicPermission)
    }
}
