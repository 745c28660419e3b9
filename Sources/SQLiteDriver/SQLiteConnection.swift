import CSQLite
import SQLCore

/// A connection with its prepared statements.
final class SQLiteConnection: SQLConnection {
    private(set) var handle: OpaquePointer?
    private var statements: [String: SQLiteStatement] = [:]
    /// The error with which SQLite ended a transaction on its own; nothing runs until the caller rolls back.
    private var lost: SQLError?

    private static let cachedStatements = 256
    let dialect = SQLDialect.sqlite

    init(path: String) throws(SQLError) {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK else {
            let error = failure(code, "opening \(path)")
            close()
            throw error
        }
        sqlite3_extended_result_codes(handle, 1)
    }

    deinit { close() }

    func close() {
        for statement in statements.values { statement.finalize() }
        statements = [:]
        sqlite3_close_v2(handle)
        handle = nil
    }

    @discardableResult
    func execute(_ sql: String, _ binds: [SQLValue]) throws(SQLError) -> Int {
        // SQLite may have ended the transaction on its own; then there is nothing left to do.
        if sql == "ROLLBACK", handle != nil, !isInTransaction {
            lost = nil
            return 0
        }
        let statement = try statement(sql)
        defer { statement.reset() }
        let before = sqlite3_total_changes(handle)
        try bind(binds, to: statement, sql)
        while try step(statement, sql) {}
        return sqlite3_total_changes(handle) == before ? 0 : Int(sqlite3_changes(handle))
    }

    func query(_ sql: String, _ binds: [SQLValue], _ body: (any SQLRow) throws -> Bool) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        try bind(binds, to: statement, sql)
        let row = SQLiteRow(statement: statement.pointer)
        while try step(statement, sql), try body(row) {}
    }

    func insert(_ insert: SQLInsert, _ rows: [[SQLValue]]) throws(SQLError) {
        guard !rows.isEmpty else { return }
        let statement = try statement(insert.statement)
        defer { statement.reset() }
        for row in rows {
            try bind(row, to: statement, insert.statement)
            while try step(statement, insert.statement) {}
            statement.rewind()
        }
    }

    func query(_ sql: String, each binds: [[SQLValue]], _ body: (Int, any SQLRow) throws -> Void) throws {
        guard !binds.isEmpty else { return }
        let statement = try statement(sql)
        defer { statement.reset() }
        let row = SQLiteRow(statement: statement.pointer)
        for (position, binds) in binds.enumerated() {
            try bind(binds, to: statement, sql)
            while try step(statement, sql) { try body(position, row) }
            statement.rewind()
        }
    }

    func script(_ sql: String) throws(SQLError) {
        if let lost { throw lost }
        let wasOpen = isInTransaction
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw noting(failure(code, sql), wasOpen) }
    }

    private var isInTransaction: Bool { handle != nil && sqlite3_get_autocommit(handle) == 0 }

    /// The kept statement for a text, or a passing one while the kept one is under a cursor.
    private func statement(_ sql: String) throws(SQLError) -> SQLiteStatement {
        if let lost { throw lost }
        guard handle != nil else { throw SQLError(.misuse, "the connection is closed", statement: sql) }
        let kept = statements[sql]
        if let kept, !kept.isBusy {
            kept.isBusy = true
            return kept
        }
        var pointer: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        guard code == SQLITE_OK else { throw failure(code, sql) }
        guard let pointer else { throw SQLError(.misuse, "the statement is empty", statement: sql) }
        let fresh = SQLiteStatement(pointer, isKept: kept == nil)
        if kept == nil {
            if statements.count >= Self.cachedStatements { dropIdleStatements() }
            statements[sql] = fresh
        }
        return fresh
    }

    private func dropIdleStatements() {
        for (sql, statement) in statements where !statement.isBusy {
            statement.finalize()
            statements[sql] = nil
        }
    }

    private func bind(_ binds: [SQLValue], to statement: SQLiteStatement, _ sql: String) throws(SQLError) {
        let pointer = statement.pointer
        // SQLite copies the bytes before the call returns.
        let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (offset, value) in binds.enumerated() {
            let index = Int32(offset + 1)
            let code: Int32
            switch value {
            case .null: code = sqlite3_bind_null(pointer, index)
            case .integer(let integer): code = sqlite3_bind_int64(pointer, index, integer)
            case .double(let double): code = sqlite3_bind_double(pointer, index, double)
            case .text(var text):
                code = text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) { characters in
                        guard let base = characters.baseAddress else {
                            return sqlite3_bind_text(pointer, index, "", 0, copying)
                        }
                        return sqlite3_bind_text(pointer, index, base, Int32(characters.count), copying)
                    }
                }
            case .blob(let bytes):
                code =
                    bytes.isEmpty
                    ? sqlite3_bind_zeroblob(pointer, index, 0)
                    : sqlite3_bind_blob(pointer, index, bytes, Int32(bytes.count), copying)
            }
            guard code == SQLITE_OK else { throw failure(code, sql) }
        }
    }

    /// - Returns: Whether a row is under the cursor.
    private func step(_ statement: SQLiteStatement, _ sql: String) throws(SQLError) -> Bool {
        let wasOpen = isInTransaction
        let code = sqlite3_step(statement.pointer)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw noting(failure(code, sql), wasOpen)
        }
    }

    private func noting(_ error: SQLError, _ wasOpen: Bool) -> SQLError {
        if wasOpen, !isInTransaction { lost = error }
        return error
    }

    private func failure(_ code: Int32, _ sql: String) -> SQLError {
        let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        let message = text.map { String(cString: $0) } ?? "SQLite error \(code)"
        return SQLError(SQLiteStatement.kind(code), "\(message) (SQLite \(code))", statement: sql)
    }
}
