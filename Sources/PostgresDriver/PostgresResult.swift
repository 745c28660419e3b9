import CPostgres
import SQLCore

/// The numbers under which PostgreSQL knows the types that are exchanged in binary.
enum PostgresType {
    static let unknown: Oid = 0
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let name: Oid = 19
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let oid: Oid = 26
    static let float4: Oid = 700
    static let float8: Oid = 701
    static let literal: Oid = 705
    static let bpchar: Oid = 1042
    static let varchar: Oid = 1043
    static let byteaArray: Oid = 1001
    static let textArray: Oid = 1009
    static let int8Array: Oid = 1016
    static let float8Array: Oid = 1022

    static func isReadable(_ type: Oid) -> Bool {
        switch type {
        case bool, bytea, name, int8, int2, int4, text, oid, float4, float8, literal, bpchar, varchar: true
        case 2278: true  // void, what pg_notify and the like give
        default: false
        }
    }
}

/// A whole answer to one statement, freed with its last owner.
final class PostgresResult {
    let pointer: OpaquePointer

    /// - Parameter pointer: A result that nobody else frees.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var rowCount: Int { Int(PQntuples(pointer)) }

    /// The rows that an INSERT, UPDATE or DELETE changed; what a SELECT read changes nothing.
    var changedRows: Int {
        guard let status = PQcmdStatus(pointer), let count = PQcmdTuples(pointer) else { return 0 }
        switch status[0] {
        case CChar(UInt8(ascii: "I")), CChar(UInt8(ascii: "U")), CChar(UInt8(ascii: "D")), CChar(UInt8(ascii: "M")):
            return Int(String(cString: count)) ?? 0
        default: return 0
        }
    }

    /// Refuses columns whose binary form this driver does not read.
    func checkColumns(_ sql: String) throws(SQLError) {
        for column in 0..<PQnfields(pointer) where !PostgresType.isReadable(PQftype(pointer, column)) {
            let name = PQfname(pointer, column).map { String(cString: $0) } ?? ""
            throw SQLError(
                .misuse, "column \(column) (\(name)) has PostgreSQL type \(PQftype(pointer, column)): cast it",
                statement: sql)
        }
    }
}

/// A row of a result. A number asked of a text or byte column, and the reverse, is a mistake in the program and traps.
struct PostgresRow: SQLRow {
    let result: PostgresResult
    let row: Int32

    func isNull(_ column: Int) -> Bool { PQgetisnull(result.pointer, row, Int32(column)) != 0 }

    func integer(_ column: Int) -> Int64 {
        let bytes = bytes(column)
        guard !bytes.isEmpty else { return 0 }
        switch type(column) {
        case PostgresType.int8: return Int64(bitPattern: number(bytes))
        case PostgresType.int4: return Int64(Int32(bitPattern: number(bytes)))
        case PostgresType.int2: return Int64(Int16(bitPattern: number(bytes)))
        case PostgresType.bool: return bytes[0] == 0 ? 0 : 1
        case PostgresType.oid: return Int64(number(bytes) as UInt32)
        case PostgresType.float8, PostgresType.float4: return clamped(double(column))
        default: preconditionFailure("column \(column) is no number")
        }
    }

    func double(_ column: Int) -> Double {
        let bytes = bytes(column)
        guard !bytes.isEmpty else { return 0 }
        switch type(column) {
        case PostgresType.float8: return Double(bitPattern: number(bytes))
        case PostgresType.float4: return Double(Float(bitPattern: number(bytes)))
        default: return Double(integer(column))
        }
    }

    func text(_ column: Int) -> String {
        switch type(column) {
        case PostgresType.int8, PostgresType.int4, PostgresType.int2, PostgresType.oid, PostgresType.bool:
            return isNull(column) ? "" : String(integer(column))
        case PostgresType.float8, PostgresType.float4: return isNull(column) ? "" : String(double(column))
        default: return String(decoding: bytes(column), as: UTF8.self)
        }
    }

    func blob(_ column: Int) -> [UInt8] { [UInt8](bytes(column)) }

    private func type(_ column: Int) -> Oid {
        // PostgreSQL answers a column that is not there with a warning and no type.
        precondition(column >= 0 && column < Int(PQnfields(result.pointer)), "there is no column \(column)")
        return PQftype(result.pointer, Int32(column))
    }

    private func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result.pointer, row, Int32(column)),
            count: Int(PQgetlength(result.pointer, row, Int32(column))))
    }

    private func number<T: FixedWidthInteger>(_ bytes: UnsafeRawBufferPointer) -> T {
        T(bigEndian: bytes.loadUnaligned(as: T.self))
    }

    /// As SQLite converts: towards zero, held to the range.
    private func clamped(_ double: Double) -> Int64 {
        if double.isNaN { return 0 }
        return Int64(exactly: double.rounded(.towardZero)) ?? (double < 0 ? .min : .max)
    }
}
