import CPostgres
package import SQLCore

/// A connection to PostgreSQL.
///
/// Posted statements are sent with the next call that waits. Outside a transaction nothing is posted: there a statement is a
/// transaction of its own, and its failure belongs to its own call. A query's rows are read whole before `body` sees the
/// first, so `body` may run other statements, and stopping early saves no reading: bound a query with LIMIT.
package final class PostgresConnection: SQLConnection {
    package let dialect = SQLDialect.postgres
    let pipeline: PostgresPipeline
    private var parameters = PostgresParameters()

    /// Rows of one array statement, and repetitions of one query under way at a time.
    private static let rowsAtOnce = 10_000
    private static let repetitionsAtOnce = 1000

    init(_ pipeline: PostgresPipeline) { self.pipeline = pipeline }

    /// Stops the running statement, from another thread.
    package var canceller: PostgresCanceller? { pipeline.canceller }

    package func close() { pipeline.close() }

    @discardableResult
    package func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int {
        let word = TransactionWord(sql)
        if word == .rollback, pipeline.isIdle, pipeline.loss == nil { return 0 }
        try parameters.set(binds, sql)
        try pipeline.send(sql, word, parameters, isKept: true)
        return try pipeline.finish().last?.changedRows ?? 0
    }

    package func post(_ sql: String, _ binds: [SQLValue]) throws(SQLError) {
        let word = TransactionWord(sql)
        switch (word, pipeline.transaction) {
        case (.rollback, .none): return
        case (.rollback, _):
            // Its end need not be waited for, but the server should know it at once.
            try parameters.set(binds, sql)
            try pipeline.send(sql, word, parameters, isKept: false)
            try pipeline.flush()
        case (.commit, _): try execute(sql, binds)
        case (.none, .none), (.savepoint, .none), (.release, .none), (.rollbackTo, .none): try execute(sql, binds)
        default:
            try parameters.set(binds, sql)
            try pipeline.send(sql, word, parameters, isKept: false)
            if pipeline.isFull { _ = try pipeline.finish() }
        }
    }

    package func insert(_ insert: SQLInsert, _ rows: [[SQLValue]]) throws(SQLError) {
        let sql = pipeline.statements.statement(insert)
        var isAlone = false
        if case .none = pipeline.transaction { isAlone = true }
        for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
            try parameters.set(insert, rows[start..<min(start + Self.rowsAtOnce, rows.count)], sql)
            try pipeline.send(sql, .none, parameters, isKept: false)
            if isAlone || pipeline.isFull { _ = try pipeline.finish() }
        }
    }

    package func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
        try parameters.set(binds, sql)
        try pipeline.send(sql, .none, parameters, isKept: true)
        guard let result = try pipeline.finish().last else { return }
        try result.checkColumns(sql)
        for row in 0..<result.rowCount where try !body(PostgresRow(result: result, row: Int32(row))) { return }
    }

    package func query(_ sql: String, each binds: [[SQLValue]], _ body: (Int, any SQLRow) throws -> Void) throws {
        var start = 0
        while start < binds.count {
            var end = start
            do {
                while end < binds.count, end == start || end - start < Self.repetitionsAtOnce && !pipeline.isFull {
                    try parameters.set(binds[end], sql)
                    try pipeline.send(sql, .none, parameters, isKept: true)
                    end += 1
                }
            } catch {
                // What is under way already must not answer a later call.
                _ = try pipeline.finish()
                throw error
            }
            for (position, result) in zip(start..<end, try pipeline.finish()) {
                if position == start { try result.checkColumns(sql) }
                for row in 0..<result.rowCount { try body(position, PostgresRow(result: result, row: Int32(row))) }
            }
            start = end
        }
    }

    package func script(_ sql: String) throws(SQLError) { try pipeline.script(sql) }

    /// Tells every listener of a channel, when the transaction commits. Sent as ``post(_:_:)`` sends.
    package func notify(_ channel: String, _ payload: String) throws(SQLError) {
        try post("SELECT pg_notify(?1, ?2)", [.text(channel), .text(payload)])
    }
}
