import CSQLite
import SQLCore

/// A prepared statement.
final class SQLiteStatement {
    let pointer: OpaquePointer
    var isBusy = true
    private let isKept: Bool

    init(_ pointer: OpaquePointer, isKept: Bool) {
        self.pointer = pointer
        self.isKept = isKept
    }

    /// Makes a kept statement ready for its next use; a passing one ends here.
    func reset() {
        guard isKept else { return finalize() }
        sqlite3_reset(pointer)
        sqlite3_clear_bindings(pointer)
        isBusy = false
    }

    /// Makes the statement ready for other binds of the same call.
    func rewind() { sqlite3_reset(pointer) }

    func finalize() { sqlite3_finalize(pointer) }

    /// The kind of an extended result code.
    static func kind(_ code: Int32) -> SQLError.Kind {
        switch code {
        case 2067, 1555, 2579: return .uniqueViolation  // SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY, _ROWID
        default: break
        }
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_FULL: return .full
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY: return .ioError
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .corrupt
        case SQLITE_INTERRUPT: return .interrupted
        case SQLITE_MISUSE, SQLITE_RANGE: return .misuse
        default: return .other
        }
    }
}

struct SQLiteRow: SQLRow {
    let statement: OpaquePointer

    func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }
    func double(_ column: Int) -> Double { sqlite3_column_double(statement, Int32(column)) }
    func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    func text(_ column: Int) -> String {
        guard let start = sqlite3_column_text(statement, Int32(column)) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    func blob(_ column: Int) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, Int32(column)) else { return [] }
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }
}
