import CloudCore
import SQLCore

extension CloudTransaction {
    /// Puts into the outbox what the database subscriptions of participants' shared databases have to say about a modify.
    ///
    /// Who takes part in trees hears of those that changed. What a zone that is not shared costs is nothing.
    func notifyParticipants(_ session: ModifySession) throws {
        var changed = session.tree.touched
        if session.table.zone.sharing == .whole {
            let types = Set(session.changes.compactMap { ($0.new ?? $0.old)?.type })
            for share in try zoneWideShares(session.table.zone, session.database) { changed[share] = types }
        }
        guard !changed.isEmpty else { return }
        let shares = changed.keys.sorted()
        let id = session.database.id
        var found: [(types: Set<String>, stored: StoredSubscription)] = []
        try connection.query(
            """
            SELECT p.user_name, s.content FROM participant p
            JOIN cloud_database d ON d.container = ?3 AND d.environment = ?4 AND d.scope = 3 AND d.owner = p.user_name
            JOIN subscription s ON s.db = d.id AND s.user_name = p.user_name
            WHERE p.db = ?1 AND p.share = ?2 AND p.kind = 1 AND p.status = 2 AND p.role <> 1
            ORDER BY p.user_name, s.name
            """,
            each: shares.map {
                [
                    .integer(session.database.row), .integer($0), .text(id.container.rawValue),
                    .text(id.environment.rawValue),
                ]
            }
        ) { position, row in
            found.append((changed[shares[position]] ?? [], try StoredSubscription(row)))
        }
        let concerned = found.filter { types, stored in
            guard let wanted = stored.subscription.recordType else {
                // Whose own part changed has been told already.
                return !session.sharing.concerned.contains(stored.user)
            }
            return types.contains(wanted)
        }
        try tell(concerned.map(\.stored), in: id, by: session.writer)
    }

    /// Tells users that their shared database has a zone more or less, or sees more or less of one.
    /// - Parameter database: Any database of the container and environment.
    func notifySharedZones(of users: Set<String>, in database: DatabaseID, by writer: Writer) throws {
        guard !users.isEmpty else { return }
        var found: [StoredSubscription] = []
        try connection.query(
            """
            SELECT s.user_name, s.content FROM cloud_database d
            JOIN subscription s ON s.db = d.id AND s.user_name = d.owner
            WHERE d.container = ?1 AND d.environment = ?2 AND d.scope = 3 AND d.owner = ?3 AND s.record_type = ''
            """,
            each: users.sorted().map {
                [.text(database.container.rawValue), .text(database.environment.rawValue), .text($0)]
            }
        ) {
            found.append(try StoredSubscription($1))
        }
        try tell(found, in: database, by: writer)
    }

    private func tell(_ subscriptions: [StoredSubscription], in database: DatabaseID, by writer: Writer) throws {
        let identifier = RandomID.make()
        var told: Set<StoredSubscription.Key> = []
        try enqueuePushes(
            subscriptions.filter { told.insert($0.key).inserted }.map { stored in
                let view = DatabaseID(
                    container: database.container, environment: database.environment, scope: .shared,
                    owner: stored.user)
                let writing = PushPayloadWriter(
                    database: view, notificationID: identifier, user: stored.user, subscription: stored.subscription)
                return OutboxEntry(
                    container: view.container, environment: view.environment, userName: stored.user,
                    payload: writing.payload(.database),
                    collapseKey: CollapseKey.of(.database, stored.subscription, in: view),
                    originClientID: stored.user == writer.userName ? writer.clientID : nil)
            })
    }

    private func zoneWideShares(_ zone: ZoneRef, _ database: DatabaseRef) throws -> [Int64] {
        var shares: [Int64] = []
        try connection.query(
            "SELECT record FROM share WHERE db = ?1 AND zone = ?2 AND root = 0",
            [.integer(database.row), .integer(zone.row)]
        ) { row in
            shares.append(row.integer(0))
            return true
        }
        return shares
    }
}
