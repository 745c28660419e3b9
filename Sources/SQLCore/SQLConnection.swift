/// A value bound to a statement or read from a row.
package enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case blob([UInt8])
}

/// An error of the database, by kind; callers branch on the kind, never on the text.
package struct SQLError: Error, Sendable, CustomStringConvertible {
    package enum Kind: Sendable {
        case uniqueViolation, busy, full, ioError, corrupt, interrupted, misuse, other
        /// A deadlock or another conflict of transactions that run at once: the same transaction may succeed next time.
        case serialization
        /// The connection is of no more use; what was not committed is undone, and of a commit under way nobody knows.
        case connectionLost
        /// The database did not answer, or a lock did not come, in the time allowed.
        case timeout
        /// A text that this database cannot hold: one with U+0000.
        case unstorableText
    }

    package var kind: Kind
    package var message: String
    package var statement: String?

    package init(_ kind: Kind, _ message: String, statement: String? = nil) {
        self.kind = kind
        self.message = message
        self.statement = statement
    }

    package var description: String { message }
}

/// A row under the cursor; valid only inside the closure it is handed to. Columns count from 0.
package protocol SQLRow {
    func integer(_ column: Int) -> Int64
    func double(_ column: Int) -> Double
    func text(_ column: Int) -> String
    func blob(_ column: Int) -> [UInt8]
    func isNull(_ column: Int) -> Bool
}

/// A connection to one SQL database. Not shared between threads: whoever owns it calls it from one thread at a time.
///
/// `Tests/ContractTests` holds every implementation to this. A statement that fails inside a transaction may make every later
/// one fail, a COMMIT too, until the caller rolls back, entirely or to a savepoint. A ROLLBACK without a transaction does
/// nothing. Outside a transaction a call that fails may have left some of its rows, or none.
package protocol SQLConnection: AnyObject {
    /// How this database writes what databases write differently.
    var dialect: SQLDialect { get }
    /// Runs a statement (prepared once per text and kept), ignoring rows. Placeholders are `?1`, `?2` …
    /// - Returns: The number of rows it changed.
    @discardableResult
    func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int
    /// Runs a statement and hands each row to `body` until it returns false.
    ///
    /// `body` may run other statements; whether rows still to come show what they changed is not said. Rows may all have
    /// been read before the first is handed over, so a query without LIMIT takes memory for all of them.
    func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws
    /// Runs a statement whose rows and count nobody needs. It takes its turn before every later call, but inside a
    /// transaction a connection over a network may send it together with the next one; its failure is then that call's
    /// failure, with the statement's own text. A rollback to before the statement forgets its failure. Whoever catches a
    /// failure by a savepoint calls something that waits before releasing it.
    func post(_ sql: String, _ binds: [SQLValue]) throws(SQLError)
    /// Adds rows, each with a value for every column in order. Sent as ``post(_:_:)`` sends.
    func insert(_ insert: SQLInsert, _ rows: [[SQLValue]]) throws(SQLError)
    /// Runs a statement once for each list of binds, in their order and at the cost of about one journey, and hands
    /// `body` each row with the position of its binds. `body` may run other statements; rows that come before a failure
    /// may not be handed over.
    func query(_ sql: String, each binds: [[SQLValue]], _ body: (Int, any SQLRow) throws -> Void) throws
    /// Changes or removes rows, each given as the values of the statement's columns in order. Sent as ``post(_:_:)`` sends.
    /// No row is given twice in one call.
    func change(_ change: SQLChange, _ rows: [[SQLValue]]) throws(SQLError)
    /// Makes all searches in their order, at the cost of about one journey, and hands `body` each row with the positions of
    /// its search and of the values it was found by. Rows of one search come in any order. `body` may run other statements.
    func find(_ searches: [SQLSearch], _ body: (_ search: Int, _ key: Int, any SQLRow) throws -> Void) throws
    /// Sets out with what was posted, so that the database works on it while the caller does something else.
    func send() throws(SQLError)
    /// Runs several statements, separated by semicolons, without binds: schema and settings. However long they take, no
    /// limit of time ends them.
    func script(_ sql: String) throws(SQLError)
    func close()
}

extension SQLConnection {
    @discardableResult
    package func execute(_ sql: String, _ binds: SQLValue...) throws(SQLError) -> Int { try execute(sql, binds) }

    package func post(_ sql: String, _ binds: SQLValue...) throws(SQLError) { try post(sql, binds) }

    /// The first row's value, or `nil` if there is none.
    package func first<T>(_ sql: String, _ binds: SQLValue..., read: (any SQLRow) throws -> T) throws -> T? {
        var result: T?
        try query(sql, binds) { row in
            result = try read(row)
            return false
        }
        return result
    }
}

/// What a connection in the same process does: there is no journey to save.
extension SQLConnection {
    package func post(_ sql: String, _ binds: [SQLValue]) throws(SQLError) { try execute(sql, binds) }

    package func insert(_ insert: SQLInsert, _ rows: [[SQLValue]]) throws(SQLError) {
        for row in rows { try execute(insert.statement, row) }
    }

    package func query(_ sql: String, each binds: [[SQLValue]], _ body: (Int, any SQLRow) throws -> Void) throws {
        for (position, binds) in binds.enumerated() {
            try query(sql, binds) { row in
                try body(position, row)
                return true
            }
        }
    }

    package func change(_ change: SQLChange, _ rows: [[SQLValue]]) throws(SQLError) {
        for row in rows { try execute(change.statement, row) }
    }

    package func find(_ searches: [SQLSearch], _ body: (Int, Int, any SQLRow) throws -> Void) throws {
        for (search, sought) in searches.enumerated() {
            try query(sought.lookup.statement(dialect), each: sought.keys) { try body(search, $0, $1) }
        }
    }

    package func send() throws(SQLError) {}
}
