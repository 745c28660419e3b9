import CloudCore
import CloudCrypto
import SQLCore

/// Where a short GUID leads: a share, its zone and its database.
struct SharePlace {
    let database: DatabaseRef
    let table: RecordTable
    let share: StoredShare
    let record: Record
    var zone: ZoneRef { table.zone }

    /// How somebody stands to the share.
    enum Standing {
        case owner(StoredParticipant)
        case member(StoredParticipant)
        case invited(StoredParticipant)
        /// Not invited, but everybody with the URL may come.
        case welcome
        /// Perhaps one of those who were invited by an address or number that nobody is known to have.
        case unverified
        case stranger
    }

    /// - Parameters:
    ///   - person: `nil` for somebody without an account.
    ///   - token: Of a one-time URL.
    func standing(of person: SharePerson?, token: String?, secret: [UInt8]) -> Standing {
        if let person, let known = share.person(named: person.userName) {
            switch known.kind {
            case .participant where known.isOwner: return .owner(known)
            case .participant: return known.isMember ? .member(known) : .invited(known)
            case .blocked: return .stranger
            case .requester: break
            }
        }
        if let person {
            let pending = share.people.filter { $0.isPending && $0.userName == nil }
            let claimed = pending.first { entry in
                guard let token, let invitation = entry.invitation else { return false }
                return Crypto.equal(Array(token.utf8), Array(ShareViewer.token(invitation, secret: secret).utf8))
            }
            let meant = pending.first { entry in
                entry.email != nil && entry.email == person.email || entry.phone != nil && entry.phone == person.phone
            }
            if let found = claimed ?? meant { return .invited(found) }
            if share.publicPermission == .none, pending.contains(where: { $0.invitation == nil }) { return .unverified }
        }
        return share.publicPermission == .none ? .stranger : .welcome
    }
}

extension CloudTransaction {
    /// Where a short GUID leads now; `nil` when nothing is shared there. In a transaction that writes, the owner's
    /// database is locked.
    func sharePlace(_ guid: String) throws -> SharePlace? {
        // No GUID has a NUL, and not every database takes one in a text.
        guard !guid.utf8.contains(0) else { return nil }
        let found = try connection.first("SELECT db, zone, record FROM short_guid WHERE guid = ?1", .text(guid)) {
            (db: $0.integer(0), zone: $0.integer(1), root: $0.integer(2))
        }
        return try found.flatMap { try sharePlace(database: $0.db, zone: $0.zone, root: $0.root) }
    }

    /// The place of a share's row.
    func sharePlace(ofShare share: Int64, database: Int64) throws -> SharePlace? {
        let found = try connection.first(
            "SELECT zone, root FROM share WHERE db = ?1 AND record = ?2", .integer(database), .integer(share)
        ) { (zone: $0.integer(0), root: $0.integer(1)) }
        return try found.flatMap { try sharePlace(database: database, zone: $0.zone, root: $0.root) }
    }

    private func sharePlace(database row: Int64, zone: Int64, root: Int64) throws -> SharePlace? {
        let found = try connection.first(
            "SELECT container, environment, owner FROM cloud_database WHERE id = ?1", .integer(row)
        ) { (container: ContainerID($0.text(0)), environment: $0.text(1), owner: $0.text(2)) }
        guard let found, let environment = CloudEnvironment(rawValue: found.environment) else { return nil }
        let database = try database(
            DatabaseID(container: found.container, environment: environment, scope: .private, owner: found.owner))
        guard database.row == row, let zone = try zoneRef(row: zone, in: database) else { return nil }
        let table = RecordTable(
            connection: connection, schema: SchemaSession(self, database.id), database: row, zone: zone)
        guard let share = try table.shares.share(root: root, zone: zone.row),
            let record = try table.row(id: share.row), !record.isDeleted
        else { return nil }
        return SharePlace(database: database, table: table, share: share, record: record.record)
    }
}
