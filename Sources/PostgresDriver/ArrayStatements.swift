import SQLCore

/// Statements that take an array for each column, so that one does for many rows.
extension SQLInsert {
    var arrayStatement: String {
        "INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", "))) SELECT * FROM \(columns.unnest)"
    }
}

extension SQLChange {
    var arrayStatement: String {
        let values = changed.enumerated().map { "\($1.name) = given.v\($0)" }.joined(separator: ", ")
        let sought = key.enumerated().map { "\(table).\($1.name) = given.v\(changed.count + $0)" }
            .joined(separator: " AND ")
        let given = "\(columns.unnest) AS given (\(columns.names))"
        return changed.isEmpty
            ? "DELETE FROM \(table) USING \(given) WHERE \(sought)"
            : "UPDATE \(table) SET \(values) FROM \(given) WHERE \(sought)"
    }
}

extension SQLLookup {
    /// Gives the position of the values, from 1, behind the columns.
    ///
    /// OFFSET keeps the planner from joining the table as a whole: each list of values is sought as one would be alone.
    func arrayStatement(_ dialect: SQLDialect) -> String {
        let sought = key.enumerated().map { "\(table).\($1.name) = given.v\($0)" }.joined(separator: " AND ")
        return """
            SELECT found.*, given.place FROM \(key.unnest) WITH ORDINALITY AS given (\(key.names), place)
            CROSS JOIN LATERAL (SELECT \(columns) FROM \(table) WHERE \(sought) OFFSET 0\(dialect.words(of: hold))) AS found
            """
    }
}

extension [SQLColumn] {
    /// The rows of one array parameter for each column.
    fileprivate var unnest: String {
        let arrays = enumerated().map { index, column in
            switch column.type {
            case .integer: "$\(index + 1)::bigint[]"
            case .double: "$\(index + 1)::float8[]"
            case .text: "$\(index + 1)::text[]"
            case .blob: "$\(index + 1)::bytea[]"
            }
        }
        return "unnest(\(arrays.joined(separator: ", ")))"
    }

    fileprivate var names: String { indices.map { "v\($0)" }.joined(separator: ", ") }
}
