import CloudCore
import SQLCore

extension CloudTransaction {
    /// Somebody who looks at the shares of a database; `nil` in the public one, which has none.
    func shareViewer(_ userName: String?, in database: DatabaseID) -> ShareViewer? {
        guard database.scope != .public else { return nil }
        return ShareViewer(
            userName: userName, identities: ShareIdentities(connection: connection, container: database.container),
            secret: secret)
    }

    /// Ends all shares of a zone that is about to be deleted.
    func endSharing(of zone: ZoneRef, in database: DatabaseRef, by writer: Writer) throws {
        let shares = ShareTable(connection: connection, database: database.row)
        if zone.sharing != .none {
            var members: Set<String> = []
            for share in try shares.shares(zone: zone.row) {
                members.formUnion(share.memberNames)
                try connection.post(
                    "UPDATE membership SET ended = 1 WHERE db = ?1 AND share = ?2", .integer(database.row),
                    .integer(share.row))
                try shares.delete(share.row)
            }
            try setSharing(.none, of: zone, in: database)
            try notifySharedZones(of: members, in: database.id, by: writer)
        }
        for table in ["short_guid", "shared_record"] {
            try connection.post(
                "DELETE FROM \(table) WHERE db = ?1 AND zone = ?2", .integer(database.row), .integer(zone.row))
        }
    }

    /// Tells the database subscriptions that users keep in their shared view: the zones or what is seen of them changed.
    /// - Parameter database: The owner's.
    func notifySharedZones(of users: Set<String>, in database: DatabaseID, by writer: Writer) throws {
        let identifier = RandomID.make()
        for user in users.sorted() {
            let view = DatabaseID(
                container: database.container, environment: database.environment, scope: .shared, owner: user)
            // The row of a view changes nothing that is read here, so it is not locked.
            let row = try connection.first(
                """
                SELECT id FROM cloud_database
                WHERE container = ?1 AND environment = ?2 AND scope = ?3 AND owner = ?4
                """, .text(view.container.rawValue), .text(view.environment.rawValue),
                .integer(Int64(view.scope.rawValue)), .text(user)
            ) { $0.integer(0) }
            guard let row else { continue }
            let known = DatabaseRef(id: view, row: row, incarnation: 0, counter: 0)
            for stored in try storedSubscriptions(in: known, user: user) {
                guard case .database(recordType: nil) = stored.subscription.kind else { continue }
                try enqueue(.database, stored, view, identifier, origin: writer)
            }
        }
    }
}
