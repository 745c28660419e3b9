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
            if row.integer(2) == 0 { changed.append(id) } else { deleted.append(id) }
            return true
        }
        let token = SyncToken(
            kind: .database, databaseIncarnation: database.incarnation, zoneIncarnation: 0,
            number: more ? number : database.counter)
        return DatabaseChangesPage(
            changed: changed, deleted: deleted, syncToken: SyncTokenCodec.encode(token, secret: secret),
            moreComing: more)
    }

    /// Records of a custom zone changed or deleted after the token, each once, in the order of their last change.
    ///
    /// A page is shorter than `limit` when its records, with those of the zones read before in this transaction, reach the
    /// bytes of an answer. Deletions are told whatever `wanted` says. The token covers all that was read, also what was left out.
    package func zoneChanges(
        _ zoneID: ZoneID, in databaseID: DatabaseID, since text: String?, limit: Int, reverse: Bool = false,
        recordTypes wanted: Set<String>? = nil
    ) throws -> ZoneChangesPage {
        let database = try database(databaseID)
        let zone = try zoneRef(zoneID, in: database)
        guard databaseID.scope != .public, !zoneID.isDefault else {
            throw CloudError(.badRequest, "cannot get changes in default zone", nativeCode: 12)
        }
        let kind: SyncToken.Kind = reverse ? .reverseZone : .zone
        var number = reverse ? Int64.max : 0
        if let text {
            let token = try SyncTokenCodec.decode(text, secret: secret)
            guard token.kind == kind, token.databaseIncarnation == database.incarnation,
                token.zoneIncarnation == zone.incarnation, reverse || token.number <= database.counter
            else {
                throw SyncTokenCodec.expired(
                    "it belongs to another zone, to the zone before it was re-created, "
                        + "or to a walk in the other direction")
            }
            number = token.number
        }
        let schema = SchemaSession(self, databaseID)
        let table = RecordTable(
            connection: connection, schema: schema, database: database.row, zone: zone,
            viewer: shareViewer(databaseID.owner, in: databaseID))
        let limit = page(limit)
        var changes: [ZoneChangesPage.Change] = []
        var read = 0
        let bound = max(limit, 2000)
        var more = false
        // No more at a time than the page has room for: a database may hand over all rows before the first is looked at.
        var wasFull = true
        while wasFull, !more {
            let room = limit - changes.count + 1
            wasFull = false
            var rows = 0
            try connection.query(
                """
                SELECT \(RecordTable.columns) FROM record WHERE db = ?1 AND zone = ?2 AND seq \(reverse ? "<" : ">") ?3
                ORDER BY seq \(reverse ? "DESC" : "ASC") LIMIT ?4
                """,
                [.integer(database.row), .integer(zone.row), .integer(number), .integer(Int64(room))]
            ) { row in
                guard changes.count < limit, read < bound, !isAnswerFull else {
                    more = true
                    return false
                }
                read += 1
                rows += 1
                wasFull = rows == room
                number = row.integer(3)
                let typeName = try schema.typeName(row.integer(2))
                if row.integer(4) != 0 {
                    changes.append(.deleted(RecordID(name: row.text(1), zone: zoneID), recordType: typeName))
                } else if wanted?.contains(typeName) != false {
                    let stored = try table.read(row)
                    answered(stored.bytes)
                    changes.append(.record(stored.record))
                }
                return true
            }
        }
        if !more, !reverse { number = max(number, zone.lastChange) }
        let token = SyncToken(
            kind: kind, databaseIncarnation: database.incarnation, zoneIncarnation: zone.incarnation, number: number)
        return ZoneChangesPage(
            changes: changes, syncToken: SyncTokenCodec.encode(token, secret: secret), moreComing: more)
    }

    /// The page size asked for, within 1 and the service's own.
    func page(_ limit: Int) -> Int { min(max(limit, 1), limits.resultsPerPage) }
}
