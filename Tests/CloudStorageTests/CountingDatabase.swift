import SQLCore
import SQLiteDriver
import Synchronization

/// A database that counts the rows its connections hand out.
final class CountingDatabase: SQLDatabase {
    let rows = Atomic(0)
    var count: Int { rows.load(ordering: .relaxed) }
    private let inner = SQLiteDatabase(path: nil)

    var hasConcurrentReaders: Bool { inner.hasConcurrentReaders }
    func connect() throws(SQLError) -> any SQLConnection { Connection(try inner.connect(), self) }

    private final class Connection: SQLConnection {
        let inner: any SQLConnection
        let database: CountingDatabase
        var dialect: SQLDialect { inner.dialect }

        init(_ inner: any SQLConnection, _ database: CountingDatabase) {
            self.inner = inner
            self.database = database
        }

        func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int { try inner.execute(sql, binds) }

        func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
            try inner.query(sql, binds) { row in
                database.rows.add(1, ordering: .relaxed)
                return try body(row)
            }
        }
        func script(_ sql: String) throws(SQLError) { try inner.script(sql) }
        func close() { inner.close() }
    }
}
