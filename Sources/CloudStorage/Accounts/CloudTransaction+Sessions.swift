package import CloudCore
import CloudCrypto
import SQLCore

extension CloudTransaction {
    /// Signs a device in.
    /// - Returns: The session's secret, 64 hexadecimal digits; only its hash is kept.
    package func startDeviceSession(account: Int64, deviceID: String, deviceName: String) throws -> String {
        try requireActive(account)
        let token = Hex.encode(Crypto.random(32))
        try connection.execute(
            """
            INSERT INTO device_session (hash, account, device_id, device_name, created) VALUES (?1, ?2, ?3, ?4, ?5)
            """, .blob(Self.hash(token)), .integer(account), .text(deviceID), .text(deviceName), .integer(now))
        return token
    }

    /// - Throws: `authenticationFailed` when the account was disabled or removed meanwhile.
    private func requireActive(_ account: Int64) throws {
        let state = try connection.first("SELECT state FROM account WHERE id = ?1", .integer(account)) {
            $0.integer(0)
        }
        guard state ?? AccountState.active.rawValue == AccountState.active.rawValue else {
            throw CloudError(.authenticationFailed, "Authentication failed: the account is disabled", nativeCode: 9)
        }
    }

    /// The session of a secret; `nil` when it ended or never was.
    package func deviceSession(_ token: String) throws -> DeviceSession? {
        try connection.first(
            "SELECT id, account, device_id FROM device_session WHERE hash = ?1", .blob(Self.hash(token))
        ) { DeviceSession(id: $0.integer(0), account: $0.integer(1), deviceID: $0.text(2)) }
    }

    /// Signs a device out: ends its session, the web sessions made from it and the push tokens of both, so that nothing
    /// is delivered to it any more, and no process remembers them. Nothing happens when there is no such session.
    package func endDeviceSession(_ token: String) throws {
        guard let session = try deviceSession(token) else { return }
        try connection.execute("DELETE FROM web_session WHERE device_session = ?1", .integer(session.id))
        try connection.execute("DELETE FROM device_session WHERE id = ?1", .integer(session.id))
        try dropPushTokens(of: session)
        try raise(.callers, to: try hold(.callers) + 1)
    }

    /// Starts a session with a container.
    /// - Parameter lifetime: Milliseconds until it expires.
    package func startWebSession(
        account: Int64, container: ContainerID, environment: CloudEnvironment, deviceSession: Int64?, lifetime: Int64
    ) throws -> WebSession {
        try requireActive(account)
        try connection.execute(
            "DELETE FROM web_session WHERE account = ?1 AND expires <= ?2", .integer(account), .integer(now))
        let session = WebSession(
            id: Crypto.random(16), secret: Crypto.random(32), account: account, container: container,
            environment: environment, userName: try userName(of: account, in: container), deviceSession: deviceSession,
            expires: now + lifetime)
        try connection.execute(
            """
            INSERT INTO web_session (id, secret_hash, account, container, environment, device_session, expires)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """, .blob(session.id), .blob(Crypto.sha256(session.secret)), .integer(account),
            .text(container.rawValue), .text(environment.rawValue), deviceSession.map { .integer($0) } ?? .null,
            .integer(session.expires))
        return session
    }

    /// The session of an id and its secret; `nil` when the secret is another or the session ended or expired.
    package func webSession(id: [UInt8], secret: [UInt8]) throws -> WebSession? {
        let row = try connection.first(
            """
            SELECT secret_hash, account, container, environment, expires, device_session FROM web_session WHERE id = ?1
            """, .blob(id)
        ) { row in
            (
                row.blob(0), row.integer(1), ContainerID(row.text(2)), row.text(3), row.integer(4),
                row.isNull(5) ? nil : row.integer(5)
            )
        }
        guard let (hash, account, container, word, expires, device) = row, expires > now,
            Crypto.equal(hash, Crypto.sha256(secret)), let environment = CloudEnvironment(rawValue: word)
        else { return nil }
        return WebSession(
            id: id, secret: secret, account: account, container: container, environment: environment,
            userName: try userName(of: account, in: container), deviceSession: device, expires: expires)
    }

    /// Gives a session another secret, so that no web auth token made before is good any more.
    /// - Returns: The session with its new secret; `nil` when `secret` is not its present one or it is over.
    package func rotateWebSession(id: [UInt8], secret: [UInt8]) throws -> WebSession? {
        guard let session = try webSession(id: id, secret: secret) else { return nil }
        let fresh = Crypto.random(32)
        try connection.execute(
            "UPDATE web_session SET secret_hash = ?2 WHERE id = ?1", .blob(id), .blob(Crypto.sha256(fresh)))
        return WebSession(
            id: id, secret: fresh, account: session.account, container: session.container,
            environment: session.environment, userName: session.userName, deviceSession: session.deviceSession,
            expires: session.expires)
    }

    /// Whether a session goes on, whatever its secret.
    package func isWebSessionLive(id: [UInt8]) throws -> Bool {
        try connection.first("SELECT expires FROM web_session WHERE id = ?1", .blob(id)) { $0.integer(0) > now }
            ?? false
    }

    /// Ends one session with a container.
    package func endWebSession(id: [UInt8]) throws {
        try connection.execute("DELETE FROM web_session WHERE id = ?1", .blob(id))
        try raise(.callers, to: try hold(.callers) + 1)
    }

    /// A fresh web auth token of a session; earlier ones stay good until the session ends.
    package func webAuthToken(for session: WebSession) -> String {
        WebAuthToken(sessionID: session.id, secret: session.secret, issued: now).encoded(key: secret)
    }

    /// The session of a web auth token; `nil` when the token is not ours, was altered, or its session ended.
    package func webSession(token: String) throws -> WebSession? {
        guard let token = WebAuthToken(token, key: secret) else { return nil }
        return try webSession(id: token.sessionID, secret: token.secret)
    }
}
