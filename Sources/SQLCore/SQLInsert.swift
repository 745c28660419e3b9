/// Rows of one shape for one table. Made once and kept; a connection turns it into its fastest statement.
package struct SQLInsert: Hashable, Sendable {
    package enum ColumnType: Sendable {
        case integer, double, text, blob
    }

    package struct Column: Hashable, Sendable {
        package let name: String
        package let type: ColumnType

        package init(_ name: String, _ type: ColumnType) {
            self.name = name
            self.type = type
        }
    }

    package let table: String
    package let columns: [Column]
    /// The statement for one row, with a placeholder for each column in order.
    package let statement: String

    package init(into table: String, _ columns: [Column]) {
        self.table = table
        self.columns = columns
        let names = columns.map(\.name).joined(separator: ", ")
        let places = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        statement = "INSERT INTO \(table) (\(names)) VALUES (\(places))"
    }
}
