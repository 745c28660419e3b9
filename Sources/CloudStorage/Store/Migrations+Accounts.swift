extension CloudSchema {
    /// The tables of accounts, containers, tokens, sessions and push.
    static let accountTables = """
        CREATE TABLE account (
            id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, given_name TEXT, family_name TEXT,
            password_hash TEXT, created BIGINT NOT NULL);
        CREATE TABLE container (name TEXT PRIMARY KEY, created BIGINT NOT NULL);
        CREATE TABLE container_user (
            account BIGINT NOT NULL, container TEXT NOT NULL, name TEXT NOT NULL,
            PRIMARY KEY (account, container), UNIQUE (container, name));
        CREATE TABLE api_token (
            hash BLOB PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL, name TEXT NOT NULL,
            created BIGINT NOT NULL);
        CREATE TABLE device_session (
            id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, account BIGINT NOT NULL, device_id TEXT NOT NULL,
            device_name TEXT NOT NULL, created BIGINT NOT NULL);
        CREATE TABLE web_session (
            id BLOB PRIMARY KEY, secret_hash BLOB NOT NULL, account BIGINT NOT NULL, container TEXT NOT NULL,
            environment TEXT NOT NULL, device_session BIGINT, expires BIGINT NOT NULL);
        CREATE INDEX web_session_device ON web_session (device_session);
        CREATE INDEX web_session_account ON web_session (account, expires);
        CREATE TABLE push_token (
            id INTEGER PRIMARY KEY, account BIGINT NOT NULL, client_id TEXT NOT NULL, token TEXT NOT NULL UNIQUE,
            tail BIGINT NOT NULL, UNIQUE (account, client_id));
        CREATE TABLE push_binding (
            container TEXT NOT NULL, environment TEXT NOT NULL, user_name TEXT NOT NULL, token BIGINT NOT NULL,
            PRIMARY KEY (container, environment, user_name, token));
        CREATE TABLE push (
            token BIGINT NOT NULL, sequence BIGINT NOT NULL, collapse_key TEXT NOT NULL, payload BLOB NOT NULL,
            expires BIGINT NOT NULL, PRIMARY KEY (token, sequence));
        CREATE INDEX push_collapse ON push (token, collapse_key);
        CREATE TABLE outbox (
            id INTEGER PRIMARY KEY, container TEXT NOT NULL, environment TEXT NOT NULL, user_name TEXT NOT NULL,
            payload BLOB NOT NULL, collapse_key TEXT NOT NULL, origin TEXT);

        """
}
