import Foundation
import SQLCore
import SQLiteDriver
import Testing

/// What only SQLite has; the rest is in the contract that every driver is held to.
@Suite struct `A connection of the SQLite driver` {
    private func memory() throws -> any SQLConnection { try SQLiteDatabase(path: nil).connect() }

    @Test func `keeps a text with U+0000`() throws {
        let connection = try memory()
        defer { connection.close() }
        try connection.script("CREATE TABLE t (s TEXT)")
        try connection.execute("INSERT INTO t VALUES (?1)", .text("a\u{0}é𝄞"))
        #expect(try connection.first("SELECT s FROM t") { $0.text(0) } == "a\u{0}é𝄞")
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
