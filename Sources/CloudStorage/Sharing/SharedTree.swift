import CloudCore
import SQLCore

/// What the shared trees of a zone have in them, kept in step with one `records/modify`: the one place that writes
/// `shared_record`.
///
/// A record is in the tree of its parent, but a root is in its own, whatever its parent is. So each is in one tree at most.
/// A change that moves nothing costs the same whatever the tree has in it; one that moves a record reads what is below it.
final class SharedTree {
    /// A row as the request leaves it.
    struct Change {
        let row: Int64
        let name: String
        /// `nil` for a row that is new or was a tombstone.
        let old: Record?
        /// `nil` for a tombstone.
        let new: Record?
        /// The number of the change.
        let sequence: Int64

        /// Whether the row, and what is below it, may be in another tree than before.
        var isMove: Bool { old == nil || new == nil || old?.parent != new?.parent }
    }

    let transaction: CloudTransaction
    let database: DatabaseRef
    let table: RecordTable
    let rows: WorkingSet
    private var started: [(share: Int64, root: Int64)] = []
    private var ended: [Int64: Int64] = [:]
    private var memberships = TreeMemberships()
    /// The root of each share that was asked for.
    private var roots: [Int64: Int64] = [:]
    /// The shares whose tree the request changed, with the types of the records that changed there.
    private(set) var touched: [Int64: Set<String>] = [:]

    init(_ transaction: CloudTransaction, database: DatabaseRef, table: RecordTable, rows: WorkingSet) {
        self.transaction = transaction
        self.database = database
        self.table = table
        self.rows = rows
    }

    private var zone: ZoneRef { table.zone }

    private var connection: any SQLConnection { transaction.connection }

    // MARK: What sharing asks for

    /// Begins a tree: its root with all below it, and the share record. Both are saved by the same request or before.
    func enter(root: Int64, share: Int64) { started.append((share, root)) }

    /// Ends a tree whose share is stopped. What it had stays known, so that those who took part can be told.
    func left(root: Int64, share: Int64) { ended[share] = root }

    /// The share whose tree the row was in before the request; `nil` if in none.
    func share(holding row: Int64) throws -> Int64? {
        try load([row])
        return memberships.share(of: row)
    }

    /// Reads at once what ``share(holding:)`` will be asked for.
    func load(_ rows: some Sequence<Int64>) throws {
        let missing = memberships.missing(rows)
        guard !missing.isEmpty else { return }
        try connection.query(
            "SELECT record, share, gone FROM shared_record WHERE db = ?1 AND record = ?2",
            each: missing.map { [.integer(database.row), .integer($0)] }
        ) { memberships.add(share: $1.integer(1), gone: $1.integer(2), of: $1.integer(0)) }
    }

    /// The roots of shares, by share; of those that the request made it knows none.
    func roots(of shares: Set<Int64>) throws -> [Int64: Int64] {
        let unknown = shares.filter { roots[$0] == nil }
        if !unknown.isEmpty {
            try connection.query(
                "SELECT record, root FROM share WHERE db = ?1 AND record = ?2",
                each: unknown.map { [.integer(database.row), .integer($0)] }
            ) { roots[$1.integer(0)] = $1.integer(1) }
        }
        return shares.reduce(into: [:]) { $0[$1] = roots[$1] }
    }

    /// A record that lies right below another one, as the database has it.
    struct Child {
        let row: Int64
        let name: String
        let type: String
        let parent: Int64
    }

    /// Reads what lies right below records, with the trees it is in.
    func children(of parents: [(row: Int64, name: String)]) throws -> [Child] {
        try table.schema.load()
        var children: [Child] = []
        try connection.query(
            """
            SELECT r.id, r.name, r.type FROM reference x JOIN record r ON r.db = x.db AND r.id = x.source
            WHERE x.db = ?1 AND x.zone = ?2 AND x.target = ?3 AND x.kind = ?4
            """,
            each: parents.map {
                [.integer(database.row), .integer(zone.row), .text($0.name), .integer(ReferenceKind.parent.rawValue)]
            }
        ) { position, child in
            children.append(
                Child(
                    row: child.integer(0), name: child.text(1), type: try table.schema.typeName(child.integer(2)),
                    parent: parents[position].row))
        }
        try load(children.map(\.row))
        return children
    }

