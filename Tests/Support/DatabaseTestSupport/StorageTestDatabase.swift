import Foundation
import PostgresDriver
package import SQLCore
import SQLiteDriver

/// The database that the storage suites run over.
///
/// The environment's `CUMULET_TEST_STORAGE` is `postgres` for a schema of each test's own in the run's PostgreSQL;
/// otherwise it is SQLite in memory.
package enum StorageTestDatabase {
    package static func make() throws -> any SQLDatabase {
        guard ProcessInfo.processInfo.environment["CUMULET_TEST_STORAGE"] == "postgres" else {
            return SQLiteDatabase(path: nil)
        }
        var database = try PostgresTestDatabase().database
        // Many tests run at once, and a server has only so many connections.
        database.writers = 2
        database.readers = 2
        return database
    }
}
