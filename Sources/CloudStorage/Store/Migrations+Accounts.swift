import SQLCore

extension CloudSchema {
    /// The tables of accounts, containers, tokens, sessions and push.
    static func accountTables(_ dialect: SQLDialect) -> String {
        let (number, text, bytes) = (dialect.number, dialect.text, dialect.bytes)
        return """
            CREATE TABLE account (
                id \(dialect.identity), email \(text) NOT NULL UNIQUE, given_name \(text), family_name \(text),
                password_hash \(text), created \(number) NOT NULL);
            CREATE TABLE container (name \(text) PRIMARY KEY, created \(number) NOT NULL);
            CREATE TABLE container_user (
                account \(number) NOT NULL, container \(text) NOT NULL, name \(text) NOT NULL,
                PRIMARY KEY (account, container), UNIQUE (container, name));
            CREATE TABLE api_token (
                hash \(bytes) PRIMARY KEY, container \(text) NOT NULL, environment \(text) NOT NULL, name \(text) NOT NULL,
                created \(number) NOT NULL);
            CREATE TABLE device_session (
                id \(dialect.identity), hash \(bytes) NOT NULL UNIQUE, account \(number) NOT NULL, device_id \(text) NOT NULL,
                device_name \(text) NOT NULL, created \(number) NOT NULL);
            CREATE TABLE web_session (
                id \(bytes) PRIMARY KEY, secret_hash \(bytes) NOT NULL, account \(number) NOT NULL, container \(text) NOT NULL,
                environment \(text) NOT NULL, device_session \(number), expires \(number) NOT NULL);
            CREATE INDEX web_session_device ON web_session (device_session);
            CREATE INDEX web_session_account ON web_session (account, expires);
            CREATE TABLE push_token (
                id \(dialect.identity), account \(number) NOT NULL, client_id \(text) NOT NULL, token \(text) NOT NULL UNIQUE,
                tail \(number) NOT NULL, UNIQUE (account, client_id));
            CREATE TABLE push_binding (
                container \(text) NOT NULL, environment \(text) NOT NULL, user_name \(text) NOT NULL, token \(number) NOT NULL,
                PRIMARY KEY (container, environment, user_name, token));
            CREATE TABLE push (
                token \(number) NOT NULL, sequence \(number) NOT NULL, collapse_key \(text) NOT NULL, payload \(bytes) NOT NULL,
                expires \(number) NOT NULL, PRIMARY KEY (token, sequence));
            CREATE INDEX push_collapse ON push (token, collapse_key);
            CREATE TABLE outbox (
                id \(dialect.identity), container \(text) NOT NULL, environment \(text) NOT NULL, user_name \(text) NOT NULL,
                payload \(bytes) NOT NULL, collapse_key \(text) NOT NULL, origin \(text));

            """
    }
}
