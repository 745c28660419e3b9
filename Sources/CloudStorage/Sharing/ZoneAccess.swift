package import CloudCore
import SQLCore

/// What a caller may do with a zone, and what of it he sees. Whoever reads or writes a zone asks for it first.
package struct ZoneAccess {
    /// Where the zone really lies: for one of the shared database in its owner's private database.
    package let database: DatabaseRef
    let zone: ZoneRef
    let view: View

    enum View {
        /// Everything in the zone: by its owner (`share` is `nil`), of the public database, or by a share of all of it.
        case whole(SharePermission, share: Int64?)
        /// What is in some trees, by the row of their share.
        case trees([Int64: Tree])
    }

    /// A tree that somebody takes part in.
    struct Tree {
        let share: Int64
        /// The row of the root.
        let root: Int64
        let permission: SharePermission
        /// The number of the last change in the tree.
        let lastChange: Int64
    }

    /// The trees that are seen; `nil` where everything is.
    var trees: [Int64: Tree]? {
        if case .trees(let trees) = view { trees } else { nil }
    }

    /// The shares that the view is made of, in the order of their rows.
    var shares: [Int64] {
        switch view {
        case .whole(_, let share): share.map { [$0] } ?? []
        case .trees(let trees): trees.keys.sorted()
        }
    }

    /// The number of the last change that the view shows.
    var lastChange: Int64 {
        switch view {
        case .whole: zone.lastChange
        case .trees(let trees): trees.values.map(\.lastChange).max() ?? 0
        }
    }

    /// Whether the caller may write anything in the zone.
    var mayWrite: Bool {
        switch view {
        case .whole(let permission, _): permission == .readWrite
        case .trees(let trees): trees.values.contains { $0.permission == .readWrite }
        }
    }

    /// Whether the caller takes part in somebody else's zone.
    var isShared: Bool {
        switch view {
        case .whole(_, let share): share != nil
        case .trees: true
        }
    }
}

extension CloudTransaction {
    /// The one decision about rights to a zone: what the caller whose database `databaseID` is may do with it.
    ///
    /// Nothing is kept between requests, so that an ended participation ends with the next request, at whatever process.
    /// - Throws: `ZONE_NOT_FOUND` if he may see nothing of it, also for zones that exist: nobody learns what there is.
    package func access(to id: ZoneID, in databaseID: DatabaseID) throws -> ZoneAccess {
        guard databaseID.scope == .shared else {
            let database = try database(databaseID)
            return ZoneAccess(
                database: database, zone: try zoneRef(id, in: database), view: .whole(.readWrite, share: nil))
        }
        // A participant who writes holds the owner's database first: what is read afterwards stays true until the commit.
        if isWritable { _ = try existingDatabase(Self.home(of: id, in: databaseID)) }
        guard let access = try sharedAccesses(in: databaseID, to: id).first else { throw Self.zoneNotFound(id) }
        return access
    }

    /// Whether somebody may save a record of that name, as far as can be told before it is saved: not where the name is one
    /// that he does not see, or that he only reads.
    func mayWrite(recordNamed name: String, _ access: ZoneAccess) throws -> Bool {
        guard access.mayWrite, let trees = access.trees, !name.utf8.contains(0) else { return access.mayWrite }
        let share = try connection.first(
            """
            SELECT s.share FROM record r
            LEFT JOIN shared_record s ON s.db = r.db AND s.record = r.id AND s.gone = 0
            WHERE r.db = ?1 AND r.zone = ?2 AND r.name = ?3 AND r.deleted = 0
            """, .integer(access.database.row), .integer(access.zone.row), .text(name)
        ) { $0.isNull(0) ? 0 : $0.integer(0) }
        return share.map { trees[$0]?.permission == .readWrite } ?? true
    }

    static func zoneNotFound(_ id: ZoneID) -> CloudError {
        CloudError(.zoneNotFound, "Zone '\(id.name)' of owner '\(id.owner)' does not exist", nativeCode: 26)
    }

    /// The private database that a zone of a shared database lies in.
    package static func home(of zone: ZoneID, in databaseID: DatabaseID) -> DatabaseID {
        DatabaseID(
            container: databaseID.container, environment: databaseID.environment, scope: .private, owner: zone.owner)
    }

