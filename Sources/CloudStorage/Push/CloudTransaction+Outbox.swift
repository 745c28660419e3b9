import CloudCore
import SQLCore

extension CloudTransaction {
    /// Pushes kept for one token; older ones go. A push is a hint, so no change is lost with it.
    static let pushesPerToken: Int64 = 1000
    /// How long a push waits for its client, in milliseconds.
    static let pushLifetime: Int64 = 7 * 24 * 3600 * 1000
    /// Expired pushes that one transaction removes.
    static let expiredPerSweep: Int64 = 500

    /// Writes a push that the commit will send.
    package func enqueuePush(_ entry: OutboxEntry) throws {
        try connection.execute(
            """
            INSERT INTO outbox (container, environment, user_name, payload, collapse_key, origin)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """, .text(entry.container.rawValue), .text(entry.environment.rawValue), .text(entry.userName),
            .blob(entry.payload), .text(entry.collapseKey), .optional(entry.originClientID))
        leavesPushes = true
    }

    /// Turns the oldest outbox rows into pushes of every token bound to their user, except the client that caused them.
    ///
    /// Removes some of the pushes that have expired, whoever they wait for, so that those of clients which never come
    /// back go too.
    /// - Returns: The ids of the tokens that got a push, each once.
    package func expandOutbox(limit: Int) throws -> [Int64] {
        var rows: [OutboxRow] = []
        try connection.query(
            """
            SELECT id, container, environment, user_name, payload, collapse_key, origin FROM outbox
            ORDER BY id LIMIT ?1
            """, [.integer(Int64(limit) + 1)]
        ) { row in
            rows.append(
                OutboxRow(
                    id: row.integer(0), container: row.text(1), environment: row.text(2), userName: row.text(3),
                    payload: row.blob(4), collapseKey: row.text(5), origin: row.optionalText(6)))
            return true
        }
        let hasMore = rows.count > limit
        var woken: [Int64] = []
        var seen: Set<Int64> = []
        for row in rows.prefix(limit) {
            for token in try tokens(for: row) {
                try append(row, to: token)
                if seen.insert(token).inserted { woken.append(token) }
            }
            try connection.execute("DELETE FROM outbox WHERE id = ?1", .integer(row.id))
        }
        for token in woken { try trim(token) }
        try removeExpiredPushes()
        if hasMore { leavesPushes = true }
        return woken
    }

    private struct OutboxRow {
        let id: Int64
        let container, environment, userName: String
        let payload: [UInt8]
        let collapseKey: String
        let origin: String?
    }

    private func tokens(for row: OutboxRow) throws -> [Int64] {
        var tokens: [Int64] = []
        try connection.query(
            """
            SELECT t.id FROM push_binding b JOIN push_token t ON t.id = b.token
            WHERE b.container = ?1 AND b.environment = ?2 AND b.user_name = ?3 AND (t.client_id <> ?4 OR ?4 IS NULL)
            ORDER BY t.id
            """, [.text(row.container), .text(row.environment), .text(row.userName), .optional(row.origin)]
        ) { found in
            tokens.append(found.integer(0))
            return true
        }
        return tokens
    }

    /// Appends a push under the token's next number; one that waits with the same key goes.
    private func append(_ row: OutboxRow, to token: Int64) throws {
        if !row.collapseKey.isEmpty {
            try connection.execute(
                "DELETE FROM push WHERE token = ?1 AND collapse_key = ?2", .integer(token), .text(row.collapseKey))
        }
        let number = try connection.first(
            "UPDATE push_token SET tail = tail + 1 WHERE id = ?1 RETURNING tail", .integer(token)
        ) { $0.integer(0) }
        guard let number else { return }
        try connection.execute(
            "INSERT INTO push (token, sequence, collapse_key, payload, expires) VALUES (?1, ?2, ?3, ?4, ?5)",
            .integer(token), .integer(number), .text(row.collapseKey), .blob(row.payload),
            .integer(now + Self.pushLifetime))
    }

    /// Keeps the newest pushes of a token.
    private func trim(_ token: Int64) throws {
        try connection.execute(
            """
            DELETE FROM push WHERE token = ?1 AND sequence <=
                (SELECT sequence FROM push WHERE token = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
            """, .integer(token), .integer(Self.pushesPerToken))
    }

    private func removeExpiredPushes() throws {
        var expired: [[SQLValue]] = []
        try connection.query(
            "SELECT token, sequence FROM push WHERE expires <= ?1 ORDER BY expires LIMIT ?2",
            [.integer(now), .integer(Self.expiredPerSweep)]
        ) { row in
            expired.append([.integer(row.integer(0)), .integer(row.integer(1))])
            return true
        }
        for push in expired { try connection.post("DELETE FROM push WHERE token = ?1 AND sequence = ?2", push) }
    }
}
