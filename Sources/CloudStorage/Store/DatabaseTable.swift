import SQLCore

/// A table whose rows belong to databases: its column `db` leads its key.
struct DatabaseTable {
    let name: String
    /// What tells the rows of one database apart.
    let key: [String]
}

extension CloudSchema {
    /// What goes when a database is erased, in this order. Whoever makes a table with a column `db` lists it here; a test
    /// compares the list with the tables. `asset_release` stays, which the collection of files has still to see, and so does
    /// `membership`, by which those who took part learn that zones are gone.
    static let databaseTables = [
        // With its zones all that is in them is out of reach, also for those whom it is shared with.
        DatabaseTable(name: "zone", key: ["id"]),
        DatabaseTable(name: "short_guid", key: ["guid"]),
        DatabaseTable(name: "participant", key: ["share", "id"]),
        DatabaseTable(name: "share", key: ["record"]),
        DatabaseTable(name: "shared_record", key: ["record", "share"]),
        DatabaseTable(name: "subscription", key: ["user_name", "name"]),
        DatabaseTable(name: "entry", key: ["zone", "field", "key", "record"]),
        DatabaseTable(name: "reference", key: ["zone", "target", "kind", "source"]),
        DatabaseTable(name: "record", key: ["id"]),
        DatabaseTable(name: "asset_reference", key: ["zone", "record", "content"]),
        DatabaseTable(name: "asset_receipt", key: ["receipt"]),
    ]
}

extension CloudTransaction {
    /// Deletes rows of a database from the tables that have them, one table after the other.
    /// - Parameter limit: The most rows to delete now.
    /// - Returns: Whether nothing of the database is left in the tables.
    func eraseRows(of database: Int64, limit: Int) throws -> Bool {
        var left = limit
        for table in CloudSchema.databaseTables {
            let key = (["db"] + table.key).joined(separator: ", ")
            left -= try connection.execute(
                """
                DELETE FROM \(table.name) WHERE (\(key)) IN
                    (SELECT \(key) FROM \(table.name) WHERE db = ?1 LIMIT ?2)
                """, .integer(database), .integer(Int64(left)))
            if left <= 0 { return false }
        }
        return true
    }
}
