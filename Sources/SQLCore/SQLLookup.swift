/// Rows of one table that are sought by the values of some columns. Made once and kept; a connection turns it into its
/// fastest statement.
package struct SQLLookup: Hashable, Sendable {
    /// What the transaction does with the rows that it finds.
    package enum Hold: Hashable, Sendable {
        case nothing
        /// They are locked until the transaction ends; it waits for others who have locked them.
        case lock
        /// They are locked, and left out where others have locked them.
        case lockFree
    }

    package let table: String
    /// What is read of a row: columns, separated by commas.
    package let columns: String
    /// The columns that are compared, for equality.
    package let key: [SQLColumn]
    package let hold: Hold

    package init(_ columns: String, from table: String, by key: [SQLColumn], hold: Hold = .nothing) {
        self.columns = columns
        self.table = table
        self.key = key
        self.hold = hold
    }

    /// The statement for one list of values, with a placeholder for each column of the key.
    package func statement(_ dialect: SQLDialect) -> String {
        let sought = key.enumerated().map { "\($1.name) = ?\($0 + 1)" }.joined(separator: " AND ")
        return "SELECT \(columns) FROM \(table) WHERE \(sought)\(dialect.words(of: hold))"
    }
}

/// A lookup and the lists of values that are sought with it.
package struct SQLSearch {
    package let lookup: SQLLookup
    package let keys: [[SQLValue]]

    package init(_ lookup: SQLLookup, _ keys: [[SQLValue]]) {
        self.lookup = lookup
        self.keys = keys
    }
}

extension SQLDialect {
    /// What ends a SELECT that holds its rows so.
    package func words(of hold: SQLLookup.Hold) -> String {
        switch hold {
        case .nothing: ""
        case .lock: lock
        case .lockFree: lockFree
        }
    }
}
