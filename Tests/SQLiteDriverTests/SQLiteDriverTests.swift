import Foundation
import SQLCore
import SQLiteDriver
import Testing

@Suite struct `A connection of the SQLite driver` {
    private func memory() throws -> any SQLConnection { try SQLiteDatabase(path: nil).connect() }

    @Test func `keeps values of every type`() throws {
        let connection = try memory()
        defer { connection.close() }
        try connection.script("CREATE TABLE t (i INTEGER, d REAL, s TEXT, b BLOB, n TEXT, es TEXT, eb BLOB)")
        try connection.execute(
            "INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)", .integer(.min), .double(-0.5), .text("a\u{0}é𝄞"),
            .blob([0, 255]), .null, .text(""), .blob([]))
        let isRead = try connection.first("SELECT * FROM t") { row in
            #expect(row.integer(0) == .min)
            #expect(row.double(1) == -0.5)
            #expect(row.text(2) == "a\u{0}é𝄞")
            #expect(row.blob(3) == [0, 255])
            #expect(row.isNull(4))
            #expect(!row.isNull(5) && row.text(5).isEmpty)
            #expect(!row.isNull(6) && row.blob(6).isEmpty)
            return true
        }
        #expect(isRead == true)
    }

    @Test func `counts the rows a statement changed`() throws {
        let connection = try memory()
        defer { connection.close() }
        #expect(try connection.execute("CREATE TABLE t (i INTEGER PRIMARY KEY)") == 0)
        #expect(try connection.execute("INSERT INTO t VALUES (1), (2), (3)") == 3)
        #expect(try connection.execute("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING") == 0)
        #expect(try connection.execute("DELETE FROM t WHERE i > ?1", .integer(1)) == 2)
        #expect(try connection.execute("BEGIN") == 0)
    }

    @Test func `lets a cursor run the statement it came from`() throws {
        let connection = try memory()
        defer { connection.close() }
        try connection.script("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1), (2)")
        var pairs: [Int64] = []
        try connection.query("SELECT i FROM t ORDER BY i", []) { outer in
            try connection.query("SELECT i FROM t ORDER BY i", []) { inner in
                pairs.append(outer.integer(0) * 10 + inner.integer(0))
                return true
            }
            return true
        }
        #expect(pairs == [11, 12, 21, 22])
    }

    @Test func `survives more statements than it keeps`() throws {
        let connection = try memory()
        defer { connection.close() }
        for round in 0..<2 {
            for number in 0..<300 {
                #expect(try connection.first("SELECT \(number)") { $0.integer(0) } == Int64(number), "\(round)")
            }
        }
    }

    @Test func `tells a broken unique rule by its kind`() throws {
        let connection = try memory()
        defer { connection.close() }
        try connection.script("CREATE TABLE t (k TEXT PRIMARY KEY, u TEXT UNIQUE); INSERT INTO t VALUES ('a', 'b')")
        for values in ["('a', 'c')", "('b', 'b')"] {
            let error = #expect(throws: SQLError.self) { try connection.execute("INSERT INTO t VALUES \(values)") }
            #expect(error?.kind == .uniqueViolation)
        }
        let error = #expect(throws: SQLError.self) { try connection.execute("SELEC") }
        #expect(error?.kind == .other)
        #expect(error?.statement == "SELEC")
    }

    @Test func `tells a full disk by its kind and runs nothing until the transaction is rolled back`() throws {
        let connection = try memory()
        defer { connection.close() }
        try connection.script("CREATE TABLE t (b BLOB); PRAGMA max_page_count = 20")
        try connection.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: SQLError.self) {
            for _ in 0..<100 { try connection.execute("INSERT INTO t VALUES (zeroblob(4000))") }
        }
        #expect(error?.kind == .full)
        _ = try? connection.execute("INSERT INTO t VALUES ('stray')")
        try connection.execute("ROLLBACK")
        #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    }

    @Test func `tells a lock held by another connection by its kind`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = SQLiteDatabase(path: folder.appending(path: "t.sqlite").path, busyTimeout: 0)
        let (first, second) = (try database.connect(), try database.connect())
        defer { first.close(); second.close() }
        try first.script("CREATE TABLE t (i INTEGER)")
        try first.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: SQLError.self) { try second.execute("BEGIN IMMEDIATE") }
        #expect(error?.kind == .busy)
        #expect(try second.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
        try first.execute("COMMIT")
        try second.execute("BEGIN IMMEDIATE")
        try second.execute("COMMIT")
        #expect(try first.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try first.first("PRAGMA synchronous") { $0.integer(0) } == 2)
    }

    @Test func `names a file it cannot open`() {
        let error = #expect(throws: SQLError.self) { try SQLiteDatabase(path: "/nowhere/x.sqlite").connect() }
        #expect(error?.kind == .ioError)
        #expect(error?.statement == "opening /nowhere/x.sqlite")
    }
}

@Suite struct `The migration runner` {
    private let steps = [
        Migration(format: 1) { _ in "CREATE TABLE a (i INTEGER)" },
        Migration(format: 2) { _ in "CREATE TABLE b (i INTEGER)" },
    ]

    @Test func `runs only the steps that are missing`() throws {
        let connection = try SQLiteDatabase(path: nil).connect()
        defer { connection.close() }
        try Migrator.run([steps[0]], on: connection)
        #expect(try Migrator.format(of: connection) == 1)
        try Migrator.run(steps, on: connection)
        try Migrator.run(steps, on: connection)
        #expect(try Migrator.format(of: connection) == 2)
        try connection.execute("INSERT INTO b VALUES (1)")
    }

    @Test func `refuses a database of a newer format`() throws {
        let connection = try SQLiteDatabase(path: nil).connect()
        defer { connection.close() }
        try Migrator.run(steps, on: connection)
        let error = #expect(throws: SQLError.self) { try Migrator.run([steps[0]], on: connection) }
        #expect(error?.kind == .misuse)
        #expect(error?.message.contains("format 2") == true)
    }

    @Test func `leaves no half of a step that fails`() throws {
        let connection = try SQLiteDatabase(path: nil).connect()
        defer { connection.close() }
        let broken = Migration(format: 2) { _ in "CREATE TABLE b (i INTEGER); CREATE TABLE a (i INTEGER)" }
        #expect(throws: SQLError.self) { try Migrator.run([steps[0], broken], on: connection) }
        try Migrator.run(steps, on: connection)
        #expect(try Migrator.format(of: connection) == 2)
    }
}
