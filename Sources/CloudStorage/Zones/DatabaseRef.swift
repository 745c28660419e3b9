package import CloudCore
import SQLCore

/// A database's row. `row` is 0 when nothing has been written to it yet.
package struct DatabaseRef: Hashable, Sendable {
    package let id: DatabaseID
    let row: Int64
    let incarnation: Int64
    /// The number of the last change.
    var counter: Int64
    /// Bytes of its records, as they are stored, and of the files that they hold, each as often as a record holds it.
    var bytes: Int64 = 0

    var exists: Bool { row != 0 }

    /// Databases have smaller numbers: with one of them begins the number of a record, which has 40 bits for the change.
    static let numberLimit: Int64 = 1 << 23

    static let columns = "id, incarnation, counter, bytes"

    static let counterUpdate = SQLChange(
        update: "cloud_database", set: [.init("counter", .integer), .init("bytes", .integer)],
        where: [.init("id", .integer)])
}

extension DatabaseRef {
    /// - Parameter row: Its first columns are ``columns``.
    init(_ id: DatabaseID, _ row: any SQLRow) throws {
        guard row.integer(0) < Self.numberLimit else {
            throw CloudError(.internalError, "the store has no number left for one more database")
        }
        self.init(
            id: id, row: row.integer(0), incarnation: row.integer(1), counter: row.integer(2), bytes: row.integer(3))
    }
}

/// How the records of a zone are shared: never in both ways at once. Raw values are stored.
enum ZoneSharing: Int64, Hashable {
    case none = 0
    /// Trees, each by a share of its own.
    case trees = 1
    case whole = 2
}

/// What a zone's row says of its end. Raw values are stored.
enum ZoneEnd: Int64 {
    /// It is there.
    case none = 0
    /// By an app.
    case deleted = 1
    /// With all that its owner had stored in the container.
    case purged = 2
}

/// A zone's row. `row` is 0 for the default zone of a database without a row.
struct ZoneRef: Hashable {
    let id: ZoneID
    let row: Int64
    let incarnation: Int64
    var lastChange: Int64
    var sharing = ZoneSharing.none
    /// How much of it can be searched at once.
    var reach = IndexReach.complete

    static let columns = "id, incarnation, last_change, sharing, \(IndexReach.columns())"
    static let columnCount = 6

    static let lastChangeUpdate = SQLChange(
        update: "zone", set: [.init("last_change", .integer)], where: [.init("db", .integer), .init("id", .integer)])

    /// The number of a new row: unique among all databases, since `number` is the change that makes it.
    static func rowNumber(database: Int64, number: Int64) -> Int64 { database << 40 | number }
}

extension ZoneRef {
    /// - Parameter row: Its first columns are ``columns``.
    init(_ id: ZoneID, _ row: any SQLRow) {
        self.init(
            id: id, row: row.integer(0), incarnation: row.integer(1), lastChange: row.integer(2),
            sharing: ZoneSharing(rawValue: row.integer(3)) ?? .none,
            reach: IndexReach(values: row.integer(4), words: row.integer(5)))
    }
}

extension CloudTransaction {
    /// The database's row: made on first use in a writing transaction, else an empty stand-in.
    package func database(_ id: DatabaseID) throws -> DatabaseRef {
        if let known = memory.databases[id] { return known }
        let found = try readDatabase(id)
        if canRemember, found.exists { memory.keep(found) }
        return found
    }

    private func readDatabase(_ id: DatabaseID) throws -> DatabaseRef {
        if let found = try knownDatabase(id) { return found }
        guard isWritable, id.scope != .shared else { return DatabaseRef(id: id, row: 0, incarnation: 0, counter: 0) }
        let isMade = try makeDatabaseRow(id)
        guard let made = try knownDatabase(id) else { throw CloudError(.internalError, "database \(id) is lost") }
        if isMade {
            try insertZone(ZoneID.defaultName, change: 0, in: made.row, incarnation: .random(in: 1...Int64.max))
        }
        return made
    }

    /// Adds a zone's row, with indexes that know nothing yet.
    func insertZone(_ name: String, change number: Int64, in database: Int64, incarnation: Int64) throws {
        try connection.post(
            """
            INSERT INTO zone (db, id, name, incarnation, last_change, deleted, values_indexed, words_indexed)
            VALUES (?1, ?2, ?3, ?4, ?5, 0, 0, 0)
            """, .integer(database), .integer(ZoneRef.rowNumber(database: database, number: number)), .text(name),
            .integer(incarnation), .integer(number))
    }