    // MARK: After the request

    /// Brings the trees up to date with what the request wrote.
    /// - Parameters:
    ///   - counter: The number of the request's last change.
    ///   - moved: What was read below the moved records before.
    /// - Returns: The number after that of the last change in a tree.
    func write(after counter: Int64, _ moved: MovedTrees) throws -> Int64 {
        guard zone.sharing == .trees || !started.isEmpty || !ended.isEmpty else { return counter }
        let changes = rows.changes
        var parents: [Int64: Int64] = [:]
        for change in changes where change.isMove {
            parents[change.row] = try change.new?.parent.flatMap { try rows.row(named: $0) }
        }
        try load(changes.map(\.row) + parents.values + started.flatMap { [$0.root, $0.share] })
        if started.isEmpty, ended.isEmpty, !memberships.hasAny { return counter }
        var plan = TreePlan(changes: changes, parents: parents)
        if !plan.frontier.isEmpty || !started.isEmpty || !ended.isEmpty {
            try readRoots(into: &plan)
            for child in moved.found { plan.add(child) }
            plan.frontier.removeAll { moved.hasRead($0.row) }
            try descend(&plan)
        }
        var writer = TreeWriter(database: database, zone: zone, counter: counter)
        try settle(&plan, &writer)
        touched = writer.types
        return try writer.write(connection, dropping: ended.keys.sorted())
    }

    /// The roots of all trees in question; those of ended ones are none any more, and what was below moves.
    private func readRoots(into plan: inout TreePlan) throws {
        try addRoots(to: &plan)
        for (share, root) in started { plan.add(share: share, root: root) }
        for root in ended.values + started.map(\.root) {
            guard let record = try rows.record(row: root) else { continue }
            plan.move(root, name: record.id.name, parent: try record.parent.flatMap { try rows.row(named: $0) })
            plan.types[root] = record.type
        }
        try load(plan.parents.keys)
        try load(plan.parents.values)
        try addRoots(to: &plan)
    }

    private func addRoots(to plan: inout TreePlan) throws {
        let unknown = memberships.shares.subtracting(ended.keys).subtracting(plan.shareRecords)
        for (share, root) in try roots(of: unknown) { plan.add(share: share, root: root) }
    }

    /// Reads all that is below what moved, level by level.
    private func descend(_ plan: inout TreePlan) throws {
        while !plan.frontier.isEmpty {
            let level = plan.frontier
            plan.frontier = []
            for child in try children(of: level) {
                plan.types[child.row] = child.type
                plan.move(child.row, name: child.name, parent: child.parent)
            }
            // A root that is met on the way keeps its own tree and with it all that is below.
            try addRoots(to: &plan)
        }
        try addRoots(to: &plan)
    }

    /// Says of every row in question in which tree it is now.
    private func settle(_ plan: inout TreePlan, _ writer: inout TreeWriter) throws {
        for row in plan.order {
            let change = plan.changes[row]
            let before = memberships.share(of: row)
            let after = plan.share(of: row, memberships, ended: Set(ended.keys))
            guard before != after || change != nil && after != nil else { continue }
            let type = change.flatMap { $0.new ?? $0.old }?.type ?? plan.types[row]
            if let before, before != after, ended[before] == nil {
                writer.leave(row, before, change?.sequence, type)
            }
            if let after {
                writer.have(row, after, change?.sequence, type, isKnown: memberships.has(row, share: after))
            }
        }
        for (share, _) in started { try dropRest(of: share, &writer) }
    }

    /// A share that begins anew under its old record tells those who have an old copy what is in the tree no more.
    private func dropRest(of share: Int64, _ writer: inout TreeWriter) throws {
        var rest: [Int64] = []
        try connection.query(
            "SELECT record FROM shared_record WHERE db = ?1 AND share = ?2 AND gone = 2",
            [.integer(database.row), .integer(share)]
        ) { row in
            rest.append(row.integer(0))
            return true
        }
        for row in rest where !writer.has(row, share) { writer.leave(row, share, nil, nil) }
    }
}
