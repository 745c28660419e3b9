/// A column by which rows are written or sought, with the type of its values.
package struct SQLColumn: Hashable, Sendable {
    package enum ValueType: Sendable {
        case integer, double, text, blob
    }

    package let name: String
    package let type: ValueType

    package init(_ name: String, _ type: ValueType) {
        self.name = name
        self.type = type
    }
}

/// Rows of one shape for one table. Made once and kept; a connection turns it into its fastest statement.
package struct SQLInsert: Hashable, Sendable {
    package typealias Column = SQLColumn

    package let table: String
    package let columns: [SQLColumn]
    /// The statement for one row, with a placeholder for each column in order.
    package let statement: String

    package init(into table: String, _ columns: [SQLColumn]) {
        self.table = table
        self.columns = columns
        let names = columns.map(\.name).joined(separator: ", ")
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        statement = "INSERT INTO \(table) (\(names)) VALUES (\(places))"
    }
}
