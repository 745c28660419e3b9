import SQLCore

extension CloudSchema {
    /// Format 6, for several processes: numbers that tell each of them what the others did.
    static func watchTables(_ dialect: SQLDialect) -> String {
        let (number, text) = (dialect.number, dialect.text)
        return """
            DROP TABLE turn;
            CREATE TABLE watch (name \(text) PRIMARY KEY, number \(number) NOT NULL);
            INSERT INTO watch (name, number) VALUES ('callers', 0), ('pushes', 0);
            ALTER TABLE push ADD COLUMN delivery \(number) NOT NULL DEFAULT 0;
            CREATE INDEX push_delivery ON push (delivery, token);

            """
    }
}