    /// The database that changes when a zone is written by way of `databaseID`: of a shared zone its owner's.
    package static func changedDatabase(by databaseID: DatabaseID, _ zone: ZoneID) -> DatabaseID {
        databaseID.scope == .shared ? home(of: zone, in: databaseID) : databaseID
    }

    /// The database's row if there is one; a writing transaction holds it.
    func existingDatabase(_ id: DatabaseID) throws -> DatabaseRef? {
        if let known = memory.databases[id] { return known }
        // No user has a NUL in his name, and not every database takes one in a text.
        guard !id.owner.utf8.contains(0), let found = try knownDatabase(id) else { return nil }
        if canRemember { memory.databases[id] = found }
        return found
    }

    /// All that a user's shared database shows, by owner and name; or of that only one zone.
    ///
    /// The share's row and the participant's decide, not the directory `membership`: they lie with the records
    /// and are held by whoever changes them.
    func sharedAccesses(in databaseID: DatabaseID, to zone: ZoneID? = nil) throws -> [ZoneAccess] {
        var binds: [SQLValue] = [
            .text(databaseID.container.rawValue), .text(databaseID.environment.rawValue), .text(databaseID.owner),
        ]
        var condition = ""
        if let zone {
            guard !zone.name.utf8.contains(0), !zone.owner.utf8.contains(0) else { return [] }
            condition = "AND m.owner = ?4 AND m.zone_name = ?5"
            binds += [.text(zone.owner), .text(zone.name)]
        }
        var accesses: [ZoneAccess] = []
        try connection.query(
            """
            SELECT m.db, d.incarnation, d.counter, m.zone, z.incarnation, z.last_change, z.sharing, m.owner, m.zone_name,
                s.record, s.root, s.last_change, s.public_permission, p.role, p.permission, d.bytes, \(IndexReach.columns(of: "z."))
            FROM membership m
            JOIN share s ON s.db = m.db AND s.record = m.share
            JOIN participant p ON p.db = m.db AND p.share = m.share AND p.user_name = m.user_name
            JOIN zone z ON z.db = m.db AND z.id = m.zone
            JOIN cloud_database d ON d.id = m.db
            WHERE m.container = ?1 AND m.environment = ?2 AND m.user_name = ?3 \(condition)
            AND m.ended = 0 AND z.deleted = 0 AND p.kind = 1 AND p.status = 2
            ORDER BY m.owner, m.zone_name, m.zone, s.record
            """, binds
        ) { row in
            add(row, databaseID, to: &accesses)
            return true
        }
        return accesses
    }

    private func add(_ row: any SQLRow, _ databaseID: DatabaseID, to accesses: inout [ZoneAccess]) {
        // Who came by the URL has what it gives, whenever that changed.
        let stored = row.integer(13) == Int64(ParticipantRole.publicUser.rawValue) ? row.integer(12) : row.integer(14)
        guard let permission = SharePermission(rawValue: Int(stored)), [.readOnly, .readWrite].contains(permission),
            let sharing = ZoneSharing(rawValue: row.integer(6))
        else { return }
        let id = ZoneID(name: row.text(8), owner: row.text(7))
        let share = row.integer(9)
        let tree = ZoneAccess.Tree(
            share: share, root: row.integer(10), permission: permission, lastChange: row.integer(11))
        if let last = accesses.last, last.database.row == row.integer(0), last.zone.row == row.integer(3) {
            guard case .trees(var trees) = last.view, sharing == .trees else { return }
            trees[share] = tree
            accesses[accesses.count - 1] = ZoneAccess(database: last.database, zone: last.zone, view: .trees(trees))
            return
        }
        let view: ZoneAccess.View
        switch sharing {
        case .none: return
        case .trees: view = .trees([share: tree])
        case .whole: view = .whole(permission, share: share)
        }
        accesses.append(
            ZoneAccess(
                database: DatabaseRef(
                    id: Self.home(of: id, in: databaseID), row: row.integer(0), incarnation: row.integer(1),
                    counter: row.integer(2), bytes: row.integer(15)),
                zone: ZoneRef(
                    id: id, row: row.integer(3), incarnation: row.integer(4), lastChange: row.integer(5),
                    sharing: sharing, reach: IndexReach(values: row.integer(16), words: row.integer(17))), view: view))
    }
}
