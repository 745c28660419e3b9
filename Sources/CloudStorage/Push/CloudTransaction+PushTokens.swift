package import CloudCore
import CloudCrypto
import SQLCore

extension CloudTransaction {
    /// The push token of an account's client, made at the first call.
    /// - Parameter deviceSession: The sign-in of a device that the client belongs to now; the token ends with it.
    package func registerPushToken(account: Int64, clientID: String, deviceSession: Int64? = nil) throws
        -> PushToken
    {
        let device: SQLValue = deviceSession.map { .integer($0) } ?? .null
        try connection.execute(
            """
            INSERT INTO push_token (id, account, client_id, token, tail, device_session) VALUES (?5, ?1, ?2, ?3, 0, ?4)
            ON CONFLICT (account, client_id) DO UPDATE SET device_session = excluded.device_session
            """, .integer(account), .text(clientID), .text(Base64.encode(Crypto.random(32))), device,
            // Never one that was there before: polls of an ended log may still ask for it.
            .integer(Int64.random(in: 1...Int64.max)))
        let token = try connection.first(
            "SELECT id, token, tail FROM push_token WHERE account = ?1 AND client_id = ?2", .integer(account),
            .text(clientID)
        ) { PushToken(id: $0.integer(0), token: $0.text(1), tail: $0.integer(2)) }
        guard let token else { throw CloudError(.internalError, "the push token was not kept") }
        return token
    }

    /// Sends a user's pushes in a container to a token from now on. Binding twice changes nothing.
    package func bindPushToken(
        _ token: String, userName: String, container: ContainerID, environment: CloudEnvironment
    ) throws {
        guard let id = try pushTokenID(token) else { throw CloudError(.badRequest, "the push token is unknown") }
        try connection.execute(
            """
            INSERT INTO push_binding (container, environment, user_name, token) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO NOTHING
            """, .text(container.rawValue), .text(environment.rawValue), .text(userName), .integer(id))
    }

    /// How long a log that ended tells so, in milliseconds: longer than any poll waits for it.
    private static let endLifetime: Int64 = 120_000

    /// Forgets the push tokens of a signed-out device with their bindings and pushes, and ends their logs, so that polls
    /// in any process hear of it.
    func dropPushTokens(of session: DeviceSession) throws {
        // Format 1 did not note the session: such a token is known by the device's id.
        try dropPushTokens(
            """
            SELECT id FROM push_token WHERE device_session = ?1
            UNION SELECT id FROM push_token WHERE account = ?2 AND client_id = ?3 AND device_session IS NULL
            """, [.integer(session.id), .integer(session.account), .text(session.deviceID)])
    }

    /// Forgets all push tokens of an account, in the same way.
    func dropPushTokens(ofAccount account: Int64) throws {
        try dropPushTokens("SELECT id FROM push_token WHERE account = ?1", [.integer(account)])
    }

    private func dropPushTokens(_ selection: String, _ binds: [SQLValue]) throws {
        var ids: [Int64] = []
        try connection.query(selection, binds) { row in
            ids.append(row.integer(0))
            return true
        }
        if ids.isEmpty { return }
        let delivery = try hold(.pushes) + 1
        for id in ids {
            try connection.post("DELETE FROM push WHERE token = ?1", .integer(id))
            try connection.post("DELETE FROM push_binding WHERE token = ?1", .integer(id))
            try connection.post("DELETE FROM push_token WHERE id = ?1", .integer(id))
            try connection.post(
                """
                INSERT INTO push (token, sequence, collapse_key, payload, expires, delivery)
                VALUES (?1, ?2, '', ?3, ?4, ?5)
                """, .integer(id), .integer(WaitingPush.end), .blob([]), .integer(now + Self.endLifetime),
                .integer(delivery))
        }
        try raise(.pushes, to: delivery)
    }

    package func pushTokenID(_ token: String) throws -> Int64? {
        try connection.first("SELECT id FROM push_token WHERE token = ?1", .text(token)) { $0.integer(0) }
    }

    /// A push of a token.
    /// - Parameter after: `nil` takes the oldest push away, which needs a write. A number asks for the oldest push with
    ///   a higher one, which stays until it expires.
    package func nextPush(token: String, after: Int64?) throws -> WaitingPush? {
        guard let id = try pushTokenID(token) else { return nil }
        let push = try waitingPush(id, after: after ?? 0)
        if after == nil, let push {
            try connection.post(
                "DELETE FROM push WHERE token = ?1 AND sequence <= ?2", .integer(id), .integer(push.sequence))
        }
        return push
    }

    /// The oldest push with a higher number in the log of a token, which may be no more.
    package func waitingPush(_ token: Int64, after: Int64) throws -> WaitingPush? {
        try connection.first(
            """
            SELECT payload, sequence FROM push WHERE token = ?1 AND sequence > ?2 AND expires > ?3
            ORDER BY sequence LIMIT 1
            """, .integer(token), .integer(after), .integer(now)
        ) { WaitingPush(payload: $0.blob(0), sequence: $0.integer(1)) }
    }
}
