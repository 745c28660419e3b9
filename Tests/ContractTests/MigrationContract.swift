import DatabaseTestSupport
import Dispatch
import SQLCore
import Synchronization
import Testing

@Suite struct `The migration runner` {
    private let steps = [
        Migration(format: 1) { _ in "CREATE TABLE a (i BIGINT)" },
        Migration(format: 2) { _ in "CREATE TABLE b (i BIGINT); INSERT INTO b VALUES (0)" },
    ]

    @Test(arguments: SQLBackend.available)
    func `it runs only the steps that are missing`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try Migrator.run([steps[0]], on: connection)
            #expect(try Migrator.format(of: connection) == 1)
            try Migrator.run(steps, on: connection)
            try Migrator.run(steps, on: connection)
            #expect(try Migrator.format(of: connection) == 2)
            try connection.execute("INSERT INTO b VALUES (1)")
        }
    }

    @Test(arguments: SQLBackend.available)
    func `it refuses a database of a newer format`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try Migrator.run(steps, on: connection)
            let error = #expect(throws: SQLError.self) { try Migrator.run([steps[0]], on: connection) }
            #expect(error?.kind == .misuse)
            #expect(error?.message.contains("format 2") == true)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `it leaves no half of a step that fails`(on backend: SQLBackend) throws {
        let broken = Migration(format: 2) { _ in "CREATE TABLE b (i BIGINT); CREATE TABLE a (i BIGINT)" }
        try backend.withConnection { connection in
            #expect(throws: SQLError.self) { try Migrator.run([steps[0], broken], on: connection) }
            try Migrator.run(steps, on: connection)
            #expect(try Migrator.format(of: connection) == 2)
        }
    }

    @Test(arguments: SQLBackend.available.filter { $0 != .memory })
    func `of several that start at once each step runs once`(on backend: SQLBackend) throws {
        try backend.withDatabase { database in
            let failures = Mutex<[String]>([])
            let steps = steps
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                do {
                    let connection = try database.connect()
                    defer { connection.close() }
                    try Migrator.run(steps, on: connection)
                } catch {
                    failures.withLock { $0.append(String(describing: error)) }
                }
            }
            #expect(failures.withLock { $0 } == [])
            let connection = try database.connect()
            defer { connection.close() }
            #expect(try connection.first("SELECT count(*) FROM b") { $0.integer(0) } == 1)
        }
    }
}
