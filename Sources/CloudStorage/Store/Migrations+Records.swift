import SQLCore

extension CloudSchema {
    /// The tables of zones, records, schema and subscriptions.
    static func recordTables(_ dialect: SQLDialect) -> String {
        let (number, text, bytes) = (dialect.number, dialect.text, dialect.bytes)
        return """
            CREATE TABLE cloud_database (
                id \(dialect.identity), container \(text) NOT NULL, environment \(text) NOT NULL,
                scope \(number) NOT NULL, owner \(text) NOT NULL, incarnation \(number) NOT NULL,
                counter \(number) NOT NULL);
            CREATE UNIQUE INDEX cloud_database_key ON cloud_database (container, environment, scope, owner);
            CREATE TABLE zone (
                id \(number) NOT NULL, db \(number) NOT NULL, name \(text) NOT NULL, incarnation \(number) NOT NULL,
                last_change \(number) NOT NULL, deleted \(number) NOT NULL, \(dialect.rowKey));
            CREATE UNIQUE INDEX zone_name ON zone (db, name);
            CREATE INDEX zone_change ON zone (db, last_change);
            CREATE TABLE record (
                id \(number) NOT NULL, db \(number) NOT NULL, zone \(number) NOT NULL, name \(text) NOT NULL,
                type \(number) NOT NULL, seq \(number) NOT NULL, deleted \(number) NOT NULL,
                payload \(bytes) NOT NULL, \(dialect.rowKey));
            CREATE UNIQUE INDEX record_name ON record (db, zone, name);
            CREATE UNIQUE INDEX record_seq ON record (db, zone, seq);
            CREATE TABLE entry (
                db \(number) NOT NULL, zone \(number) NOT NULL, field \(number) NOT NULL, key \(bytes) NOT NULL,
                record \(number) NOT NULL);
            CREATE UNIQUE INDEX entry_key ON entry (db, zone, field, key, record);
            CREATE TABLE reference (
                db \(number) NOT NULL, zone \(number) NOT NULL, target \(text) NOT NULL, kind \(number) NOT NULL,
                source \(number) NOT NULL);
            CREATE UNIQUE INDEX reference_target ON reference (db, zone, target, kind, source);
            CREATE TABLE record_type (
                id \(dialect.identity), container \(text) NOT NULL, environment \(text) NOT NULL,
                name \(text) NOT NULL);
            CREATE UNIQUE INDEX record_type_name ON record_type (container, environment, name);
            CREATE TABLE field (
                id \(dialect.identity), type \(number) NOT NULL, name \(text) NOT NULL, value_type \(number) NOT NULL);
            CREATE UNIQUE INDEX field_name ON field (type, name);
            CREATE TABLE subscription (
                id \(dialect.identity), db \(number) NOT NULL, "user" \(text) NOT NULL, name \(text) NOT NULL,
                record_type \(text) NOT NULL, content \(bytes) NOT NULL);
            CREATE UNIQUE INDEX subscription_name ON subscription (db, "user", name);
            CREATE INDEX subscription_type ON subscription (db, record_type);

            """
    }

    /// Format 3: rows without a number of their own lie in the order of their key; schemas have versions.
    static func keyedTables(_ dialect: SQLDialect) -> String {
        let (number, text, bytes) = (dialect.number, dialect.text, dialect.bytes)
        return """
            CREATE TABLE schema_version (
                container \(text) NOT NULL, environment \(text) NOT NULL, version \(number) NOT NULL,
                PRIMARY KEY (container, environment)) \(dialect.clustered);
            CREATE TABLE keyed_entry (
                db \(number) NOT NULL, zone \(number) NOT NULL, field \(number) NOT NULL, key \(bytes) NOT NULL,
                record \(number) NOT NULL, PRIMARY KEY (db, zone, field, key, record)) \(dialect.clustered);
            INSERT INTO keyed_entry (db, zone, field, key, record)
                SELECT db, zone, field, key, record FROM entry ORDER BY db, zone, field, key, record;
            DROP TABLE entry;
            ALTER TABLE keyed_entry RENAME TO entry;
            CREATE TABLE keyed_reference (
                db \(number) NOT NULL, zone \(number) NOT NULL, target \(text) NOT NULL, kind \(number) NOT NULL,
                source \(number) NOT NULL, PRIMARY KEY (db, zone, target, kind, source)) \(dialect.clustered);
            INSERT INTO keyed_reference (db, zone, target, kind, source)
                SELECT db, zone, target, kind, source FROM reference ORDER BY db, zone, target, kind, source;
            DROP TABLE reference;
            ALTER TABLE keyed_reference RENAME TO reference;

            """
    }
}
