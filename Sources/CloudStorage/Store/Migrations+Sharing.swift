import SQLCore

extension CloudSchema {
    /// Format 8: shares, who takes part in them, and what a tree that is shared has in it.
    ///
    /// All but the two directories (`membership`, by user, and `short_guid`) lie with the database of the owner.
    static func sharingTables(_ dialect: SQLDialect) -> String {
        let (number, text, bytes) = (dialect.number, dialect.text, dialect.bytes)
        return """
            ALTER TABLE zone ADD COLUMN sharing \(number) NOT NULL DEFAULT 0;
            CREATE TABLE share (
                db \(number) NOT NULL, zone \(number) NOT NULL, record \(number) NOT NULL, root \(number) NOT NULL,
                public_permission \(number) NOT NULL, access_requests \(number) NOT NULL, PRIMARY KEY (db, record));
            CREATE UNIQUE INDEX share_root ON share (db, zone, root);
            CREATE TABLE participant (
                db \(number) NOT NULL, share \(number) NOT NULL, id \(text) NOT NULL, kind \(number) NOT NULL,
                place \(number) NOT NULL, user_name \(text), email \(text), phone \(text), role \(number) NOT NULL,
                permission \(number) NOT NULL, status \(number) NOT NULL, added \(number) NOT NULL,
                approved \(number) NOT NULL, invitation \(bytes), PRIMARY KEY (db, share, id));
            CREATE TABLE membership (
                container \(text) NOT NULL, environment \(text) NOT NULL, user_name \(text) NOT NULL,
                db \(number) NOT NULL, share \(number) NOT NULL, zone \(number) NOT NULL, owner \(text) NOT NULL,
                zone_name \(text) NOT NULL, ended \(number) NOT NULL,
                PRIMARY KEY (container, environment, user_name, db, share));
            CREATE INDEX membership_share ON membership (db, share);
            CREATE TABLE shared_record (
                db \(number) NOT NULL, zone \(number) NOT NULL, share \(number) NOT NULL, record \(number) NOT NULL,
                seq \(number) NOT NULL, gone \(number) NOT NULL, PRIMARY KEY (db, record, share));
            CREATE UNIQUE INDEX shared_record_seq ON shared_record (db, share, seq, record);
            CREATE TABLE short_guid (
                guid \(text) PRIMARY KEY, container \(text) NOT NULL, environment \(text) NOT NULL,
                db \(number) NOT NULL, zone \(number) NOT NULL, record \(number) NOT NULL);
            CREATE UNIQUE INDEX short_guid_record ON short_guid (db, zone, record);

            """
    }
}
