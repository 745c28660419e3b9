import DatabaseTestSupport
import SQLCore
import Testing

@Suite struct `An SQL connection keeps values` {
    private static let integers: [Int64] = [
        0, 1, -1, .min, .max, Int64(Int32.max) + 1, Int64(Int32.min) - 1, 9_007_199_254_740_993, 255, 65_536,
    ]
    private static let doubles: [Double] = [
        0, 0.1, -1.5, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .leastNormalMagnitude,
        .ulpOfOne, 1e308, .pi, 9_007_199_254_740_992, .infinity, -.infinity,
    ]
    private static let texts = [
        "", " ", "plain", "'\"\\?1$1", "e\u{301} é", "𝄞 😀 \u{10FFFD}", "\u{FFFD}\u{FEFF}\u{E000}", "\t\r\n\u{1}\u{7F}",
        String(repeating: "ß", count: 100_000),
    ]
    private static let blobs: [[UInt8]] = [
        [], [0], [255, 0, 255], Array(0...255), [UInt8](repeating: 0xA5, count: 1 << 20),
    ]

    private func roundTrips(_ values: [SQLValue], _ type: (SQLDialect) -> String, on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (n BIGINT, v \(type(connection.dialect)))")
            for (number, value) in values.enumerated() {
                try connection.execute("INSERT INTO t (n, v) VALUES (?1, ?2)", .integer(Int64(number)), value)
            }
            let read = { (row: any SQLRow, value: SQLValue) -> SQLValue in
                if row.isNull(0) { return .null }
                return switch value {
                case .null: .null
                case .integer: .integer(row.integer(0))
                case .double: .double(row.double(0))
                case .text: .text(row.text(0))
                case .blob: .blob(row.blob(0))
                }
            }
            for (number, value) in values.enumerated() {
                let kept = try connection.first("SELECT v FROM t WHERE n = ?1", .integer(Int64(number))) { row in
                    read(row, value)
                }
                #expect(kept == value, "\(String(describing: value).prefix(80))")
                let isFound = try connection.first(
                    "SELECT count(*) FROM t WHERE v = ?1", value, read: { $0.integer(0) == 1 })
                #expect(isFound == true, "\(String(describing: value).prefix(80))")
            }
        }
    }

    @Test(arguments: SQLBackend.available)
    func `integers are exact over their whole range`(on backend: SQLBackend) throws {
        try roundTrips(Self.integers.map { .integer($0) }, { _ in "BIGINT" }, on: backend)
    }

    @Test(arguments: SQLBackend.available)
    func `doubles are exact, denormals and infinities too`(on backend: SQLBackend) throws {
        try roundTrips(Self.doubles.map { .double($0) }, { _ in "DOUBLE PRECISION" }, on: backend)
    }

    @Test(arguments: SQLBackend.available)
    func `texts of every plane are the same scalars, not only equal`(on backend: SQLBackend) throws {
        try roundTrips(Self.texts.map { .text($0) }, { $0.text }, on: backend)
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (v \(connection.dialect.text))")
            for text in Self.texts { try connection.execute("INSERT INTO t VALUES (?1)", .text(text)) }
            var kept: [[UInt8]] = []
            try connection.query("SELECT v FROM t", []) { row in
                kept.append(Array(row.text(0).utf8))
                return true
            }
            #expect(Set(kept) == Set(Self.texts.map { Array($0.utf8) }))
        }
    }

    @Test(arguments: SQLBackend.available)
    func `byte strings are exact, empty and of a mebibyte too`(on backend: SQLBackend) throws {
        try roundTrips(Self.blobs.map { .blob($0) }, { $0.bytes }, on: backend)
    }

    @Test(arguments: SQLBackend.available)
    func `a null of every type is no value`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            let dialect = connection.dialect
            try connection.script(
                "CREATE TABLE t (i BIGINT, d DOUBLE PRECISION, s \(dialect.text), b \(dialect.bytes))")
            let insert = "INSERT INTO t (i, d, s, b) VALUES (?1, ?2, ?3, ?4)"
            // Nulls first, so that a kept statement meets values of types it has not seen.
            try connection.execute(insert, .null, .null, .null, .null)
            try connection.execute(insert, .integer(1), .double(2), .text("3"), .blob([4]))
            try connection.execute(insert, .null, .double(2), .null, .blob([4]))
            var rows: [[Bool]] = []
            try connection.query("SELECT i, d, s, b FROM t", []) { row in
                rows.append((0..<4).map { row.isNull($0) })
                if row.isNull(0) { #expect(row.integer(0) == 0 && row.text(2).isEmpty) }
                return true
            }
            #expect(rows == [[true, true, true, true], [false, false, false, false], [true, false, true, false]])
        }
    }

    @Test(arguments: SQLBackend.available)
    func `what SQL computes is read as its type`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (i INTEGER, s SMALLINT); INSERT INTO t VALUES (7, 8)")
            let sql =
                "SELECT i, s, i < s, i = s, count(*), CAST(1.5 AS DOUBLE PRECISION) * 2, 'a' || ?1, i + s FROM t GROUP BY i, s"
            let isRead = try connection.first(sql, .text("b")) { row in
                #expect((0..<5).map { row.integer($0) } == [7, 8, 1, 0, 1])
                #expect(row.text(6) == "ab")
                #expect(row.integer(7) == 15 && row.double(7) == 15)
                return true
            }
            #expect(isRead == true)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `texts compare by their bytes`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try connection.script("CREATE TABLE t (v \(connection.dialect.text))")
            let texts = ["b", "B", "a", "Z", "é", "e\u{301}", "", "\u{FFFD}", "𝄞", "a b", "a-b", "_"]
            for text in texts { try connection.execute("INSERT INTO t VALUES (?1)", .text(text)) }
            var sorted: [String] = []
            try connection.query("SELECT v FROM t ORDER BY v", []) { row in
                sorted.append(row.text(0))
                return true
            }
            let expected = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(sorted.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        }
    }
}
