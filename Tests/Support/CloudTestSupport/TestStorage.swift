package import CloudStorage
import DatabaseTestSupport
import Foundation
import PostgresDriver
package import SQLCore
import SQLiteDriver

/// A kind of database that a test's service can keep its data in.
///
/// A kind joins every conformance test by being listed in ``available``.
package struct TestStorage: Sendable, CustomStringConvertible {
    package let description: String
    /// Whether it is a server, to which every test speaks over sockets.
    package let isDistant: Bool
    /// Makes an empty database that no other test sees.
    package let make: @Sendable () throws -> TestDatabase

    package init(
        _ description: String, isDistant: Bool = false, make: @escaping @Sendable () throws -> TestDatabase
    ) {
        self.description = description
        self.isDistant = isDistant
        self.make = make
    }

    /// Those of this run: PostgreSQL is among them when `CUMULET_TEST_POSTGRES` is set.
    package static let available: [TestStorage] =
        [.memory, .disk] + (PostgresTestDatabase.address == nil ? [] : [.postgres])

    package static let memory = TestStorage("SQLite in memory") { TestDatabase(SQLiteDatabase(path: nil)) }

    package static let disk = TestStorage("SQLite on disk") {
        let path = FileManager.default.temporaryDirectory.path + "/cumulet-test-\(UUID().uuidString)"
        let folder = try DataFolder(path)
        return TestDatabase(SQLiteDatabase(path: folder.databasePath), folder: folder) {
            try FileManager.default.removeItem(atPath: path)
        }
    }

    package static let postgres = TestStorage("PostgreSQL", isDistant: true) {
        let test = try PostgresTestDatabase()
        var database = test.database
        // Many tests run at once, and a server has only so many connections; one more listens.
        (database.writers, database.readers) = (2, 1)
        return TestDatabase(database) { try test.remove() }
    }
}

/// One test's database.
package struct TestDatabase: Sendable {
    package let database: any SQLDatabase
    package let folder: DataFolder?
    /// Removes what is left of it once its store is closed.
    package let remove: @Sendable () throws -> Void

    package init(
        _ database: any SQLDatabase, folder: DataFolder? = nil, remove: @escaping @Sendable () throws -> Void = {}
    ) {
        self.database = database
        self.folder = folder
        self.remove = remove
    }
}
