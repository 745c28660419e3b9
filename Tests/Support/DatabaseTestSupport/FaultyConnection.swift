import SQLCore

/// A connection of a ``FaultyDatabase``.
final class FaultyConnection: SQLConnection {
    private let base: any SQLConnection
    private let database: FaultyDatabase
    private var isInTransaction = false
    /// What every call says until a rollback.
    private var failure: SQLError?
    private var isLost = false

    init(_ base: any SQLConnection, _ database: FaultyDatabase) {
        self.base = base
        self.database = database
    }

    /// Without the statement that a store runs when its callers are answered already: it would take a call by chance.
    var dialect: SQLDialect {
        var dialect = base.dialect
        dialect.analyze = nil
        return dialect
    }

    func close() { base.close() }

    @discardableResult
    func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int {
        let fault = try begin(sql)
        let count = try base.execute(sql, binds)
        try end(fault, sql)
        return count
    }

    func post(_ sql: String, _ binds: [SQLValue]) throws(SQLError) {
        let fault = try begin(sql)
        try base.post(sql, binds)
        try end(fault, sql)
    }

    func insert(_ insert: SQLInsert, _ rows: [[SQLValue]]) throws(SQLError) {
        let fault = try begin(insert.statement)
        try base.insert(insert, rows)
        database.count(rows: rows.count)
        try end(fault, insert.statement)
    }

    func change(_ change: SQLChange, _ rows: [[SQLValue]]) throws(SQLError) {
        let fault = try begin(change.statement)
        try base.change(change, rows)
        try end(fault, change.statement)
    }

    func find(_ searches: [SQLSearch], _ body: (Int, Int, any SQLRow) throws -> Void) throws {
        let sql = searches.first?.lookup.statement(dialect) ?? ""
        let fault = try begin(sql)
        try base.find(searches, body)
        try end(fault, sql)
    }

    func send() throws(SQLError) { try base.send() }

    func script(_ sql: String) throws(SQLError) {
        let fault = try begin(sql)
        try base.script(sql)
        try end(fault, sql)
    }

    func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
        let fault = try begin(sql)
        try base.query(sql, binds) { row in
            database.count(rows: 1)
            return try body(row)
        }
        try end(fault, sql)
    }

    func query(_ sql: String, each binds: [[SQLValue]], _ body: (Int, any SQLRow) throws -> Void) throws {
        let fault = try begin(sql)
        try base.query(sql, each: binds) { position, row in
            database.count(rows: 1)
            try body(position, row)
        }
        try end(fault, sql)
    }

    /// Counts a call, and fails it before it did anything.
    /// - Returns: The fault for ``end(_:_:)``.
    private func begin(_ sql: String) throws(SQLError) -> FaultyDatabase.Fault? {
        let fault = database.fault(sql)
        if var failure, isLost || Self.word(sql) != "ROLLBACK" {
            failure.statement = sql
            throw failure
        }
        guard let fault, fault.moment == .before else { return fault }
        throw failing(fault, sql)
    }

    /// Notes what a call did, and fails it afterwards.
    private func end(_ fault: FaultyDatabase.Fault?, _ sql: String) throws(SQLError) {
        switch Self.word(sql) {
        case "BEGIN": isInTransaction = true
        case "COMMIT": isInTransaction = false
        case "ROLLBACK":
            failure = nil
            if !sql.uppercased().contains(" TO ") { isInTransaction = false }
        default: break
        }
        if let fault { throw failing(fault, sql) }
    }

    private func failing(_ fault: FaultyDatabase.Fault, _ sql: String) -> SQLError {
        let error = SQLError(fault.kind, "call \(fault.call) fails on purpose", statement: sql)
        if fault.kind == .connectionLost {
            isLost = true
            base.close()
        }
        if isLost || isInTransaction { failure = error }
        return error
    }

    private static func word(_ sql: String) -> String { sql.prefix(while: { $0 != " " }).uppercased() }
}
