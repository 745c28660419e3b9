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
package protocol SQLConnection: AnyObject {
    /// Runs a statement (prepared once per text and kept), ignoring rows. Placeholders are `?1`, `?2` …
    /// - Returns: The number of rows it changed.
    @discardableResult
    func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int
    /// Runs a statement and hands each row to `body` until it returns false.
    func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws
    /// Runs several statements, separated by semicolons, without binds: schema and settings.
    func script(_ sql: String) throws(SQLError)
    func close()
}

extension SQLConnection {
    @discardableResult
    package func execute(_ sql: String, _ binds: SQLValue...) throws(SQLError) -> Int { try execute(sql, binds) }

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
