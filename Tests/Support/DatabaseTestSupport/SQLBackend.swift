import Foundation
import PostgresDriver
package import SQLCore
import SQLiteDriver

/// A kind of database that the suites run over.
package enum SQLBackend: String, CaseIterable, Sendable, CustomStringConvertible {
    case memory = "SQLite in memory"
    case disk = "SQLite on disk"
    case postgres = "PostgreSQL"

    /// Those of this run: PostgreSQL is among them when `CUMULET_TEST_POSTGRES` is set.
    package static let available = allCases.filter { $0 != .postgres || PostgresTestDatabase.address != nil }

    package var description: String { rawValue }

    /// Runs `body` over a new, empty database, which is removed afterwards. Close its connections before the end.
    package func withDatabase<T>(_ body: (any SQLDatabase) throws -> T) throws -> T {
        switch self {
        case .memory: return try body(SQLiteDatabase(path: nil))
        case .disk:
            let folder = FileManager.default.temporaryDirectory.appending(path: "cumulet-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try ending(try body(SQLiteDatabase(path: folder.appending(path: "t.sqlite").path))) {
                try FileManager.default.removeItem(at: folder)
            }
        case .postgres:
            let test = try PostgresTestDatabase()
            return try ending(try body(test.database)) { try test.remove() }
        }
    }

    /// Runs `body` over one connection to a new, empty database.
    package func withConnection<T>(_ body: (any SQLConnection) throws -> T) throws -> T {
        try withDatabase { database in
            let connection = try database.connect()
            defer { connection.close() }
            return try body(connection)
        }
    }

    private func ending<T>(_ body: @autoclosure () throws -> T, _ end: () throws -> Void) throws -> T {
        let result: T
        do {
            result = try body()
        } catch {
            // The body's own error tells more than what its remains do to the end.
            _ = try? end()
            throw error
        }
        try end()
        return result
    }
}
