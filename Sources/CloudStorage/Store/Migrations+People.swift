import SQLCore

extension CloudSchema {
    /// Format 8: names, numbers and discoverability of people; accounts that are closed; server-to-server keys; the size of
    /// databases.
    static func peopleTables(_ dialect: SQLDialect) -> String {
        let (number, text, bytes) = (dialect.number, dialect.text, dialect.bytes)
        return """
            ALTER TABLE account ADD COLUMN name_prefix \(text);
            ALTER TABLE account ADD COLUMN middle_name \(text);
            ALTER TABLE account ADD COLUMN name_suffix \(text);
            ALTER TABLE account ADD COLUMN nickname \(text);
            ALTER TABLE account ADD COLUMN phone \(text);
            ALTER TABLE account ADD COLUMN discoverable \(number) NOT NULL DEFAULT 0;
            ALTER TABLE account ADD COLUMN state \(number) NOT NULL DEFAULT 0;
            CREATE UNIQUE INDEX account_phone ON account (phone);
            ALTER TABLE container_user ADD COLUMN discoverable \(number);
            ALTER TABLE cloud_database ADD COLUMN bytes \(number) NOT NULL DEFAULT 0;
            UPDATE cloud_database SET bytes =
                COALESCE((SELECT SUM(LENGTH(payload)) FROM record WHERE record.db = cloud_database.id), 0);
            CREATE TABLE server_key (
                id \(text) PRIMARY KEY, container \(text) NOT NULL, environment \(text) NOT NULL, name \(text) NOT NULL,
                public_key \(bytes) NOT NULL, account \(number) NOT NULL, created \(number) NOT NULL);
            CREATE TABLE erasure (
                account \(number) NOT NULL, container \(text) NOT NULL, user_name \(text) NOT NULL,
                PRIMARY KEY (account, container));
            CREATE INDEX device_session_account ON device_session (account);

            """
    }
}
