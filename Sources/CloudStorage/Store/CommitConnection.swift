import SQLCore

/// The connection of one transaction, which sends nothing before it must.
///
/// Rows that are inserted and changed are held back until something is asked that could see them, or until the commit: what
/// many jobs write to one table then goes with one statement. A savepoint is held back until something is sent that it
/// would undo, so most never reach the database.
///
/// Whoever inserts and changes rows here sees to it that no row is inserted and changed in turns without a statement of
/// another kind between: changes are sent first. Of several changes of one row the last counts.
final class CommitConnection: SQLConnection {
    private struct Level {
        let name: String
        /// Whether the database has the savepoint.
        var isSent = false
        var held = HeldRows()
    }

    let dialect: SQLDialect
    private let base: any SQLConnection
    /// The transaction itself, then its savepoints.
    private var levels = [Level(name: "", isSent: true)]
    /// Why rows that were held back are not stored, so that the transaction must not be.
    private var failure: SQLError?

    /// Rows from which on it pays to have the database work while the next are made ready.
    static let rowsAhead = 128

    init(_ base: any SQLConnection) {
        self.base = base
        dialect = base.dialect
    }

    // MARK: The transaction

    func begin() throws(SQLError) { try base.post(dialect.beginWrite, []) }

    /// Sends all that is held, so that ``commit()`` does nothing but commit.
    func finish() throws(SQLError) { try catchUp() }

    func commit() throws(SQLError) { try base.execute("COMMIT", []) }

    /// Ends the transaction and all that it did.
    func abandon() throws(SQLError) {
        levels = [Level(name: "", isSent: true)]
        failure = nil
        try base.execute("ROLLBACK", [])
    }

    func savepoint() { levels.append(Level(name: "level\(levels.count)")) }

    /// Ends the innermost savepoint and keeps what was done since.
    func release() throws(SQLError) {
        let level = levels.removeLast()
        levels[levels.count - 1].held.append(level.held)
        if level.isSent { try base.post("RELEASE \(level.name)", []) }
    }

    /// Ends the innermost savepoint and undoes what was done since. Rows that were locked since may stay so.
    func rollBack() throws(SQLError) {
        let level = levels.removeLast()
        if let failure { throw failure }
        guard level.isSent else { return }
        try base.execute("ROLLBACK TO \(level.name)", [])
        try base.post("RELEASE \(level.name)", [])
    }

    /// Sends rows that are held, and the savepoints before them; then, for something that may change rows, the others.
    private func catchUp(forReading: Bool = false) throws(SQLError) {
        if let failure { throw failure }
        let last = forReading ? levels.lastIndex { !$0.held.isEmpty } ?? 0 : levels.count - 1
        do throws(SQLError) {
            for index in 0...last {
                if !levels[index].isSent {
                    try base.post("SAVEPOINT \(levels[index].name)", [])
                    levels[index].isSent = true
                }
                guard !levels[index].held.isEmpty else { continue }
                let held = levels[index].held
                levels[index].held = HeldRows()
                try held.send(on: base)
            }
        } catch {
            failure = error
            throw error
        }
    }

    // MARK: As every connection

    func insert(_ insert: SQLInsert, _ rows: [[SQLValue]]) throws(SQLError) {
        levels[levels.count - 1].held.add(insert, rows)
    }

    func change(_ change: SQLChange, _ rows: [[SQLValue]]) throws(SQLError) {
        levels[levels.count - 1].held.add(change, rows)
    }

    func send() throws(SQLError) {
        guard levels.reduce(0, { $0 + $1.held.count }) >= Self.rowsAhead else { return }
        try catchUp(forReading: true)
        try base.send()
    }

    func find(_ searches: [SQLSearch], _ body: (Int, Int, any SQLRow) throws -> Void) throws {
        guard searches.contains(where: { !$0.keys.isEmpty }) else { return }
        try catchUp(forReading: true)
        try base.find(searches, body)
    }

    @discardableResult
    func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int {
        try catchUp()
        return try base.execute(sql, binds)
    }

    func post(_ sql: String, _ binds: [SQLValue]) throws(SQLError) {
        try catchUp()
        try base.post(sql, binds)
    }

    func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
        try catchUp(forReading: sql.hasPrefix("SELECT"))
        try base.query(sql, binds, body)
    }

    func query(_ sql: String, each binds: [[SQLValue]], _ body: (Int, any SQLRow) throws -> Void) throws {
        guard !binds.isEmpty else { return }
        try catchUp(forReading: sql.hasPrefix("SELECT"))
        try base.query(sql, each: binds, body)
    }

    func script(_ sql: String) throws(SQLError) {
        try catchUp()
        try base.script(sql)
    }

    func close() { base.close() }
}

/// Rows on their way to the database.
private struct HeldRows {
    private struct Inserts {
        let insert: SQLInsert
        var rows: [[SQLValue]]
    }

    private struct Changes {
        let change: SQLChange
        var rows: [[SQLValue]] = []
        /// Places in `rows`, by the values of the key.
        var places: [ArraySlice<SQLValue>: Int] = [:]

        mutating func add(_ row: [SQLValue]) {
            let key = row[change.changed.count...]
            if let place = places[key] {
                rows[place] = row
            } else {
                places[key] = rows.count
                rows.append(row)
            }
        }
    }

    private var inserts: [Inserts] = []
    private var changes: [Changes] = []

    var isEmpty: Bool { inserts.isEmpty && changes.isEmpty }

    var count: Int { inserts.reduce(0) { $0 + $1.rows.count } + changes.reduce(0) { $0 + $1.rows.count } }

    mutating func add(_ insert: SQLInsert, _ rows: [[SQLValue]]) {
        guard !rows.isEmpty else { return }
        if let place = inserts.firstIndex(where: { $0.insert == insert }) {
            inserts[place].rows += rows
        } else {
            inserts.append(Inserts(insert: insert, rows: rows))
        }
    }

    mutating func add(_ change: SQLChange, _ rows: [[SQLValue]]) {
        guard !rows.isEmpty else { return }
        let place = changes.firstIndex { $0.change == change } ?? changes.count
        if place == changes.count { changes.append(Changes(change: change)) }
        for row in rows { changes[place].add(row) }
    }

    mutating func append(_ later: HeldRows) {
        if isEmpty { return self = later }
        for part in later.inserts { add(part.insert, part.rows) }
        for part in later.changes { add(part.change, part.rows) }
    }

    func send(on connection: any SQLConnection) throws(SQLError) {
        for part in changes { try connection.change(part.change, part.rows) }
        for part in inserts { try connection.insert(part.insert, part.rows) }
    }
}
