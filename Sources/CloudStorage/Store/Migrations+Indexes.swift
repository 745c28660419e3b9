import CloudCore
import SQLCore

extension CloudSchema {
    /// Format 9: how much of a zone its indexes know. Zones that are there have all entries.
    static func indexReach(_ dialect: SQLDialect) -> String {
        """
        ALTER TABLE zone ADD COLUMN values_indexed \(dialect.number) NOT NULL DEFAULT \(Int64.max);
        ALTER TABLE zone ADD COLUMN words_indexed \(dialect.number) NOT NULL DEFAULT \(Int64.max);

        """
    }

    /// Format 8: each record type has a text index.
    static func textIndex(_ dialect: SQLDialect) -> String {
        """
        INSERT INTO field (type, name, value_type)
            SELECT id, '\(TextIndex.fieldName)', \(FieldType.scalar(.string).schemaCode) FROM record_type;

        """
    }

    /// Format 8: the words of the records that are there.
    static func indexTexts(on connection: any SQLConnection) throws {
        var fields: [Int64: Int64] = [:]
        try connection.query("SELECT type, id FROM field WHERE name = ?1", [.text(TextIndex.fieldName)]) { row in
            fields[row.integer(0)] = row.integer(1)
            return true
        }
        var databases: [Int64] = []
        try connection.query("SELECT id FROM cloud_database ORDER BY id", []) { row in
            databases.append(row.integer(0))
            return true
        }
        for database in databases {
            var last: Int64 = .min
            while let next = try indexTexts(of: database, fields, after: last, on: connection) { last = next }
        }
    }

    private static let entryInsert = SQLInsert(
        into: "entry",
        [
            .init("db", .integer), .init("zone", .integer), .init("field", .integer), .init("key", .blob),
            .init("record", .integer),
        ])

    /// Indexes some records of a database.
    /// - Returns: The row of the last one; `nil` when there are no more.
    private static func indexTexts(
        of database: Int64, _ fields: [Int64: Int64], after last: Int64, on connection: any SQLConnection
    ) throws -> Int64? {
        var end: Int64?
        var rows: [[SQLValue]] = []
        try connection.query(
            """
            SELECT id, zone, type, payload FROM record WHERE db = ?1 AND id > ?2 AND deleted = 0 ORDER BY id LIMIT 200
            """, [.integer(database), .integer(last)]
        ) { row in
            end = row.integer(0)
            guard let field = fields[row.integer(2)] else { return true }
            let content = try RecordCodec.decode(row.blob(3))
            let id = RecordID(name: "", zone: ZoneID(name: "", owner: ""))
            let record = Record(
                id: id, type: "", changeTag: "", fields: content.fields, created: content.created,
                modified: content.modified)
            for entry in TextIndex.entries(of: record, field: field) {
                rows.append([
                    .integer(database), .integer(row.integer(1)), .integer(entry.field), .blob(entry.key),
                    .integer(row.integer(0)),
                ])
            }
            return true
        }
        if !rows.isEmpty { try connection.insert(entryInsert, rows) }
        return end
    }
}
