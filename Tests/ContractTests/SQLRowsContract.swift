import DatabaseTestSupport
import PostgresDriver
import SQLCore
import Testing

/// Rows that are changed and sought by their keys, one or many.
@Suite struct `An SQL connection knows rows by their keys` {
    private let insert = SQLInsert(
        into: "t", [.init("a", .integer), .init("b", .text), .init("v", .blob), .init("d", .double)])
    private let update = SQLChange(
        update: "t", set: [.init("v", .blob), .init("d", .double)], where: [.init("a", .integer), .init("b", .text)])
    private let delete = SQLChange(delete: "t", where: [.init("a", .integer), .init("b", .text)])
    private let byKey = SQLLookup("v, d, b", from: "t", by: [.init("a", .integer), .init("b", .text)])
    private let byNumber = SQLLookup("b", from: "t", by: [.init("a", .integer)])

    private func withRows(_ backend: SQLBackend, _ count: Int, _ body: (any SQLConnection) throws -> Void) throws {
        try backend.withConnection { connection in
            let dialect = connection.dialect
            try connection.script(
                """
                CREATE TABLE t (
                    a BIGINT, b \(dialect.text), v \(dialect.bytes), d DOUBLE PRECISION, PRIMARY KEY (a, b))
                """)
            if !dialect.keyedSettings.isEmpty { try connection.script(dialect.keyedSettings) }
            try connection.execute(dialect.beginWrite)
            try connection.insert(insert, (0..<count).map(row))
            try body(connection)
            try connection.execute("ROLLBACK")
        }
    }

    private func row(_ number: Int) -> [SQLValue] {
        [.integer(Int64(number)), .text("é\(number)"), .blob([UInt8(number % 251)]), .double(0.5)]
    }

    private func key(_ number: Int) -> [SQLValue] { Array(row(number).prefix(2)) }

    private func count(_ connection: any SQLConnection, _ condition: String) throws -> Int64? {
        try connection.first("SELECT count(*) FROM t WHERE \(condition)") { $0.integer(0) }
    }

    @Test(arguments: SQLBackend.available, [0, 1, 2, 3, 12_000])
    func `changed rows get their own values, a null too, and no other row changes`(
        on backend: SQLBackend, count: Int
    ) throws {
        try withRows(backend, count + 5) { connection in
            try connection.change(
                update,
                (0..<count).map { number in
                    [.blob([7, UInt8(number % 251)]), number == 1 ? .null : .double(Double(number))] + key(number)
                })
            // A key without a row changes nothing.
            try connection.change(update, [[.blob([7]), .null] + key(count + 5)])
            #expect(
                try self.count(connection, "d = a AND length(v) = 2 AND a <> 1") == Int64(max(count - 1, count % 2)))
            #expect(try self.count(connection, "d IS NULL") == (count > 1 ? 1 : 0))
            #expect(try self.count(connection, "d = 0.5 AND length(v) = 1") == 5)
            try connection.change(delete, (0..<count).map(key))
            #expect(try self.count(connection, "a >= 0") == 5)
        }
    }

    @Test(arguments: SQLBackend.available, [0, 1, 2, 3, 12_000])
    func `each row is found under the place of its key, with its columns`(on backend: SQLBackend, count: Int) throws {
        try withRows(backend, count) { connection in
            var found: [Int: String] = [:]
            var ofMany: [Int: Int] = [:]
            let missing = count + 1
            try connection.insert(insert, [[.integer(0), .text("other"), .null, .null]])
            try connection.find([
                SQLSearch(byKey, [key(missing)] + (0..<count).map(key)), SQLSearch(byKey, []),
                SQLSearch(byNumber, [[.integer(0)], [.integer(Int64(missing))], [.integer(0)], [.integer(1)]]),
            ]) { search, place, row in
                if search == 0 {
                    #expect(found.updateValue(row.text(2), forKey: place) == nil)
                    #expect(row.blob(0) == [UInt8((place - 1) % 251)] && row.double(1) == 0.5)
                } else {
                    #expect(search == 2)
                    ofMany[place, default: 0] += 1
                }
            }
            #expect(found == Dictionary(uniqueKeysWithValues: (0..<count).map { ($0 + 1, "é\($0)") }))
            let first = count > 0 ? 2 : 1
            #expect(ofMany == (count > 1 ? [0: first, 2: first, 3: 1] : [0: first, 2: first]))
        }
    }

    @Test(arguments: SQLBackend.available)
    func `a body may run other statements, and its error ends the search`(on backend: SQLBackend) throws {
        struct Stop: Error {}
        try withRows(backend, 5) { connection in
            var sum: Int64 = 0
            try connection.find([SQLSearch(byKey, (0..<5).map(key))]) { _, place, _ in
                sum += try count(connection, "a < \(place)") ?? 0
            }
            #expect(sum == 10)
            #expect(throws: Stop.self) {
                try connection.find([SQLSearch(byKey, (0..<5).map(key))]) { _, _, _ in throw Stop() }
            }
            #expect(try count(connection, "a >= 0") == 5)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `what was sent ahead fails at the next call that waits`(on backend: SQLBackend) throws {
        try withRows(backend, 5) { connection in
            let error = #expect(throws: SQLError.self) {
                try connection.insert(insert, [row(7), row(3)])
                try connection.send()
                try connection.send()
                _ = try count(connection, "a >= 0")
            }
            #expect(error?.kind == .uniqueViolation)
        }
    }

    @Test(.enabled(if: PostgresTestDatabase.address != nil), arguments: [1, 5])
    func `rows that others hold are left out, or waited for`(keys: Int) throws {
        let test = try PostgresTestDatabase()
        let (first, second) = (try test.database.open(), try test.database.open())
        try first.script(
            "CREATE TABLE t (a BIGINT PRIMARY KEY, b BIGINT); INSERT INTO t SELECT i, 0 FROM generate_series(0, 4) i")
        func find(_ hold: SQLLookup.Hold, on connection: any SQLConnection) throws -> [Int: Int64] {
            let lookup = SQLLookup("b", from: "t", by: [.init("a", .integer)], hold: hold)
            var found: [Int: Int64] = [:]
            try connection.find([SQLSearch(lookup, (0..<keys).map { [.integer(Int64($0))] })]) {
                found[$1] = $2.integer(0)
            }
            return found
        }
        try first.execute(first.dialect.beginWrite)
        #expect(try find(.lock, on: first).count == keys)
        try second.execute(second.dialect.beginWrite)
        #expect(try find(.lockFree, on: second).isEmpty)
        #expect(try find(.nothing, on: second).count == keys)
        try first.execute("UPDATE t SET b = 7")
        try first.execute("COMMIT")
        // What came while it did not wait is seen by whoever locks afterwards.
        #expect(try find(.lockFree, on: second) == Dictionary(uniqueKeysWithValues: (0..<keys).map { ($0, 7) }))
        try second.execute("ROLLBACK")
        first.close()
        second.close()
        try test.remove()
    }
}
