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
    /// From how many keys on an array statement costs less than one for each.
    private static let keysOfArray = 3
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
        let sql = pipeline.statements.arrayStatement(insert.statement, insert.arrayStatement)
        try post(insert.statement, array: sql, insert.columns, rows)
    }

    package func change(_ change: SQLChange, _ rows: [[SQLValue]]) throws(SQLError) {
        let sql = pipeline.statements.arrayStatement(change.statement, change.arrayStatement)
        try post(change.statement, array: sql, change.columns, rows)
    }

    /// Posts `sql` for one row, `array` for more.
    private func post(_ sql: String, array: String, _ columns: [SQLColumn], _ rows: [[SQLValue]]) throws(SQLError) {
        var isAlone = false
        if case .none = pipeline.transaction { isAlone = true }
        for start in stride(from: 0, to: rows.count, by: Self.rowsAtOnce) {
            if rows.count == 1 {
                try parameters.set(columns, rows[0], sql)
                try pipeline.send(sql, .none, parameters, isKept: false)
            } else {
                try parameters.set(columns, rows[start..<min(start + Self.rowsAtOnce, rows.count)], array)
                try pipeline.send(array, .none, parameters, isKept: false)
            }
            if isAlone || pipeline.isFull { _ = try pipeline.finish() }
        }
    }

    package func find(_ searches: [SQLSearch], _ body: (Int, Int, any SQLRow) throws -> Void) throws {
        var sent: [SentSearch] = []
        do {
            for (number, search) in searches.enumerated() { try send(search, number, &sent) }
        } catch {
            // What is under way already must not answer a later call.
            _ = try pipeline.finish()
            throw error
        }
        guard !sent.isEmpty else { return }
        for (part, result) in zip(sent, try pipeline.finish()) {
            try result.checkColumns(searches[part.search].lookup.table)
            let placeColumn = Int(PQnfields(result.pointer)) - 1
            for number in 0..<result.rowCount {
                let row = PostgresRow(result: result, row: Int32(number))
                try body(part.search, part.first + (part.isArray ? Int(row.integer(placeColumn)) - 1 : 0), row)
            }
        }
    }

    /// One statement of a search: where it looks, from which of the keys on.
    private struct SentSearch {
        let search: Int
        let first: Int
        let isArray: Bool
    }

    private func send(_ search: SQLSearch, _ number: Int, _ sent: inout [SentSearch]) throws(SQLError) {
        let keys = search.keys
        let sql = search.lookup.statement(dialect)
        guard keys.count >= Self.keysOfArray else {
            for (position, key) in keys.enumerated() {
                try parameters.set(key, sql)
                try pipeline.send(sql, .none, parameters, isKept: true)
                sent.append(SentSearch(search: number, first: position, isArray: false))
            }
            return
        }
        let array = pipeline.statements.arrayStatement(sql, search.lookup.arrayStatement(dialect))
        for start in stride(from: 0, to: keys.count, by: Self.rowsAtOnce) {
            try parameters.set(search.lookup.key, keys[start..<min(start + Self.rowsAtOnce, keys.count)], array)
            try pipeline.send(array, .none, parameters, isKept: true)
            sent.append(SentSearch(search: number, first: start, isArray: true))
        }
    }

    package func send() throws(SQLError) { pipeline.push() }

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
