extension CloudSchema {
    /// Where an API token's pages may come from, and which sign-in of a device a push token belongs to.
    static let originTables = """
        CREATE TABLE api_token_origin (hash BLOB NOT NULL, origin TEXT NOT NULL, PRIMARY KEY (hash, origin));
        ALTER TABLE push_token ADD COLUMN device_session BIGINT;
        CREATE INDEX push_token_device ON push_token (device_session);
        CREATE INDEX push_binding_token ON push_binding (token);

        """
}
