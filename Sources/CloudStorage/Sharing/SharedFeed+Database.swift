import CloudCore
import CloudCrypto
import SQLCore

extension CloudTransaction {
    /// Zones of the shared database that came, changed or went since the token: what it lists against what there is now.
    ///
    /// So that a save of the owner writes no row for each participant, nothing is kept but in the token.
    func sharedDatabaseChanges(in databaseID: DatabaseID, since text: String?, limit: Int) throws
        -> DatabaseChangesPage
    {
        let user = SharedToken.digest(
            of: "\(databaseID.container.rawValue) \(databaseID.environment.rawValue) \(databaseID.owner)")
        var token = SharedDatabaseToken(user: user, zones: [:])
        if let text {
            token = try SharedDatabaseToken.decode(text, secret: secret)
            guard token.user == user else { throw SyncTokenCodec.expired("it belongs to another database") }
        }
        let accesses = try sharedAccesses(in: databaseID)
        var page = DatabaseChangesPage(changed: [], deleted: [], syncToken: "", moreComing: false)
        let limit = self.page(limit)
        var gone = token.zones
        for access in accesses { gone[access.key] = nil }
        let names = try namesOfLostZones(Set(gone.keys), in: databaseID)
        for key in gone.keys.sorted(by: { ($0.database, $0.zone) < ($1.database, $1.zone) }) {
            guard page.deleted.count < limit else {
                page.moreComing = true
                break
            }
            token.zones[key] = nil
            if let id = names[key] { page.deleted.append(id) }
        }
        for access in accesses.sorted(by: { ($0.lastChange, $0.key.zone) < ($1.lastChange, $1.key.zone) }) {
            let now = access.told
            guard token.zones[access.key] != now else { continue }
            guard page.changed.count + page.deleted.count < limit else {
                page.moreComing = true
                break
            }
            token.zones[access.key] = now
            page.changed.append(access.zone.id)
        }
        page.syncToken = token.encode(secret: secret)
        return page
    }

    /// The names of zones that a user once took part in.
    private func namesOfLostZones(_ keys: Set<SharedDatabaseToken.Key>, in databaseID: DatabaseID) throws
        -> [SharedDatabaseToken.Key: ZoneID]
    {
        guard !keys.isEmpty else { return [:] }
        var names: [SharedDatabaseToken.Key: ZoneID] = [:]
        try connection.query(
            """
            SELECT db, zone, owner, zone_name FROM membership
            WHERE container = ?1 AND environment = ?2 AND user_name = ?3 AND db = ?4
            """,
            each: Set(keys.map(\.database)).sorted().map {
                [
                    .text(databaseID.container.rawValue), .text(databaseID.environment.rawValue),
                    .text(databaseID.owner), .integer($0),
                ]
            }
        ) { _, row in
            names[.init(database: row.integer(0), zone: row.integer(1))] = ZoneID(name: row.text(3), owner: row.text(2))
        }
        return names
    }
}

extension ZoneAccess {
    var key: SharedDatabaseToken.Key { .init(database: database.row, zone: zone.row) }

    /// What a database token says of the zone when it was told.
    var told: SharedDatabaseToken.Told {
        var writer = ByteWriter()
        writer.fixed(UInt64(bitPattern: database.incarnation))
        writer.fixed(UInt64(bitPattern: zone.incarnation))
        writer.byte(trees == nil ? 1 : 2)
        for share in shares { writer.fixed(UInt64(bitPattern: share)) }
        let view = Crypto.sha256(writer.bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        return .init(number: lastChange, view: view)
    }
}
