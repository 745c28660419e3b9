/// The tables of the record engine. Every key is led by the database, so that one user is one range.
package enum RecordTables {
    package static let script = """
        CREATE TABLE IF NOT EXISTS cloud_database (
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL, scope INTEGER NOT NULL,
            owner TEXT NOT NULL, incarnation INTEGER NOT NULL, counter INTEGER NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS cloud_database_key ON cloud_database (container, environment, scope, owner);
        CREATE TABLE IF NOT EXISTS zone (
            id INTEGER PRIMARY KEY, db INTEGER NOT NULL, name TEXT NOT NULL, incarnation INTEGER NOT NULL,
            last_change INTEGER NOT NULL, deleted INTEGER NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS zone_name ON zone (db, name);
        CREATE INDEX IF NOT EXISTS zone_change ON zone (db, last_change);
        CREATE TABLE IF NOT EXISTS record (
            id INTEGER PRIMARY KEY, db INTEGER NOT NULL, zone INTEGER NOT NULL, name TEXT NOT NULL,
            type INTEGER NOT NULL, seq INTEGER NOT NULL, deleted INTEGER NOT NULL, payload BLOB NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS record_name ON record (db, zone, name);
        CREATE UNIQUE INDEX IF NOT EXISTS record_seq ON record (db, zone, seq);
        CREATE TABLE IF NOT EXISTS entry (
            db INTEGER NOT NULL, zone INTEGER NOT NULL, field INTEGER NOT NULL, key BLOB NOT NULL,
            record INTEGER NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS entry_key ON entry (db, zone, field, key, record);
        CREATE TABLE IF NOT EXISTS reference (
            db INTEGER NOT NULL, zone INTEGER NOT NULL, target TEXT NOT NULL, kind INTEGER NOT NULL,
            source INTEGER NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS reference_target ON reference (db, zone, target, kind, source);
        CREATE TABLE IF NOT EXISTS record_type (
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS record_type_name ON record_type (container, environment, name);
        CREATE TABLE IF NOT EXISTS field (
            id INTEGER PRIMARY KEY, type INTEGER NOT NULL, name TEXT NOT NULL, value_type INTEGER NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS field_name ON field (type, name);
        CREATE TABLE IF NOT EXISTS subscription (
            id INTEGER PRIMARY KEY, db INTEGER NOT NULL, user TEXT NOT NULL, name TEXT NOT NULL,
            record_type TEXT NOT NULL, content BLOB NOT NULL);
        CREATE UNIQUE INDEX IF NOT EXISTS subscription_name ON subscription (db, user, name);
        CREATE INDEX IF NOT EXISTS subscription_type ON subscription (db, record_type);
        """
}
