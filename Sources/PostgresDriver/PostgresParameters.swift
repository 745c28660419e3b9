import CPostgres
import SQLCore

/// The values of one statement in PostgreSQL's binary form. Kept and reused, so that its memory is.
struct PostgresParameters {
    private(set) var types: [Oid] = []
    private var starts: [Int] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    // Never empty, so that an empty value has an address too.
    private var bytes: [UInt8] = [0]

    var byteCount: Int { bytes.count }

    mutating func set(_ values: [SQLValue], _ sql: String) throws(SQLError) {
        clear()
        for value in values {
            try begin(Self.type(of: value), isNull: value == .null, sql)
            try append(value, sql)
            lengths[lengths.count - 1] = Int32(bytes.count - starts[starts.count - 1])
        }
    }

    /// Sets a value for each column.
    mutating func set(_ columns: [SQLColumn], _ row: [SQLValue], _ sql: String) throws(SQLError) {
        clear()
        try Self.check(row, columns, sql)
        for (column, value) in zip(columns, row) {
            let type = Self.types(of: column.type).element
            try Self.check(value, column, type, sql)
            try begin(type, isNull: value == .null, sql)
            try append(value, sql)
            lengths[lengths.count - 1] = Int32(bytes.count - starts[starts.count - 1])
        }
    }

    /// Sets an array for each column.
    mutating func set(_ columns: [SQLColumn], _ rows: ArraySlice<[SQLValue]>, _ sql: String) throws(SQLError) {
        clear()
        for (index, column) in columns.enumerated() {
            let types = Self.types(of: column.type)
            try begin(types.array, isNull: false, sql)
            append(Int32(1))  // dimensions
            append(Int32(1))  // there may be nulls
            append(Int32(bitPattern: types.element))
            append(Int32(rows.count))
            append(Int32(1))  // the first element's number
            for row in rows {
                if index == 0 { try Self.check(row, columns, sql) }
                let value = row[index]
                guard value != .null else {
                    append(Int32(-1))
                    continue
                }
                try Self.check(value, column, types.element, sql)
                let start = bytes.count
                append(Int32(0))
                try append(value, sql)
                replaceLength(at: start)
            }
            lengths[lengths.count - 1] = Int32(bytes.count - starts[starts.count - 1])
        }
    }

    /// The pointers as libpq takes them; valid inside `body`.
    func withPointers<T>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> T
    ) -> T {
        bytes.withUnsafeBytes { raw in
            let base = raw.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values = starts.map { start in start < 0 ? nil : base.map { $0 + start } }
            return values.withUnsafeBufferPointer { values in
                lengths.withUnsafeBufferPointer { lengths in
                    formats.withUnsafeBufferPointer { body(values.baseAddress, lengths.baseAddress, $0.baseAddress) }
                }
            }
        }
    }

    private mutating func clear() {
        types.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        formats.removeAll(keepingCapacity: true)
        // One large statement must not hold its memory for ever.
        bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
        bytes.append(0)
    }

    private mutating func begin(_ type: Oid, isNull: Bool, _ sql: String) throws(SQLError) {
        guard bytes.count < 1 << 30 else { throw SQLError(.misuse, "the values exceed 1 GiB", statement: sql) }
        types.append(type)
        starts.append(isNull ? -1 : bytes.count)
        lengths.append(0)
        formats.append(1)
    }

    private mutating func append(_ value: SQLValue, _ sql: String) throws(SQLError) {
        switch value {
        case .null: break
        case .integer(let integer): append(integer)
        case .double(let double): append(double.bitPattern)
        case .text(let text):
            let start = bytes.count
            bytes.append(contentsOf: text.utf8)
            if bytes[start...].contains(0) {
                throw SQLError(
                    .unstorableText, "PostgreSQL cannot store a text that contains U+0000 (value \(types.count))",
                    statement: sql)
            }
        case .blob(let blob): bytes.append(contentsOf: blob)
        }
    }

    private mutating func append<T: FixedWidthInteger>(_ number: T) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes, at `start`, the length of what follows those four bytes.
    private mutating func replaceLength(at start: Int) {
        withUnsafeBytes(of: Int32(bytes.count - start - 4).bigEndian) { length in
            for offset in 0..<4 { bytes[start + offset] = length[offset] }
        }
    }

    private static func check(_ row: [SQLValue], _ columns: [SQLColumn], _ sql: String) throws(SQLError) {
        guard row.count == columns.count else {
            throw SQLError(.misuse, "a row of \(row.count) values for \(columns.count) columns", statement: sql)
        }
    }

    private static func check(_ value: SQLValue, _ column: SQLColumn, _ type: Oid, _ sql: String) throws(SQLError) {
        guard value == .null || Self.type(of: value) == type else {
            throw SQLError(.misuse, "column \(column.name) is of another type than its value", statement: sql)
        }
    }

    private static func type(of value: SQLValue) -> Oid {
        switch value {
        case .null: PostgresType.unknown
        case .integer: PostgresType.int8
        case .double: PostgresType.float8
        case .text: PostgresType.text
        case .blob: PostgresType.bytea
        }
    }

    private static func types(of type: SQLColumn.ValueType) -> (array: Oid, element: Oid) {
        switch type {
        case .integer: (PostgresType.int8Array, PostgresType.int8)
        case .double: (PostgresType.float8Array, PostgresType.float8)
        case .text: (PostgresType.textArray, PostgresType.text)
        case .blob: (PostgresType.byteaArray, PostgresType.bytea)
        }
    }
}
