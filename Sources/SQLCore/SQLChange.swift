/// Rows of one table that get other values, or go, each sought by its whole key. Made once and kept; a connection turns it
/// into its fastest statement.
package struct SQLChange: Hashable, Sendable {
    package let table: String
    /// The columns that get values; none when the rows go.
    package let changed: [SQLColumn]
    package let key: [SQLColumn]
    /// The statement for one row, with a placeholder for each changed column, then for each of the key.
    package let statement: String

    /// Gives the `changed` columns of the rows other values.
    package init(update table: String, set changed: [SQLColumn], where key: [SQLColumn]) {
        self.init(table, changed, key)
    }

    package init(delete table: String, where key: [SQLColumn]) { self.init(table, [], key) }

    private init(_ table: String, _ changed: [SQLColumn], _ key: [SQLColumn]) {
        self.table = table
        self.changed = changed
        self.key = key
        let values = changed.enumerated().map { "\($1.name) = ?\($0 + 1)" }.joined(separator: ", ")
        let sought = key.enumerated().map { "\($1.name) = ?\(changed.count + $0 + 1)" }.joined(separator: " AND ")
        statement = (changed.isEmpty ? "DELETE FROM \(table)" : "UPDATE \(table) SET \(values)") + " WHERE \(sought)"
    }

    /// The columns of a row of values: the changed ones, then the key.
    package var columns: [SQLColumn] { changed + key }
}
