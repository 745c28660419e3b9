/// One step from a database format to the next.
package struct Migration: Sendable {
    /// The format the database has after the step; the first is 1.
    package let format: Int64
    /// The step's statements, separated by semicolons, as a database of a dialect takes them.
    package let sql: @Sendable (SQLDialect) -> String
    /// What SQL alone cannot do, in the same transaction, after the statements.
    package let finish: @Sendable (any SQLConnection) throws -> Void

    package init(
        format: Int64, sql: @escaping @Sendable (SQLDialect) -> String,
        finish: @escaping @Sendable (any SQLConnection) throws -> Void = { _ in }
    ) {
        self.format = format
        self.sql = sql
        self.finish = finish
    }
}

/// Brings a database to the format this program knows.
package enum Migrator {
    /// Runs the steps that are missing, each in its own transaction with its number. When several processes do that at
    /// once, each step runs once.
    /// - Parameter migrations: All steps, in rising order of their formats.
    /// - Throws: `SQLError` of kind `misuse` when the database is of a newer format; nothing is touched then.
    package static func run(_ migrations: [Migration], on connection: any SQLConnection) throws {
        try make("CREATE TABLE IF NOT EXISTS format (number \(connection.dialect.number) NOT NULL)", on: connection)
        let newest = migrations.last?.format ?? 0
        var current = try format(of: connection)
        try requireKnown(current, newest)
        guard current < newest else { return }
        try make("CREATE TABLE IF NOT EXISTS migration (turn \(connection.dialect.number) PRIMARY KEY)", on: connection)
        try connection.execute("INSERT INTO migration (turn) VALUES (1) ON CONFLICT DO NOTHING")
        while current < newest {
            current = try step(migrations, newest, on: connection)
        }
    }

    /// Runs the next missing step, after those that another process runs meanwhile: whoever migrates holds a row.
    /// - Returns: The format then.
    private static func step(
        _ migrations: [Migration], _ newest: Int64, on connection: any SQLConnection
    ) throws -> Int64 {
        let dialect = connection.dialect
        try connection.execute(dialect.beginWrite)
        do {
            _ = try connection.first("SELECT turn FROM migration WHERE turn = 1 \(dialect.lock)") { _ in true }
            var current = try format(of: connection)
            try requireKnown(current, newest)
            if let next = migrations.first(where: { $0.format > current }) {
                try connection.script(next.sql(dialect))
                try next.finish(connection)
                try connection.execute("DELETE FROM format")
                try connection.execute("INSERT INTO format (number) VALUES (?1)", .integer(next.format))
                current = next.format
            }
            try connection.execute("COMMIT")
            return current
        } catch {
            _ = try? connection.execute("ROLLBACK")  // what failed is the error to tell
            throw error
        }
    }

    private static func requireKnown(_ current: Int64, _ newest: Int64) throws {
        guard current <= newest else {
            throw SQLError(
                .misuse,
                "the database has format \(current), this program knows formats up to \(newest): use a newer program")
        }
    }

    /// Makes a table. Two processes may do so at once; some databases let one of them fail then.
    private static func make(_ sql: String, on connection: any SQLConnection) throws {
        do {
            try connection.script(sql)
        } catch {
            try connection.script(sql)  // what fails for another reason fails again
        }
    }

    /// The format of a database; 0 when no step ever ran.
    package static func format(of connection: any SQLConnection) throws -> Int64 {
        try connection.first("SELECT number FROM format") { $0.integer(0) } ?? 0
    }
}