    /// The database's row. A transaction that writes holds it until its end, and with it the counter: the order of
    /// commits is the order of numbers.
    ///
    /// A statement that waits for a lock sees the locked row as it is afterwards, but all else as it was before. So the
    /// schema's version is read along only by a statement that cannot wait.
    func knownDatabase(_ id: DatabaseID) throws -> DatabaseRef? {
        let lock = isWritable ? connection.dialect.lock : ""
        let version = lock.isEmpty ? ", \(Self.schemaVersion)" : ""
        return try connection.first(
            """
            SELECT \(DatabaseRef.columns)\(version) FROM cloud_database
            WHERE container = ?1 AND environment = ?2 AND scope = ?3 AND owner = ?4 \(lock)
            """,
            .text(id.container.rawValue), .text(id.environment.rawValue), .integer(Int64(id.scope.rawValue)),
            .text(id.owner)
        ) { row in
            if !version.isEmpty { sees(row.isNull(4) ? 0 : row.integer(4), of: SchemaScope(id)) }
            return try DatabaseRef(id, row)
        }
    }

    /// The number is one that no database had, also of those that were erased: participants remember theirs.
    /// - Returns: False when another transaction was faster.
    @discardableResult
    func makeDatabaseRow(_ id: DatabaseID) throws -> Bool {
        let (column, number) =
            connection.dialect.reusesNumbers
            ? (
                "id, ",
                """
                1 + max(coalesce((SELECT max(id) FROM cloud_database), 0), coalesce((SELECT max(db) FROM membership), 0)),
                """
            ) : ("", "")
        return try connection.execute(
            """
            INSERT INTO cloud_database (\(column)container, environment, scope, owner, incarnation, counter)
            VALUES (\(number) ?1, ?2, ?3, ?4, ?5, 0) ON CONFLICT DO NOTHING
            """,
            .text(id.container.rawValue), .text(id.environment.rawValue), .integer(Int64(id.scope.rawValue)),
            .text(id.owner), .integer(Int64.random(in: 1...Int64.max))) == 1
    }

    /// The live zone `id`, or `ZONE_NOT_FOUND`: also for zones of other owners, so that nobody learns what exists. Its owner is
    /// told of a purge, until the zone is made again.
    func zoneRef(_ id: ZoneID, in database: DatabaseRef) throws -> ZoneRef {
        // No zone has a NUL in its name, and not every database takes one in a text.
        if id.owner == database.id.owner, database.id.scope != .shared, !id.name.utf8.contains(0) {
            let key = BatchMemory.ZoneKey(database: database.row, name: ExactName(id.name))
            if let known = memory.zones[key] { return known }
            let known = try connection.first(
                "SELECT \(ZoneRef.columns), deleted FROM zone WHERE db = ?1 AND name = ?2",
                .integer(database.row), .text(id.name)
            ) { (zone: ZoneRef(id, $0), end: ZoneEnd(rawValue: $0.integer(ZoneRef.columnCount))) }
            switch known?.end {
            case .some(.none):
                guard let found = known?.zone else { break }
                if canRemember { memory.keep(found, in: database) }
                return found
            case .purged:
                throw CloudError(
                    .zoneNotFound, "Zone '\(id.name)' was deleted by the user, with all that the app had stored",
                    nativeCode: 28)
            case .deleted, nil: break
            }
            if id.isDefault { return ZoneRef(id: id, row: 0, incarnation: 0, lastChange: 0) }
        }
        throw CloudError(.zoneNotFound, "Zone '\(id.name)' of owner '\(id.owner)' does not exist", nativeCode: 26)
    }

    /// All live zones, the default zone first, then by name.
    func zoneRefs(in database: DatabaseRef) throws -> [ZoneRef] {
        guard database.id.scope != .shared else { return [] }
        var refs: [ZoneRef] = []
        try connection.query(
            "SELECT \(ZoneRef.columns), name FROM zone WHERE db = ?1 AND deleted = 0 ORDER BY name",
            [.integer(database.row)]
        ) { row in
            refs.append(ZoneRef(ZoneID(name: row.text(ZoneRef.columnCount), owner: database.id.owner), row))
            return true
        }
        if refs.isEmpty {
            let id = ZoneID(name: ZoneID.defaultName, owner: database.id.owner)
            refs = [ZoneRef(id: id, row: 0, incarnation: 0, lastChange: 0)]
        }
        return refs.filter(\.id.isDefault) + refs.filter { !$0.id.isDefault }
    }

