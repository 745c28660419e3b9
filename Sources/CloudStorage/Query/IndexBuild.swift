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
    /// What one commit does for indexes at most, whoever asks for it, so that saves do not wait long: a record costs 1, and
    /// 1 for each entry and for each 256 bytes; looking at a zone costs ``zoneWork``.
    static let indexingWork = 8_000
    static let zoneWork = 20
    /// Records that are read at once.
    private static let stretch = 64

    /// - Throws: ``MissingIndexes`` unless the zones have the indexes. ``CloudStore/read(_:)`` builds them and runs the search
    ///   again.
    func requireIndexes(_ kinds: Set<IndexKind>, of zones: [ZoneRef], in database: DatabaseRef) throws(MissingIndexes) {
        let lacking = zones.filter { !$0.reach.isComplete(kinds) }
        guard lacking.isEmpty else {
            throw MissingIndexes(database: database.id, zones: lacking.map(\.id), kinds: kinds)
        }
    }

    /// Makes entries of records that the indexes do not know yet, in order of their changes, until nothing is left or the
    /// commit has done ``indexingWork``. Zones that are gone are passed over.
    func build(_ missing: MissingIndexes) throws {
        guard let database = try existingDatabase(missing.database) else { return }
        let wanted = Set(missing.zones)
        for var zone in try zoneRefs(in: database) where wanted.contains(zone.id) {
            for kind in IndexKind.allCases where missing.kinds.contains(kind) && !zone.reach.isComplete([kind]) {
                guard memory.indexingWork < Self.indexingWork else { return }
                memory.indexingWork += Self.zoneWork
                try build(kind, of: &zone, in: database)
            }
        }
    }

    private func build(_ kind: IndexKind, of zone: inout ZoneRef, in database: DatabaseRef) throws {
        let schema = SchemaSession(self, database.id)
        let types = try schema.load().types
        let table = RecordTable(connection: connection, schema: schema, database: database.row, zone: zone)
        let index = RecordIndexes(of: database.id, reach: zone.reach)
        var rows = ChangedRows(database: database.row, zone: zone.row)
        while memory.indexingWork < Self.indexingWork, !zone.reach.isComplete([kind]) {
            var count = 0
            try connection.query(
                "\(table.select("r.zone = ?2 AND r.seq > ?3")) ORDER BY r.seq LIMIT ?4",
                [
                    .integer(database.row), .integer(zone.row), .integer(zone.reach[kind]),
                    .integer(Int64(Self.stretch)),
                ]
            ) { row in
                count += 1
                let row = RecordRow(row)
                zone.reach[kind] = row.sequence
                let record = try readable(row, table)
                let found =
                    record.flatMap { record in
                        types[record.type].map { index.entries(of: record, kind, schema: $0) }
                    } ?? []
                for entry in found { rows.add(entry, of: row.row) }
                memory.indexingWork += 1 + found.count + (row.payload?.count ?? 0) / 256
                return memory.indexingWork < Self.indexingWork
            }
            if count < Self.stretch, memory.indexingWork < Self.indexingWork { zone.reach[kind] = IndexReach.all }
            try rows.sendEntries(on: connection)
        }
        added(rows.added)
        // Who saves one of these records in the same commit takes entries away: they have to be there by then.
        memory.forgetRecords()
        try keepReach(of: zone, in: database)
    }

    /// The live record of a row. What is damaged has no entries: it is not to keep the others from being found.
    private func readable(_ row: RecordRow, _ table: RecordTable) throws -> Record? {
        guard row.payload != nil else { return nil }
        do { return try table.read(row).record } catch is CloudError { return nil }
    }

    private func keepReach(of zone: ZoneRef, in database: DatabaseRef) throws {
        try connection.change(
            IndexReach.update, [zone.reach.binds + [.integer(database.row), .integer(zone.row)]])
        memory.zones[BatchMemory.ZoneKey(database: database.row, name: ExactName(zone.id.name))]?.reach = zone.reach
    }
}
