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
}
