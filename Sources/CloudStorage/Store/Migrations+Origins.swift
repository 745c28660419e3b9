import SQLCore

extension CloudSchema {
    /// Format 2: where an API token's pages may come from, and which sign-in of a device a push token belongs to.
    static func originTables(_ dialect: SQLDialect) -> String {
        """
        CREATE TABLE api_token_origin (
            hash \(dialect.bytes) NOT NULL, origin \(dialect.text) NOT NULL, PRIMARY KEY (hash, origin));
        ALTER TABLE push_token ADD COLUMN device_session \(dialect.number);
        CREATE INDEX push_token_device ON push_token (device_session);
        CREATE INDEX push_binding_token ON push_binding (token);

        """
    }
}
