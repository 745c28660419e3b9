package import CloudCore
import SQLCore

extension CloudTransaction {
    /// Custom zones whose content or existence changed after the token, each once, in the order of their last change.
    package func databaseChanges(in databaseID: DatabaseID, since text: String?, limit: Int) throws
        -> DatabaseChangesPage
    {
        guard databaseID.scope != .public else {
            throw CloudError(.badRequest, "endpoint not applicable in the database type 'publicdb'", nativeCode: 24)
        }
        if databaseID.scope == .shared { return try sharedDatabaseChanges(in: databaseID, since: text, limit: limit) }
        let database = try database(databaseID)
        var number: Int64 = 0
        if let text {
            let token = try SyncTokenCodec.decode(text, secret: secret)
            guard token.kind == .database, token.databaseIncarnation == database.incarnation,
                token.number <= database.counter
            else { throw SyncTokenCodec.expired("it belongs to another database") }
            number = token.number
        }
        let limit = page(limit)
        var changed: [ZoneID] = []
        var deleted: [ZoneID] = []
        var purged: Set<ZoneID> = []
        var more = false
        try connection.query(
            """
            SELECT name, last_change, deleted FROM zone WHERE db = ?1 AND last_change > ?2 AND name <> ?3
            ORDER BY last_change LIMIT ?4
            """,
            [.integer(database.row), .integer(number), .text(ZoneID.defaultName), .integer(Int64(limit) + 1)]
        ) { row in
            guard changed.count + deleted.count < limit else {
                more = true
                return false
            }
            let id = ZoneID(name: row.text(0), owner: databaseID.owner)
            number = row.integer(1)
            switch ZoneEnd(rawValue: row.integer(2)) {
            case .some(.none): changed.append(id)
            case .purged:
                deleted.append(id)
                purged.insert(id)
            case .deleted, nil: deleted.append(id)
            }
            return true
        }
        let token = SyncToken(
            kind: .database, databaseIncarnation: database.incarnation, zoneIncarnation: 0,
            number: more ? number : database.counter)
        return DatabaseChangesPage(
            changed: changed, deleted: deleted, purged: purged,
            syncToken: SyncTokenCodec.encode(token, secret: secret), moreComing: more)
    }

    /// Records of a custom zone changed or deleted after the token, each once, in the order of their last change.
    ///
    /// A page is shorter than `limit` when its records, with those of the zones read before in this transaction, reach the
    /// bytes of an answer. Deletions are told whatever `wanted` says. The token covers all that was read, also what was left out.
    package func zoneChanges(
        _ zoneID: ZoneID, in databaseID: DatabaseID, since text: String?, limit: Int, reverse: Bool = false,
        recordTypes wanted: Set<String>? = nil
    ) throws -> ZoneChangesPage {
        let access = try access(to: zoneID, in: databaseID)
        guard databaseID.scope != .public, !zoneID.isDefault else {
            throw CloudError(.badRequest, "cannot get changes in default zone", nativeCode: 12)
        }
        var reader = FeedReader(
            self, access, SchemaSession(self, databaseID), limit: page(limit), isReverse: reverse,
            recordTypes: wanted, viewer: shareViewer(databaseID.owner, in: databaseID))
        if access.isShared { return try sharedZoneChanges(access, of: databaseID.owner, since: text, &reader) }
        let kind: SyncToken.Kind = reverse ? .reverseZone : .zone
        let zone = access.zone
        var number = reverse ? Int64.max : 0
        if let text {
            let token = try SyncTokenCodec.decode(text, secret: secret)
            guard token.kind == kind, token.databaseIncarnation == access.database.incarnation,
                token.zoneIncarnation == zone.incarnation, reverse || token.number <= access.database.counter
            else { throw SyncTokenCodec.expiredZone }
            number = token.number
        }
        let isDone = try reader.read(.zone(knownSince: 0), from: &number)
        if isDone, !reverse { number = max(number, zone.lastChange) }
        let token = SyncToken(
            kind: kind, databaseIncarnation: access.database.incarnation, zoneIncarnation: zone.incarnation,
            number: number)
        return ZoneChangesPage(
            changes: reader.changes, syncToken: SyncTokenCodec.encode(token, secret: secret), moreComing: !isDone)
    }

    /// The page size asked for, within 1 and the service's own.
    func page(_ limit: Int) -> Int { min(max(limit, 1), limits.resultsPerPage) }
}
