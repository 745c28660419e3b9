import CloudCore
import SQLCore

extension CloudTransaction {
    /// Compares index entries, references, feeds and shares with the records they come from.
    /// - Returns: What does not agree, in words; empty when all is well.
    package func verify() throws -> [String] {
        var problems: [String] = []
        for id in try databaseIDs() {
            let database = try database(id)
            var counted = 0
            for zone in try zoneRefs(in: database) {
                counted += 1
                problems += try verify(zone, in: database)
            }
            let live = try connection.first(
                "SELECT COUNT(*) FROM zone WHERE db = ?1 AND deleted = 0", .integer(database.row)
            ) { Int($0.integer(0)) }
            if let live, live != counted, id.scope != .shared { problems.append("\(id): zones are counted wrongly") }
            let bytes = try storedBytes(in: database)
            if bytes != database.bytes {
                problems.append("\(id): \(database.bytes) bytes are counted, \(bytes) are stored")
            }
            for table in ["record", "entry", "reference", "asset_reference"] {
                let stray =
                    try connection.first(
                        """
                        SELECT COUNT(*) FROM \(table) WHERE db = ?1
                        AND zone NOT IN (SELECT id FROM zone WHERE db = ?1 AND deleted = 0)
                        """, .integer(database.row)
                    ) { $0.integer(0) } ?? 0
                if stray != 0 { problems.append("\(id): \(stray) rows of table \(table) are of no live zone") }
            }
            problems += try verifyStraySharing(in: database)
        }
        for table in ["asset_reference", "asset_receipt"] {
            let lost =
                try connection.first(
                    """
                    SELECT COUNT(*) FROM \(table) r
                    WHERE NOT EXISTS (SELECT 1 FROM asset_file f WHERE f.content = r.content)
                    """
                ) { $0.integer(0) } ?? 0
            if lost != 0 { problems.append("\(lost) rows of table \(table) name a file that there is not") }
        }
        return problems
    }

    private func databaseIDs() throws -> [DatabaseID] {
        var ids: [DatabaseID] = []
        try connection.query("SELECT container, environment, scope, owner FROM cloud_database", []) { row in
            guard let environment = CloudEnvironment(rawValue: row.text(1)),
                let scope = DatabaseScope(rawValue: Int(row.integer(2)))
            else { return true }
            ids.append(
                DatabaseID(
                    container: ContainerID(row.text(0)), environment: environment, scope: scope, owner: row.text(3)))
            return true
        }
        return ids
    }

    private func verify(_ zone: ZoneRef, in database: DatabaseRef) throws -> [String] {
        var problems: [String] = []
        let place = "\(database.id.owner)/\(zone.id.name)"
        let schema = SchemaSession(self, database.id)
        let table = RecordTable(connection: connection, schema: schema, database: database.row, zone: zone)
        let index = RecordIndexes(of: database.id, reach: zone.reach)
        var rows: [StoredRecord] = []
        try connection.query(
            "SELECT \(RecordTable.columns) FROM record WHERE db = ?1 AND zone = ?2 ORDER BY seq",
            [.integer(database.row), .integer(zone.row)]
        ) { row in
            rows.append(try table.read(row))
            return true
        }
        struct Row: Hashable {
            let record: Int64
            let entry: IndexEntry
        }
        struct Holder: Hashable {
            let record: Int64
            let entry: AssetEntry
        }
        struct Source: Hashable {
            let record: Int64
            let entry: ReferenceEntry
        }
        var entries: Set<Row> = []
        var references: Set<Source> = []
        var assets: Set<Holder> = []
        for stored in rows {
            if stored.sequence > database.counter {
                problems.append("\(place): record '\(stored.record.id.name)' has a number above the counter")
            }
            if stored.sequence > zone.lastChange {
                problems.append("\(place): record '\(stored.record.id.name)' has a number above the zone's last change")
            }
            guard !stored.isDeleted else { continue }
            guard let type = try schema.type(named: stored.record.type) else {
                problems.append("\(place): record '\(stored.record.id.name)' has no type")
                continue
            }
            for entry in index.entries(of: stored.record, changed: stored.sequence, schema: type) {
                entries.insert(Row(record: stored.row, entry: entry))
            }
            for entry in ReferenceEntry.entries(of: stored.record) {
                references.insert(Source(record: stored.row, entry: entry))
            }
            for entry in AssetEntry.entries(of: stored.record) {
                assets.insert(Holder(record: stored.row, entry: entry))
            }
        }
        var kept: Set<Row> = []
        try connection.query(
            "SELECT record, field, key FROM entry WHERE db = ?1 AND zone = ?2",
            [.integer(database.row), .integer(zone.row)]
        ) { row in
            kept.insert(Row(record: row.integer(0), entry: IndexEntry(field: row.integer(1), key: row.blob(2))))
            return true
        }
        var keptReferences: Set<Source> = []
        try connection.query(
            "SELECT source, target, kind FROM reference WHERE db = ?1 AND zone = ?2",
            [.integer(database.row), .integer(zone.row)]
        ) { row in
            guard let kind = ReferenceKind(rawValue: row.integer(2)) else {
                problems.append("\(place): a reference of unknown kind \(row.integer(2))")
                return true
            }
            keptReferences.insert(
                Source(record: row.integer(0), entry: ReferenceEntry(target: ExactName(row.text(1)), kind: kind)))
            return true
        }
        var keptAssets: Set<Holder> = []
        try connection.query(
            "SELECT record, content, size FROM asset_reference WHERE db = ?1 AND zone = ?2",
            [.integer(database.row), .integer(zone.row)]
        ) { row in
            keptAssets.insert(
                Holder(record: row.integer(0), entry: AssetEntry(content: row.blob(1), size: row.integer(2))))
            return true
        }
        func compare(_ missing: Int, _ surplus: Int, _ what: String) {
            if missing > 0 { problems.append("\(place): \(missing) \(what) are missing") }
            if surplus > 0 { problems.append("\(place): \(surplus) \(what) belong to no record") }
        }
        compare(entries.subtracting(kept).count, kept.subtracting(entries).count, "index entries")
        compare(
            references.subtracting(keptReferences).count, keptReferences.subtracting(references).count, "references")
        compare(
            assets.subtracting(keptAssets).count, keptAssets.subtracting(assets).count, "references to asset files")
        return problems + (try verifySharing(zone, rows, in: database))
    }
}
