import DatabaseTestSupport
import SQLCore
import Testing

@Suite struct `An SQL connection runs statements` {
    @Test(arguments: SQLBackend.available)
    func `it counts the rows a statement changed`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            let created = try connection.execute("CREATE TABLE t (i BIGINT PRIMARY KEY)")
            #expect(created == 0)
            #expect(try connection.execute("INSERT INTO t VALUES (1), (2), (3)") == 3)
            #expect(try connection.execute("INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING") == 0)
            #expect(try connection.execute("UPDATE t SET i = i + 10 WHERE i > ?1", .integer(1)) == 2)
            #expect(try connection.execute("SELECT i FROM t") == 0)
            #expect(try connection.execute("BEGIN") == 0)
            #expect(try connection.execute("DELETE FROM t WHERE i > ?1", .integer(1)) == 2)
            #expect(try connection.execute("COMMIT") == 0)
            #expect(try connection.execute("DELETE FROM t WHERE i > ?1", .integer(1)) == 0)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a body that returns false sees no further row`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (i BIGINT); INSERT INTO t VALUES (1), (2), (3)")
            for limit in 1...3 {
                var seen: [Int64] = []
                try connection.query("SELECT i FROM t ORDER BY i", []) { row in
                    seen.append(row.integer(0))
                    return seen.count < limit
                }
                #expect(seen == Array(1...Int64(limit)))
            }
        }
    }

    @Test(arguments: SQLBackend.available)
    func `an error of the body ends the query and the connection goes on`(on backend: SQLBackend) throws {
        struct Stop: Error {}
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (i BIGINT); INSERT INTO t VALUES (1), (2)")
            #expect(throws: Stop.self) { try connection.query("SELECT i FROM t", []) { _ in throw Stop() } }
            #expect(throws: Stop.self) {
                try connection.query("SELECT i FROM t WHERE i = ?1", each: [[.integer(1)], [.integer(2)]]) { _, _ in
                    throw Stop()
                }
            }
            #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 2)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a body may run other statements, that of the query too`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (i BIGINT); CREATE TABLE u (i BIGINT); INSERT INTO t VALUES (1), (2)")
            var pairs: [Int64] = []
            try connection.query("SELECT i FROM t ORDER BY i", []) { outer in
                try connection.query("SELECT i FROM t ORDER BY i", []) { inner in
                    pairs.append(outer.integer(0) * 10 + inner.integer(0))
                    return true
                }
                try connection.execute("INSERT INTO u VALUES (?1)", .integer(outer.integer(0)))
                return true
            }
            #expect(pairs == [11, 12, 21, 22])
            #expect(try connection.first("SELECT count(*) FROM u") { $0.integer(0) } == 2)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `more texts than it keeps all work, again and again`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            for round in 0..<2 {
                for number in 0..<600 {
                    let value = try connection.first("SELECT ?1 + \(number)", .integer(1)) { $0.integer(0) }
                    #expect(value == Int64(number) + 1, "\(round)")
                }
            }
            try connection.execute("BEGIN")
            for number in 0..<600 {
                #expect(try connection.first("SELECT ?1 - \(number)", .integer(0)) { $0.integer(0) } == Int64(-number))
            }
            try connection.execute("COMMIT")
        }
    }

    @Test(arguments: SQLBackend.available)
    func `placeholders may repeat, and literals, names and comments are left alone`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            let sql = """
                SELECT ?2 || ?1 || ?2, '?1 it''s' AS "?2", -- ?1 '
                /* ?3 " */ ?1 || '--'
                """
            let isRead = try connection.first(sql, .text("a"), .text("b")) { row in
                #expect(row.text(0) == "bab")
                #expect(row.text(1) == "?1 it's")
                #expect(row.text(2) == "a--")
                return true
            }
            #expect(isRead == true)
        }
    }

    @Test(arguments: SQLBackend.available, [0, 1, 10_000])
    func `rows are inserted in their order, with their nulls`(on backend: SQLBackend, count: Int) throws {
        try backend.withConnection { connection in
            let dialect = connection.dialect
            try connection.script(
                """
                CREATE TABLE t (row \(dialect.identity), i BIGINT, d DOUBLE PRECISION, s \(dialect.text), b \(dialect.bytes))
                """)
            let insert = SQLInsert(
                into: "t", [.init("i", .integer), .init("d", .double), .init("s", .text), .init("b", .blob)])
            var rows: [[SQLValue]] = []
            for number in 0..<count {
                let double: SQLValue = number % 3 == 0 ? .null : .double(Double(number) / 3)
                let blob: SQLValue = number % 7 == 0 ? .null : .blob([UInt8(number % 256), 0])
                rows.append([.integer(Int64(number)), double, .text(number % 5 == 0 ? "" : "é\(number)"), blob])
            }
            try connection.execute(dialect.beginWrite)
            try connection.insert(insert, rows)
            try connection.execute("COMMIT")
            var kept: [[SQLValue]] = []
            try connection.query("SELECT i, d, s, b FROM t ORDER BY row", []) { row in
                kept.append([
                    .integer(row.integer(0)), row.isNull(1) ? .null : .double(row.double(1)), .text(row.text(2)),
                    row.isNull(3) ? .null : .blob(row.blob(3)),
                ])
                return true
            }
            #expect(kept == rows)
            try connection.insert(insert, Array(rows.prefix(3)))
            #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == Int64(count + min(count, 3)))
        }
    }

    @Test(arguments: SQLBackend.available, [0, 1, 5000])
    func `a query for each of many binds hands over rows in order`(on backend: SQLBackend, count: Int) throws {
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (i BIGINT, j BIGINT); INSERT INTO t VALUES (0, 1), (0, 2), (2, 3)")
            var rows: [[Int64]] = []
            let binds = (0..<count).map { [SQLValue.integer(Int64($0 % 3))] }
            try connection.query("SELECT j FROM t WHERE i = ?1 ORDER BY j", each: binds) { position, row in
                rows.append([Int64(position), row.integer(0)])
                // A statement of the body does not come between.
                if position == 2 { try connection.execute("INSERT INTO t VALUES (9, 9)") }
            }
            let answers: [[Int64]] = [[1, 2], [], [3]]
            var expected: [[Int64]] = []
            for number in 0..<count {
                for answer in answers[number % 3] { expected.append([Int64(number), answer]) }
            }
            #expect(rows == expected)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `large values both ways in one go do not block it`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            let blob = [UInt8](repeating: 7, count: 100_000)
            var total = 0
            let binds = [[SQLValue]](repeating: [.blob(blob)], count: 300)
            try connection.query("SELECT CAST(?1 AS \(connection.dialect.bytes))", each: binds) { _, row in
                total += row.blob(0).count
            }
            #expect(total == 300 * blob.count)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a closed connection says so`(on backend: SQLBackend) throws {
        try backend.withDatabase { database in
            let connection = try database.connect()
            connection.close()
            connection.close()
            let calls: [() throws -> Void] = [
                { try connection.execute("SELECT 1") }, { try connection.query("SELECT 1", []) { _ in true } },
                { try connection.post("SELECT 1") }, { try connection.script("SELECT 1") },
            ]
            for call in calls {
                let error = #expect(throws: SQLError.self) { try call() }
                #expect(error?.kind == .misuse)
            }
        }
    }
}
