import SQLCore

extension CloudSchema {
    /// Format 8: which files of assets there are, which uploads wait for their save, which records hold which file, and
    /// which files somebody let go of.
    ///
    /// Files are shared by all databases of the store, so their table alone is not led by one.
    static func assetTables(_ dialect: SQLDialect) -> String {
        let (number, text, bytes) = (dialect.number, dialect.text, dialect.bytes)
        return """
            CREATE TABLE asset_file (content \(bytes) PRIMARY KEY, suffix \(text) NOT NULL, size \(number) NOT NULL);
            CREATE TABLE asset_receipt (
                db \(number) NOT NULL, receipt \(bytes) NOT NULL, content \(bytes) NOT NULL, checksum \(text) NOT NULL,
                size \(number) NOT NULL, user_name \(text) NOT NULL, record_type \(text), field \(text),
                expires \(number) NOT NULL, PRIMARY KEY (db, receipt));
            CREATE INDEX asset_receipt_content ON asset_receipt (content);
            CREATE INDEX asset_receipt_expires ON asset_receipt (expires);
            CREATE TABLE asset_reference (
                db \(number) NOT NULL, zone \(number) NOT NULL, record \(number) NOT NULL, content \(bytes) NOT NULL,
                size \(number) NOT NULL, PRIMARY KEY (db, zone, record, content)) \(dialect.clustered);
            CREATE INDEX asset_reference_content ON asset_reference (content);
            CREATE TABLE asset_release (
                db \(number) NOT NULL, content \(bytes) NOT NULL, since \(number) NOT NULL, turn \(number) NOT NULL,
                PRIMARY KEY (db, content));
            CREATE INDEX asset_release_since ON asset_release (since);

            """
    }
}
