import DatabaseTestSupport
import SQLCore
import Testing

@Suite struct `A database that fails on purpose` {
    /// A transfer as any writer would make it; its calls are counted in the first test.
    private func transfer(_ connection: any SQLConnection) throws {
        do {
            try connection.execute(connection.dialect.beginWrite)
            try connection.query("SELECT i FROM t", []) { _ in true }
            try connection.post("UPDATE t SET i = i - 1")
            try connection.insert(SQLInsert(into: "u", [.init("i", .integer)]), [[.integer(1)]])
            try connection.query("SELECT i FROM t WHERE i = ?1", each: [[.integer(1)]]) { _, _ in }
            try connection.execute("COMMIT")
        } catch {
            _ = try? connection.execute("ROLLBACK")
            throw error
        }
    }

    private func withAccounts(_ backend: SQLBackend, _ body: (FaultyDatabase, any SQLConnection) throws -> Void) throws
    {
        try backend.withDatabase { base in
            let database = FaultyDatabase(base)
            let connection = try database.connect()
            defer { connection.close() }
            try connection.script("CREATE TABLE t (i BIGINT); CREATE TABLE u (i BIGINT); INSERT INTO t VALUES (1)")
            try body(database, connection)
        }
    }

    private func balance(_ connection: any SQLConnection) throws -> [Int64]? {
        try connection.first("SELECT (SELECT max(i) FROM t), (SELECT count(*) FROM u)") { row in
            [row.integer(0), row.integer(1)]
        }
    }

    @Test(arguments: SQLBackend.available)
    func `it counts calls alike and without a fault changes nothing`(on backend: SQLBackend) throws {
        try withAccounts(backend) { database, connection in
            database.arm(nil)
            try transfer(connection)
            #expect(database.calls == 6)
            #expect(try balance(connection) == [0, 1])
        }
    }

    @Test(arguments: SQLBackend.available, FaultyDatabase.Fault.Moment.allCases)
    func `a failed call leaves the old state, or the new one when only the answer to the commit is lost`(
        on backend: SQLBackend, _ moment: FaultyDatabase.Fault.Moment
    ) throws {
        for call in 1...6 {
            try withAccounts(backend) { database, connection in
                database.arm(.init(call: call, moment, .ioError))
                let error = #expect(throws: SQLError.self) { try transfer(connection) }
                #expect(error?.kind == .ioError)
                #expect(database.failedStatement == error?.statement)
                let isCommitted = call == 6 && moment == .after
                #expect(try balance(connection) == (isCommitted ? [0, 1] : [1, 0]), "call \(call)")
                if !isCommitted { try transfer(connection) }
                #expect(try balance(connection) == [0, 1])
            }
        }
    }

    @Test(arguments: SQLBackend.available.filter { $0 != .memory }, FaultyDatabase.Fault.Moment.allCases)
    func `a lost connection stays lost and a new one finds the old state or the new`(
        on backend: SQLBackend, _ moment: FaultyDatabase.Fault.Moment
    ) throws {
        for call in 1...6 {
            try withAccounts(backend) { database, connection in
                database.arm(.init(call: call, moment, .connectionLost))
                #expect(throws: SQLError.self) { try transfer(connection) }
                let error = #expect(throws: SQLError.self) { try connection.execute("ROLLBACK") }
                #expect(error?.kind == .connectionLost)
                let fresh = try database.connect()
                defer { fresh.close() }
                #expect(try balance(fresh) == (call == 6 && moment == .after ? [0, 1] : [1, 0]), "call \(call)")
            }
        }
    }
}
