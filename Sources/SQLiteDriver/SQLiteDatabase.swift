import CSQLite
package import SQLCore

/// An SQLite database: a file, or a private one in memory.
package struct SQLiteDatabase: SQLDatabase {
    private let path: String?
    private let busyTimeout: Int32

    /// - Parameters:
    ///   - path: The file, made when missing; `nil` is a private database in memory that lives as long as its
    ///     connection.
    ///   - busyTimeout: How long a statement waits for another connection's lock, in milliseconds.
    package init(path: String?, busyTimeout: Int32 = 5000) {
        self.path = path
        self.busyTimeout = busyTimeout
    }

    package var hasConcurrentReaders: Bool { path != nil }

    package func connect() throws(SQLError) -> any SQLConnection {
        let connection = try SQLiteConnection(path: path ?? ":memory:")
        do throws(SQLError) {
            sqlite3_busy_timeout(connection.handle, busyTimeout)
            if path != nil { try connection.script("PRAGMA journal_mode = WAL") }
            try connection.script(
                """
                PRAGMA synchronous = FULL;
                PRAGMA temp_store = MEMORY;
                PRAGMA wal_autocheckpoint = 8000;
                PRAGMA cache_size = -65536;
                """)
        } catch {
            connection.close()
            throw error
        }
        return connection
    }
}

extension SQLDialect {
    /// SQLite 3.35 or later.
    package static let sqlite = SQLDialect(
        identity: "INTEGER PRIMARY KEY", bytes: "BLOB", text: "TEXT", beginWrite: "BEGIN IMMEDIATE",
        beginRead: "BEGIN", lock: "", number: "INTEGER", rowKey: "PRIMARY KEY (id)", clustered: "WITHOUT ROWID",
        reusesNumbers: true)
}
