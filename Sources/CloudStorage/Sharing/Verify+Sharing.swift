import CloudCore
import SQLCore

extension CloudTransaction {
    /// Compares shares, their people, memberships and short GUIDs of a zone with its records.
    /// - Returns: What does not agree, in words.
    func verifySharing(_ zone: ZoneRef, _ rows: [StoredRecord], in database: DatabaseRef) throws -> [String] {
        let place = "\(database.id.owner)/\(zone.id.name)"
        var problems: [String] = []
        func report(_ problem: String) { problems.append("\(place): \(problem)") }
        let live = rows.filter { !$0.isDeleted }
        let records = Dictionary(uniqueKeysWithValues: live.map { ($0.row, $0.record) })
        let shares = try ShareTable(connection: connection, database: database.row).shares(zone: zone.row)
        let shareRows = Set(shares.map(\.row))

        for stored in live where stored.record.type == Sharing.recordType && !shareRows.contains(stored.row) {
            report("the share record '\(stored.record.id.name)' has no share")
        }
        var rootShares: [Int64: String] = [:]
        for share in shares {
            guard let record = records[share.row], record.type == Sharing.recordType else {
                report("a share has no record")
                continue
            }
            let name = record.id.name
            if share.people.filter(\.isOwner).map(\.userName) != [database.id.owner] {
                report("the share '\(name)' has another owner than its zone")
            }
            if share.isWhole != (name == Sharing.zoneWideName) { report("the share '\(name)' has a wrong name") }
            if !share.isWhole {
                rootShares[share.root] = name
                let root = records[share.root]
                if root == nil { report("the share '\(name)' has no root") }
                if root?.shortGUID != record.shortGUID { report("the share '\(name)' has another GUID than its root") }
            }
            if record.shortGUID == nil { report("the share '\(name)' has no GUID") }
            let members = try memberships(of: share, in: database)
            if members != share.memberNames { report("the share '\(name)' has other memberships than members") }
        }
        for stored in live where stored.record.share != rootShares[stored.row] {
            report("record '\(stored.record.id.name)' and its share do not name each other")
        }
        let mode: ZoneSharing = shares.isEmpty ? .none : shares.contains(where: \.isWhole) ? .whole : .trees
        if zone.sharing != mode || mode == .whole && shares.count > 1 { report("the zone is shared in another way") }
        for problem in try verifyTrees(zone, rows, shares, in: database) { report(problem) }
        for problem in try verifyGUIDs(live, zone, in: database) { report(problem) }
        return problems
    }

    private func memberships(of share: StoredShare, in database: DatabaseRef) throws -> Set<String> {
        var names: Set<String> = []
        try connection.query(
            "SELECT user_name, zone, owner FROM membership WHERE db = ?1 AND share = ?2 AND ended = 0",
            [.integer(database.row), .integer(share.row)]
        ) { row in
            let isRight = row.integer(1) == share.zone && row.text(2) == database.id.owner
            names.insert(isRight ? row.text(0) : "")
            return true
        }
        return names
    }

    private func verifyGUIDs(_ live: [StoredRecord], _ zone: ZoneRef, in database: DatabaseRef) throws -> [String] {
        var wanted: [Int64: String] = [:]
        for stored in live {
            guard let guid = stored.record.shortGUID else { continue }
            if stored.record.id.name == Sharing.zoneWideName { wanted[0] = guid }
            if stored.record.type != Sharing.recordType { wanted[stored.row] = guid }
        }
        var problems: [String] = []
        try connection.query(
            "SELECT record, guid FROM short_guid WHERE db = ?1 AND zone = ?2",
            [.integer(database.row), .integer(zone.row)]
        ) { row in
            let record = row.integer(0)
            // The zone keeps its GUID while it is not shared.
            if let guid = wanted.removeValue(forKey: record) ?? (record == 0 ? row.text(1) : nil), guid == row.text(1) {
                return true
            }
            problems.append("the GUID \(row.text(1)) belongs to no record")
            return true
        }
        return problems + wanted.values.map { "the GUID \($0) is not in the directory" }
    }

    /// Rows of a database that belong to no share or no zone, in words.
    func verifyStraySharing(in database: DatabaseRef) throws -> [String] {
        let shares = "(SELECT record FROM share WHERE db = ?1)"
        let zones = "(SELECT id FROM zone WHERE db = ?1 AND deleted = 0)"
        return try [
            ("participant", "share NOT IN \(shares)"), ("share", "zone NOT IN \(zones)"),
            ("short_guid", "zone NOT IN \(zones)"), ("membership", "ended = 0 AND share NOT IN \(shares)"),
        ].compactMap { table, condition in
            let count = try connection.first(
                "SELECT COUNT(*) FROM \(table) WHERE db = ?1 AND \(condition)", .integer(database.row)
            ) { $0.integer(0) }
            return count == 0 ? nil : "\(database.id): \(count ?? 0) rows of table \(table) belong to nothing"
        }
    }
}
