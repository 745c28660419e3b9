import DatabaseTestSupport
import Foundation
import PostgresDriver
import SQLCore
import Synchronization
import Testing

/// What only PostgreSQL has; run when the run has one.
@Suite(.enabled(if: PostgresTestDatabase.address != nil)) struct `A connection to PostgreSQL` {
    private func withDatabase(
        _ limits: PostgresDatabase.Limits = PostgresDatabase.Limits(), _ body: (PostgresDatabase) throws -> Void
    ) throws {
        let test = try PostgresTestDatabase(limits: limits)
        do {
            try body(test.database)
        } catch {
            _ = try? test.remove()
            throw error
        }
        try test.remove()
    }

    private func withConnection(
        _ limits: PostgresDatabase.Limits = PostgresDatabase.Limits(), _ body: (PostgresConnection) throws -> Void
    ) throws {
        try withDatabase(limits) { database in
            let connection = try database.open()
            defer { connection.close() }
            try body(connection)
        }
    }

    @Test func `a negative zero keeps its sign`() throws {
        try withConnection { connection in
            let sign = try connection.first("SELECT ?1", .double(-0.0)) { $0.double(0).sign }
            #expect(sign == .minus)
            let isNaN = try connection.first("SELECT ?1", .double(.nan)) { $0.double(0).isNaN }
            #expect(isNaN == true)
        }
    }

    @Test func `a text with U+0000 is refused by its kind before anything is sent`() throws {
        try withConnection { connection in
            try connection.script("CREATE TABLE t (v TEXT)")
            try connection.execute("BEGIN")
            try connection.post("INSERT INTO t VALUES (?1)", .text("fine"))
            let calls: [() throws -> Void] = [
                { try connection.execute("INSERT INTO t VALUES (?1)", .text("a\u{0}b")) },
                { try connection.post("INSERT INTO t VALUES (?1)", .text("\u{0}")) },
                {
                    try connection.insert(
                        SQLInsert(into: "t", [.init("v", .text)]), [[.text("ok")], [.text("a\u{0}")]])
                },
                { try connection.query("SELECT ?1", each: [[.text("a")], [.text("\u{0}")]]) { _, _ in } },
            ]
            for call in calls {
                let error = #expect(throws: SQLError.self) { try call() }
                #expect(error?.kind == .unstorableText)
                #expect(error?.message.contains("U+0000") == true)
            }
            let count = try connection.first("SELECT count(*) FROM t") { $0.integer(0) }
            #expect(count == 1)
            try connection.execute("COMMIT")
        }
    }

    @Test func `rows of an insert that do not fit its columns are refused`() throws {
        try withConnection { connection in
            try connection.script("CREATE TABLE t (i BIGINT, v TEXT)")
            let insert = SQLInsert(into: "t", [.init("i", .integer), .init("v", .text)])
            for rows: [[SQLValue]] in [[[.integer(1)]], [[.integer(1), .text("a")], [.text("b"), .text("c")]]] {
                let error = #expect(throws: SQLError.self) { try connection.insert(insert, rows) }
                #expect(error?.kind == .misuse)
            }
        }
    }

    @Test func `a column of a type that is not read asks for a cast`() throws {
        try withConnection { connection in
            let error = #expect(throws: SQLError.self) {
                try connection.query("SELECT 1, sum(x) AS total FROM generate_series(1::bigint, 3) x", []) { _ in true }
            }
            #expect(error?.kind == .misuse)
            #expect(error?.message.contains("total") == true)
        }
    }

    @Test func `one text takes values of several types`() throws {
        try withConnection { connection in
            let sql = "SELECT coalesce(?1, ?2)"
            let integer = try connection.first(sql, .null, .integer(4)) { $0.integer(0) }
            let text = try connection.first(sql, .text("a"), .null) { $0.text(0) }
            let double = try connection.first(sql, .double(0.5), .double(1)) { $0.double(0) }
            #expect(integer == 4)
            #expect(text == "a")
            #expect(double == 0.5)
        }
    }

    @Test func `a failed transaction runs nothing until it is rolled back, not even its commit`() throws {
        try withConnection { connection in
            try connection.script("CREATE TABLE t (i BIGINT PRIMARY KEY)")
            try connection.execute("BEGIN")
            try connection.execute("INSERT INTO t VALUES (1)")
            #expect(throws: SQLError.self) { try connection.execute("INSERT INTO t VALUES (1)") }
            let calls: [() throws -> Void] = [
                { try connection.execute("INSERT INTO t VALUES (2)") }, { try connection.execute("COMMIT") },
                { try connection.post("INSERT INTO t VALUES (2)") }, { try connection.script("SELECT 1") },
                { try connection.query("SELECT 1", []) { _ in true } }, { try connection.execute("SAVEPOINT s") },
            ]
            for call in calls {
                let error = #expect(throws: SQLError.self) { try call() }
                #expect(error?.kind == .uniqueViolation)
                #expect(error?.statement == "INSERT INTO t VALUES (1)")
            }
            try connection.execute("ROLLBACK")
            let count = try connection.first("SELECT count(*) FROM t") { $0.integer(0) }
            #expect(count == 0)
        }
    }

    @Test func `of two transactions that wait for each other one is told to run again`() throws {
        try withDatabase { database in
            let (first, second) = (try database.open(), try database.open())
            defer {
                first.close()
                second.close()
            }
            try first.script("CREATE TABLE t (i BIGINT PRIMARY KEY, n BIGINT); INSERT INTO t VALUES (1, 0), (2, 0)")
            let update = "UPDATE t SET n = n + 1 WHERE i = ?1"
            for connection in [first, second] {
                try connection.execute("BEGIN")
                try connection.execute("SET LOCAL deadlock_timeout = '10ms'")
            }
            try first.execute(update, .integer(1))
            try second.execute(update, .integer(2))
            let kinds = Mutex<[SQLError.Kind]>([])
            let crossed = [(Unshared(first), Int64(2)), (Unshared(second), Int64(1))]
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                let (connection, row) = crossed[index]
                do throws(SQLError) {
                    try connection.value.execute(update, .integer(row))
                    try connection.value.execute("COMMIT")
                } catch {
                    kinds.withLock { $0.append(error.kind) }
                    _ = try? connection.value.execute("ROLLBACK")
                }
            }
            #expect(kinds.withLock { $0 } == [.serialization])
            let counts = try first.first("SELECT min(n), max(n) FROM t") { [$0.integer(0), $0.integer(1)] }
            #expect(counts == [1, 1])
        }
    }

    @Test func `a statement beyond its time and a lock beyond its wait have their kinds`() throws {
        var limits = PostgresDatabase.Limits()
        limits.statement = .milliseconds(200)
        limits.lock = .milliseconds(50)
        try withDatabase(limits) { database in
            let (first, second) = (try database.open(), try database.open())
            defer {
                first.close()
                second.close()
            }
            let late = #expect(throws: SQLError.self) { try first.execute("SELECT pg_sleep(60)") }
            #expect(late?.kind == .timeout)
            try first.script("CREATE TABLE t (i BIGINT PRIMARY KEY); INSERT INTO t VALUES (1); SELECT pg_sleep(0.3)")
            try first.execute("BEGIN")
            try first.execute("SELECT i FROM t FOR UPDATE")
            let locked = #expect(throws: SQLError.self) { try second.execute("UPDATE t SET i = 2") }
            #expect(locked?.kind == .timeout)
            try first.execute("ROLLBACK")
            #expect(try second.execute("UPDATE t SET i = 2") == 1)
        }
    }

    @Test func `a cancelled statement is interrupted and its connection goes on`() throws {
        try withDatabase { database in
            let (connection, watcher) = (try database.open(), try database.open())
            defer {
                connection.close()
                watcher.close()
            }
            let canceller = try #require(connection.canceller)
            let pid = try connection.first("SELECT pg_backend_pid()") { $0.integer(0) } ?? 0
            let running = Unshared(watcher)
            let thread = Thread {
                let sql = "SELECT count(*) FROM pg_stat_activity WHERE pid = ?1 AND wait_event = 'PgSleep'"
                while (try? running.value.first(sql, .integer(pid), read: { $0.integer(0) })) == 0 {}
                _ = canceller.cancel()
            }
            thread.start()
            let error = #expect(throws: SQLError.self) { try connection.execute("SELECT pg_sleep(60)") }
            #expect(error?.kind == .interrupted)
            let two = try connection.first("SELECT 1 + 1") { $0.integer(0) }
            #expect(two == 2)
        }
    }

    @Test func `a connection that died says so at every call and is closed`() throws {
        try withDatabase { database in
            let (connection, other) = (try database.open(), try database.open())
            defer {
                connection.close()
                other.close()
            }
            try connection.script("CREATE TABLE t (i BIGINT)")
            let pid = try connection.first("SELECT pg_backend_pid()") { $0.integer(0) } ?? 0
            try connection.execute("BEGIN")
            try connection.post("INSERT INTO t VALUES (1)")
            try other.execute("SELECT pg_terminate_backend(CAST(?1 AS integer), 10000)", .integer(pid))
            let calls: [() throws -> Void] = [
                { try connection.execute("COMMIT") }, { try connection.execute("ROLLBACK") },
                { try connection.query("SELECT 1", []) { _ in true } }, { try connection.script("SELECT 1") },
                { try connection.post("BEGIN") },
            ]
            for call in calls {
                let error = #expect(throws: SQLError.self) { try call() }
                #expect(error?.kind == .connectionLost)
            }
            let count = try other.first("SELECT count(*) FROM t") { $0.integer(0) }
            #expect(count == 0)
        }
    }

    @Test func `a server that is not there is a lost connection`() throws {
        let error = #expect(throws: SQLError.self) {
            try PostgresDatabase("postgresql://user:secret-word@127.0.0.1:1/nothing").open()
        }
        #expect(error?.kind == .connectionLost)
        #expect(error?.message.contains("127.0.0.1") == true)
        #expect(error?.message.contains("secret-word") == false)
    }

    @Test func `a server that forgot the kept statements is told them again`() throws {
        try withConnection { connection in
            let read = "SELECT ?1 + 1"
            #expect(try connection.first(read, .integer(1), read: { $0.integer(0) }) == 2)
            try connection.script("DEALLOCATE ALL")
            let error = #expect(throws: SQLError.self) { try connection.execute(read, .integer(1)) }
            #expect(error?.kind == .serialization)
            let two = try connection.first(read, .integer(1)) { $0.integer(0) }
            #expect(two == 2)
        }
    }

    @Test func `statements it no longer keeps are given back to the server`() throws {
        try withConnection { connection in
            try connection.execute("BEGIN")
            for number in 0..<600 { try connection.post("SELECT \(number)") }
            try connection.execute("COMMIT")
            for number in 0..<300 { try connection.execute("SELECT ?1 + \(number)", .integer(1)) }
            let kept = try connection.first("SELECT count(*) FROM pg_prepared_statements") { $0.integer(0) } ?? 0
            #expect(kept > 100 && kept <= 257)
        }
    }
}

/// Lets a test hand a connection to one other thread, and no longer use it itself meanwhile.
struct Unshared<Value>: @unchecked Sendable {
    // Unchecked because the tests that make one use the value from one thread at a time.
    let value: Value

    init(_ value: Value) { self.value = value }
}