    /// Writes the number of the zone's last change back, which is also its database's.
    /// - Parameter growth: Bytes by which the records have become more.
    func setLastChange(_ number: Int64, of zone: ZoneRef, in database: DatabaseRef, growth: Int64) throws {
        try setCounter(number, of: database, growth: growth)
        try connection.change(
            ZoneRef.lastChangeUpdate, [[.integer(number), .integer(database.row), .integer(zone.row)]])
        memory.zones[BatchMemory.ZoneKey(database: database.row, name: ExactName(zone.id.name))]?.lastChange = number
    }

    /// The live zone of a row; `nil` when it was deleted.
    func zoneRef(row: Int64, in database: DatabaseRef) throws -> ZoneRef? {
        try connection.first(
            "SELECT \(ZoneRef.columns), name FROM zone WHERE db = ?1 AND id = ?2 AND deleted = 0",
            .integer(database.row), .integer(row)
        ) { ZoneRef(ZoneID(name: $0.text(ZoneRef.columnCount), owner: database.id.owner), $0) }
    }

    /// Notes how the zone's records are shared.
    func setSharing(_ sharing: ZoneSharing, of zone: ZoneRef, in database: DatabaseRef) throws {
        try connection.post(
            "UPDATE zone SET sharing = ?3 WHERE db = ?1 AND id = ?2", .integer(database.row), .integer(zone.row),
            .integer(sharing.rawValue))
        memory.zones[BatchMemory.ZoneKey(database: database.row, name: ExactName(zone.id.name))]?.sharing = sharing
    }

    /// Writes the number of the database's last change back.
    /// - Parameter growth: Bytes by which the records have become more, or less.
    func setCounter(_ counter: Int64, of database: DatabaseRef, growth: Int64 = 0) throws {
        memory.databases[database.id]?.counter = counter
        let bytes = (memory.databases[database.id] ?? database).bytes + growth
        memory.databases[database.id]?.bytes = bytes
        try connection.change(
            DatabaseRef.counterUpdate, [[.integer(counter), .integer(bytes), .integer(database.row)]])
    }

    /// The most bytes that a database may have, and what the kind of it is called.
    func byteLimit(of database: DatabaseRef) -> (bytes: Int, name: String) {
        database.id.scope == .public ? (limits.publicDatabaseBytes, "public") : (limits.privateDatabaseBytes, "private")
    }

    /// - Throws: `quotaExceeded` with the numbers when a database would have more bytes than it may. What makes it
    ///   smaller is never refused.
    /// - Parameter isTold: Whether the caller may know the numbers: they are no participant's business.
    func requireRoom(for growth: Int64, in database: DatabaseRef, isTold: Bool) throws(CloudError) {
        let (limit, what) = byteLimit(of: database)
        guard growth > 0, database.bytes + growth > limit else { return }
        guard isTold else {
            throw CloudError(
                .quotaExceeded, "the database of the zone's owner has no room for that: ask him to delete something",
                nativeCode: 25)
        }
        throw CloudError(
            .quotaExceeded,
            "the \(what) database has \(database.bytes) bytes and would have \(database.bytes + growth); at most \(limit) "
                + "are allowed: delete records, then save again", nativeCode: 25)
    }

    /// Bytes of the records of a database, or of one of its zones, and of the files that they hold: what
    /// ``DatabaseRef/bytes`` counts. Reads all of them.
    func storedBytes(in database: DatabaseRef, zone: ZoneRef? = nil) throws -> Int64 {
        var bytes: Int64 = 0
        for (size, table) in [("LENGTH(payload)", "record"), ("size", "asset_reference")] {
            try connection.query(
                """
                SELECT CAST(COALESCE(SUM(\(size)), 0) AS \(connection.dialect.number)) FROM \(table)
                WHERE db = ?1 \(zone == nil ? "" : "AND zone = ?2")
                """, [.integer(database.row)] + (zone.map { [.integer($0.row)] } ?? [])
            ) { row in
                bytes += row.integer(0)
                return true
            }
        }
        return bytes
    }
}
