import DatabaseTestSupport
import Foundation
import SQLCore
import Testing

@Suite struct `Errors of an SQL connection` {
    @Test(arguments: SQLBackend.available)
    func `a broken unique rule has its kind and statement`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            let text = connection.dialect.text
            try connection.script("CREATE TABLE t (k \(text) PRIMARY KEY, u \(text) UNIQUE)")
            try connection.execute("INSERT INTO t VALUES ('a', 'b')")
            for values in ["('a', 'c')", "('b', 'b')"] {
                let sql = "INSERT INTO t VALUES \(values)"
                let error = #expect(throws: SQLError.self) { try connection.execute(sql) }
                #expect(error?.kind == .uniqueViolation)
                #expect(error?.statement == sql)
            }
            #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 1)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a statement that cannot be read is named, and may be tried again`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            for _ in 0..<2 {
                let error = #expect(throws: SQLError.self) { try connection.execute("SELEC") }
                #expect(error?.kind == .other)
                #expect(error?.statement == "SELEC")
                let other = #expect(throws: SQLError.self) {
                    try connection.query("SELECT i FROM later", []) { _ in true }
                }
                #expect(other?.kind == .other)
            }
            try connection.script("CREATE TABLE later (i BIGINT)")
            try connection.query("SELECT i FROM later", []) { _ in true }
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a failing script names itself`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            let script = "CREATE TABLE a (i BIGINT); CREATE TABLE a (i BIGINT)"
            let error = #expect(throws: SQLError.self) { try connection.script(script) }
            #expect(error?.statement == script)
            let two = try connection.first("SELECT 1 + 1") { $0.integer(0) }
            #expect(two == 2)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a table that changes under a kept statement is read anew`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (i BIGINT); INSERT INTO t VALUES (1)")
            func read() throws -> Int64? { try connection.first("SELECT * FROM t") { $0.integer(0) } }
            #expect(try read() == 1)
            try connection.script("ALTER TABLE t ADD COLUMN j BIGINT")
            do {
                let value = try read()
                #expect(value == 1)
            } catch let error as SQLError {
                // A database may ask for the transaction to be run again, once.
                #expect(error.kind == .serialization)
                #expect(try read() == 1)
            }
        }
    }

    @Test func `a run in CI has PostgreSQL`() {
        let isCI = ProcessInfo.processInfo.environment["CI"] == "true"
        #expect(!isCI || SQLBackend.available.contains(.postgres), "CUMULET_TEST_POSTGRES is not set")
    }
}
