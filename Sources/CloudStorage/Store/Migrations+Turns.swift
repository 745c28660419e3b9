import SQLCore

extension CloudSchema {
    /// Format 5, for several processes: subscriptions are led by their database, and there is a row to take turns by.
    static func turnTables(_ dialect: SQLDialect) -> String {
        let (number, text, bytes) = (dialect.number, dialect.text, dialect.bytes)
        return """
            CREATE TABLE keyed_subscription (
                db \(number) NOT NULL, user_name \(text) NOT NULL, name \(text) NOT NULL, record_type \(text) NOT NULL,
                content \(bytes) NOT NULL, PRIMARY KEY (db, user_name, name));
            INSERT INTO keyed_subscription (db, user_name, name, record_type, content)
                SELECT db, "user", name, record_type, content FROM subscription;
            DROP TABLE subscription;
            ALTER TABLE keyed_subscription RENAME TO subscription;
            CREATE INDEX subscription_type ON subscription (db, record_type);
            CREATE TABLE turn (name \(text) PRIMARY KEY);
            INSERT INTO turn (name) VALUES ('outbox');

            """
    }
}
