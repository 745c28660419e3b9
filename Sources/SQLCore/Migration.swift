/// One step from a database format to the next.
package struct Migration: Sendable {
    /// The format the database has after the step; the first is 1.
    package let format: Int64
    package let sql: String

    package init(format: Int64, sql: String) {
        self.format = format
        self.sql = sql
    }
}

/// Brings a database to the format this program knows.
package enum Migrator {
    /// Runs the steps that are missing, each in its own transaction with its number.
    /// - Parameter migrations: All steps, in rising order of their formats.
    /// - Throws: `SQLError` of kind `misuse` when the database is of a newer format; nothing is touched then.
    package static func run(_ migrations: [Migration], on connection: any SQLConnection) throws {
        try connection.script("CREATE TABLE IF NOT EXISTS format (number BIGINT NOT NULL)")
        let current = try format(of: connection)
        let newest = migrations.last?.format ?? 0
        guard current <= newest else {
            throw SQLError(
                .misuse,
                "the database has format \(current), this program knows formats up to \(newest): use a newer program")
        }
        for migration in migrations where migration.format > current {
            try connection.execute("BEGIN")
            do {
                try connection.script(migration.sql)
                try connection.execute("DELETE FROM format")
                try connection.execute("INSERT INTO format (number) VALUES (?1)", .integer(migration.format))
                try connection.execute("COMMIT")
            } catch {
                _ = try? connection.execute("ROLLBACK")
                throw error
            }
        }
    }

    /// The format of a database; 0 when no step ever ran.
    package static func format(of connection: any SQLConnection) throws -> Int64 {
        try connection.first("SELECT number FROM format") { $0.integer(0) } ?? 0
    }
}
