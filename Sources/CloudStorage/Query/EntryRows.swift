import SQLCore

/// Rows of `entry`: those of one zone and field that lie between two places.
struct EntryRows {
    let database: Int64
    let zone: Int64
    let field: Int64
    /// What they lie behind.
    let lower: IndexCursor.Place
    /// What they lie before.
    let upper: IndexCursor.Place
    let most: Int

    /// The statement for ``binds``, which gives key and record, in the order of both.
    static func statement(ascending: Bool = true) -> String {
        let order = ascending ? "ASC" : "DESC"
        return """
            SELECT key, record FROM entry WHERE db = ?1 AND zone = ?2 AND field = ?3
            AND (key, record) > (?4, ?5) AND (key, record) < (?6, ?7)
            ORDER BY key \(order), record \(order) LIMIT ?8
            """
    }

    var binds: [SQLValue] {
        [
            .integer(database), .integer(zone), .integer(field), .blob(lower.key), .integer(lower.row),
            .blob(upper.key), .integer(upper.row), .integer(Int64(most)),
        ]
    }
}
