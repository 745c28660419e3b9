import DatabaseTestSupport
import SQLCore
import Testing

@Suite struct `An SQL connection keeps transactions` {
    private func withTable(_ backend: SQLBackend, _ body: (any SQLConnection) throws -> Void) throws {
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (i BIGINT PRIMARY KEY)")
            try body(connection)
        }
    }

    private func values(_ connection: any SQLConnection) throws -> [Int64] {
        var values: [Int64] = []
        try connection.query("SELECT i FROM t ORDER BY i", []) { row in
            values.append(row.integer(0))
            return true
        }
        return values
    }

    private let insert = "INSERT INTO t VALUES (?1)"

    @Test(arguments: SQLBackend.available)
    func `a rollback undoes all, a commit keeps all`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            for end in ["ROLLBACK", "COMMIT"] {
                try connection.execute(connection.dialect.beginWrite)
                try connection.execute(insert, .integer(1))
                try connection.post(insert, .integer(2))
                try connection.execute(end)
                #expect(try values(connection) == (end == "COMMIT" ? [1, 2] : []))
            }
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a rollback without a transaction does nothing, a commit is refused`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.execute("ROLLBACK")
            #expect(throws: SQLError.self) { try connection.execute("COMMIT") }
            try connection.execute(connection.dialect.beginWrite)
            #expect(throws: SQLError.self) { try connection.execute(connection.dialect.beginWrite) }
            try connection.execute(insert, .integer(1))
            try connection.execute("COMMIT")
            #expect(try values(connection) == [1])
        }
    }

    @Test(arguments: SQLBackend.available)
    func `savepoints undo only what came after them`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.post(connection.dialect.beginWrite)
            try connection.post(insert, .integer(1))
            try connection.post("SAVEPOINT outer_one")
            try connection.post(insert, .integer(2))
            try connection.execute("SAVEPOINT inner_one")
            try connection.execute(insert, .integer(3))
            #expect(try values(connection) == [1, 2, 3])
            try connection.execute("ROLLBACK TO inner_one")
            try connection.execute("RELEASE inner_one")
            #expect(try values(connection) == [1, 2])
            try connection.post(insert, .integer(4))
            try connection.post("RELEASE outer_one")
            try connection.post("SAVEPOINT outer_one")
            try connection.post(insert, .integer(5))
            try connection.post("ROLLBACK TO outer_one")
            try connection.post("RELEASE outer_one")
            try connection.execute("COMMIT")
            #expect(try values(connection) == [1, 2, 4])
        }
    }

    /// Where a connection in the process fails at once, one over a network fails at the next call that waits.
    private func failing(_ connection: any SQLConnection, _ rest: () throws -> Void) throws {
        let error = #expect(throws: SQLError.self) {
            try connection.post(insert, .integer(1))
            try rest()
        }
        #expect(error?.kind == .uniqueViolation)
        #expect(error?.statement == insert)
    }

    @Test(arguments: SQLBackend.available)
    func `a posted failure is that of the next call that waits, whatever that is`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.execute(insert, .integer(1))
            let calls: [() throws -> Void] = [
                { try connection.execute(insert, .integer(2)) }, { try connection.execute("COMMIT") },
                { try connection.script("SELECT 1") }, { try connection.query("SELECT 1", []) { _ in true } },
                { try connection.query("SELECT ?1 + 1", each: [[.integer(1)], [.integer(2)]]) { _, _ in } },
                {
                    try connection.post("SAVEPOINT s")
                    try connection.execute("RELEASE s")
                },
            ]
            for call in calls {
                try connection.post(connection.dialect.beginWrite)
                try connection.post(insert, .integer(3))
                try failing(connection, call)
                try connection.execute("ROLLBACK")
                #expect(try values(connection) == [1])
            }
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a failed insert of rows is undone by the savepoint around it`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            let rows = SQLInsert(into: "t", [.init("i", .integer)])
            try connection.execute(connection.dialect.beginWrite)
            try connection.insert(rows, [[.integer(1)], [.integer(2)]])
            for isPosted in [true, false] {
                try connection.post("SAVEPOINT job")
                let error = #expect(throws: SQLError.self) {
                    try connection.insert(rows, [[.integer(3)], [.integer(2)]])
                    _ = try values(connection)
                }
                #expect(error?.kind == .uniqueViolation)
                if isPosted {
                    try connection.post("ROLLBACK TO job")
                } else {
                    try connection.execute("ROLLBACK TO job")
                }
                try connection.post("RELEASE job")
                #expect(try values(connection) == [1, 2])
            }
            try connection.execute("COMMIT")
            #expect(try values(connection) == [1, 2])
        }
    }

    @Test(arguments: SQLBackend.available)
    func `rolling back to a savepoint forgets the posted failure behind it`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.execute(insert, .integer(1))
            try connection.execute(connection.dialect.beginWrite)
            for round in Int64(2)...4 {
                try connection.execute("SAVEPOINT nested0")
                try connection.execute("SAVEPOINT nested1")
                _ = try? connection.post(insert, .integer(1))
                try connection.execute("ROLLBACK TO nested1")
                try connection.execute("RELEASE nested1")
                try connection.post(insert, .integer(round))
                try connection.execute("RELEASE nested0")
            }
            try connection.execute("COMMIT")
            #expect(try values(connection) == [1, 2, 3, 4])
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a failure before a savepoint is not forgotten with it`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.execute(insert, .integer(1))
            try connection.execute(connection.dialect.beginWrite)
            try failing(connection) {
                try connection.post("SAVEPOINT job")
                try connection.post(insert, .integer(2))
                try connection.execute("ROLLBACK TO job")
            }
            try connection.execute("ROLLBACK")
            #expect(try values(connection) == [1])
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a posted failure is not forgotten with a later savepoint of the same name`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.execute(insert, .integer(1))
            try connection.execute(connection.dialect.beginWrite)
            try connection.post("SAVEPOINT job")
            var error: SQLError?
            do {
                try connection.post(insert, .integer(1))
                try connection.post("RELEASE job")
                try connection.post("SAVEPOINT job")
                try connection.execute("ROLLBACK TO job")
                try connection.execute("COMMIT")
            } catch let failure as SQLError {
                error = failure
            }
            #expect(error?.kind == .uniqueViolation)
            try connection.execute("ROLLBACK")
            #expect(try values(connection) == [1])
        }
    }

    @Test(arguments: SQLBackend.available)
    func `outside a transaction a post takes effect or fails by itself`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.post(insert, .integer(1))
            let error = #expect(throws: SQLError.self) { try connection.post(insert, .integer(1)) }
            #expect(error?.kind == .uniqueViolation)
            try connection.post(insert, .integer(2))
            #expect(try values(connection) == [1, 2])
        }
    }

    @Test(arguments: SQLBackend.available)
    func `posted rollbacks end reading transactions, one after the other`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.execute(insert, .integer(1))
            for _ in 0..<3 {
                try connection.post(connection.dialect.beginRead)
                #expect(try values(connection) == [1])
                try connection.post("ROLLBACK")
            }
            try connection.execute(insert, .integer(2))
            #expect(try values(connection) == [1, 2])
        }
    }

    @Test(arguments: SQLBackend.available)
    func `more posts than fit on the way all arrive`(on backend: SQLBackend) throws {
        try withTable(backend) { connection in
            try connection.post(connection.dialect.beginWrite)
            for number in Int64(0)..<5000 { try connection.post(insert, .integer(number)) }
            try connection.execute("COMMIT")
            #expect(try values(connection) == Array(0..<5000))
        }
    }

    @Test(arguments: SQLBackend.available.filter { $0 != .memory })
    func `a reader sees one state throughout its transaction, and the new one after it`(on backend: SQLBackend) throws {
        try backend.withDatabase { database in
            #expect(database.hasConcurrentReaders)
            let (reader, writer) = (try database.connect(), try database.connect())
            defer {
                reader.close()
                writer.close()
            }
            try writer.script("CREATE TABLE t (i BIGINT PRIMARY KEY)")
            try reader.execute(reader.dialect.beginRead)
            #expect(try values(reader) == [])
            try writer.execute(insert, .integer(1))
            #expect(try values(reader) == [])
            try reader.execute("ROLLBACK")
            #expect(try values(reader) == [1])
        }
    }
}
