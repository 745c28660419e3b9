@testable import CloudStorage
import SQLCore
import SQLiteDriver
import Testing

/// A connection that writes down what reaches the database.
private final class ToldConnection: SQLConnection {
    private let base: any SQLConnection
    var told: [String] = []
    var dialect: SQLDialect { base.dialect }

    init() throws {
        base = try SQLiteDatabase(path: nil).connect()
        try base.script("CREATE TABLE t (i INTEGER PRIMARY KEY, v INTEGER); CREATE TABLE u (i INTEGER PRIMARY KEY)")
    }

    @discardableResult
    func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int {
        told.append(sql)
        return try base.execute(sql, binds)
    }

    func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
        told.append(sql)
        try base.query(sql, binds, body)
    }

    func insert(_ insert: SQLInsert, _ rows: [[SQLValue]]) throws(SQLError) {
        told.append("\(rows.count) into \(insert.table)")
        try base.insert(insert, rows)
    }

    func change(_ change: SQLChange, _ rows: [[SQLValue]]) throws(SQLError) {
        told.append("\(rows.count) of \(change.table)")
        try base.change(change, rows)
    }

    func send() throws(SQLError) { told.append("send") }
    func script(_ sql: String) throws(SQLError) { try base.script(sql) }
    func close() { base.close() }
}

@Suite struct `The connection of a commit` {
    private let base: ToldConnection
    private let connection: CommitConnection
    private let intoT = SQLInsert(into: "t", [.init("i", .integer), .init("v", .integer)])
    private let intoU = SQLInsert(into: "u", [.init("i", .integer)])
    private let ofT = SQLChange(update: "t", set: [.init("v", .integer)], where: [.init("i", .integer)])
    private let begin = "BEGIN IMMEDIATE"

    init() throws {
        base = try ToldConnection()
        connection = CommitConnection(base)
        try connection.begin()
    }

    private func insert(_ numbers: Int64...) throws {
        try connection.insert(intoT, numbers.map { [.integer($0), .integer(0)] })
    }

    private func rows() throws -> [[Int64]] {
        var rows: [[Int64]] = []
        try connection.query("SELECT i, v FROM t ORDER BY i", []) { row in
            rows.append([row.integer(0), row.integer(1)])
            return true
        }
        return rows
    }

    @Test func `holds rows back until the commit, all of one table together, changes before new rows`() throws {
        try insert(1, 2)
        #expect(try rows().count == 2)
        base.told = []
        for number in Int64(3)...5 {
            connection.savepoint()
            try insert(number)
            try connection.insert(intoU, [[.integer(number)]])
            try connection.change(ofT, [[.integer(number), .integer(1)]])
            try connection.change(ofT, [[.integer(number), .integer(number - 2)]])
            try connection.release()
        }
        #expect(base.told == [])
        try connection.finish()
        try connection.commit()
        #expect(base.told == ["3 of t", "3 into t", "3 into u", "COMMIT"])
        #expect(try rows() == [[1, 5], [2, 4], [3, 0], [4, 0], [5, 0]].map { $0.map(Int64.init) })
    }

    @Test func `sends no savepoint in which nothing is done, and undoes what was held without asking`() throws {
        connection.savepoint()
        #expect(try rows().isEmpty)
        connection.savepoint()
        try insert(1)
        try connection.rollBack()
        try insert(2)
        try connection.release()
        try connection.finish()
        try connection.commit()
        #expect(base.told == [begin, "SELECT i, v FROM t ORDER BY i", "1 into t", "COMMIT"])
        #expect(try rows().map(\.[0]) == [2])
    }

    @Test func `undoes in the database what reached it, and keeps what came before`() throws {
        try insert(1)
        connection.savepoint()
        try insert(2)
        connection.savepoint()
        try insert(3)
        #expect(try rows().map(\.[0]) == [1, 2, 3])
        try insert(4)
        try connection.rollBack()
        #expect(try rows().map(\.[0]) == [1, 2])
        try connection.rollBack()
        #expect(try rows().map(\.[0]) == [1])
        try connection.finish()
        try connection.commit()
        #expect(try rows().map(\.[0]) == [1])
    }

    @Test func `sends what was held before a statement that is not its own`() throws {
        try insert(1)
        connection.savepoint()
        try connection.execute("UPDATE t SET v = 9", [])
        try connection.rollBack()
        #expect(
            base.told == [
                begin, "1 into t", "SAVEPOINT level1", "UPDATE t SET v = 9", "ROLLBACK TO level1", "RELEASE level1",
            ])
        #expect(try rows() == [[1, 0]])
    }

    @Test func `sets out early with many rows only`() throws {
        try insert(1)
        try connection.send()
        #expect(base.told == [begin])
        try connection.insert(intoU, (0..<Int64(CommitConnection.rowsAhead)).map { [.integer($0)] })
        try connection.send()
        #expect(base.told == [begin, "1 into t", "\(CommitConnection.rowsAhead) into u", "send"])
    }

    @Test func `commits nothing once rows that it held were refused`() throws {
        try insert(1)
        connection.savepoint()
        try insert(2, 2)
        for _ in 0..<2 {
            let error = #expect(throws: SQLError.self) { try rows() }
            #expect(error?.kind == .uniqueViolation)
        }
        #expect(throws: SQLError.self) { try connection.rollBack() }
        #expect(throws: SQLError.self) { try connection.finish() }
        try connection.abandon()
        #expect(try rows().isEmpty)
    }
}
