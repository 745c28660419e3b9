import CloudCore
import SQLCore

/// Indexes that a search needs and its zones do not have yet.
struct MissingIndexes: Error {
    let database: DatabaseID
    let zones: [ZoneID]
    let kinds: Set<IndexKind>

    /// What a search is told that does not wait any longer.
    var error: CloudError {
        CloudError(
            .tryAgainLater,
            "the zone '\(zones.first?.name ?? "")' is being indexed, as it is searched for the first time: ask again",
            nativeCode: 6, retryAfter: 1)
    }
}

extension CloudTransaction {
    /// Records of which one commit makes the entries, at most, so that saves of the same database do not wait long.
    static let indexedTogether = 500

    /// Sees to it that the zones have the indexes. A transaction that may not write leaves it to
    /// ``CloudStore/read(_:)``, which builds them and runs it again.
    /// - Throws: ``MissingIndexes``.
    func requireIndexes(_ kinds: Set<IndexKind>, of zones: [ZoneRef], in database: DatabaseRef) throws {
        let lacking = zones.filter { !$0.reach.isComplete(kinds) }
        guard !lacking.isEmpty else { return }
        let missing = MissingIndexes(database: database.id, zones: lacking.map(\.id), kinds: kinds)
        guard isWritable else { throw missing }
        _ = try build(missing, limit: .max)
    }

    /// Makes entries of records that the indexes do not know yet, of zones that are still there.
    /// - Returns: The number of those records; fewer than `limit` when there are no more.
    func build(_ missing: MissingIndexes, limit: Int) throws -> Int {
        let database = try database(missing.database)
        var left = limit
        for var zone in try zoneRefs(in: database) where missing.zones.contains(zone.id) {
            for kind in missing.kinds where left > 0 && !zone.reach.isComplete([kind]) {
                left -= try build(kind, of: &zone, in: database, limit: left)
            }
        }
        return limit - left
    }

    private func build(_ kind: IndexKind, of zone: inout ZoneRef, in database: DatabaseRef, limit: Int) throws -> Int {
        let schema = SchemaSession(self, database.id)
        let table = RecordTable(connection: connection, schema: schema, database: database.row, zone: zone)
        let index = RecordIndexes(of: database.id, reach: zone.reach)
        var rows = ChangedRows(database: database.row, zone: zone.row)
        var reach = zone.reach
        var count = 0
        try schema.load()
        try connection.query(
            "\(table.select("r.zone = ?2 AND r.seq > ?3")) ORDER BY r.seq LIMIT ?4",
            [
                .integer(database.row), .integer(zone.row), .integer(zone.reach[kind]), .integer(Int64(limit)),
            ]
        ) { row in
            let stored = try table.read(row)
            count += 1
            reach[kind] = stored.sequence
            guard !stored.isDeleted, let type = try schema.type(named: stored.record.type) else { return true }
            for entry in index.entries(of: stored.record, kind, schema: type) { rows.add(entry, of: stored.row) }
            return true
        }
        if count < limit { reach[kind] = IndexReach.all }
        try rows.sendEntries(on: connection)
        added(rows.added)
        try setReach(reach, of: &zone, in: database)
        return count
    }

    private func setReach(_ reach: IndexReach, of zone: inout ZoneRef, in database: DatabaseRef) throws {
        try connection.change(
            IndexReach.update, [reach.binds + [.integer(database.row), .integer(zone.row)]])
        zone.reach = reach
        memory.zones[BatchMemory.ZoneKey(database: database.row, name: ExactName(zone.id.name))]?.reach = reach
    }
}
