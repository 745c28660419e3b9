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
    package func enqueuePush(_ entry: OutboxEntry) throws { try enqueuePushes([entry]) }

    /// Writes pushes that the commit will send.
    func enqueuePushes(_ entries: [OutboxEntry]) throws {
        guard !entries.isEmpty else { return }
        try connection.insert(
            Self.outboxInsert,
            entries.map {
                [
                    .text($0.container.rawValue), .text($0.environment.rawValue), .text($0.userName),
                    .blob($0.payload), .text($0.collapseKey), .optional($0.originClientID),
                ]
            })
        leavesNews = true
    }

    private static let outboxInsert = SQLInsert(
        into: "outbox",
        [
            .init("container", .text), .init("environment", .text), .init("user_name", .text),
            .init("payload", .blob), .init("collapse_key", .text), .init("origin", .text),
        ])

    /// Turns the oldest outbox rows into pushes of every token bound to their user, except the client that caused them.
    ///
    /// Processes that share the database take turns, so each row is expanded once and newer pushes follow older ones.
    /// Removes some of the pushes that have expired, whoever they wait for, so that those of clients which never come
    /// back go too.
    /// - Returns: The ids of the tokens that got a push, each once.
    package func expandOutbox(limit: Int) throws -> [Int64] {
        let delivery = try hold(.pushes) + 1
        let rows = try outbox(limit: limit)
        var expansion = OutboxExpansion()
        for (row, tokens) in zip(rows, try tokens(for: rows)) {
            for token in tokens { expansion.append(row, to: token.id, after: token.tail) }
        }
        for row in rows { try connection.post("DELETE FROM outbox WHERE id = ?1", .integer(row.id)) }
        if !rows.isEmpty {
            try write(expansion, delivery)
            try raise(.pushes, to: delivery)
        }
        try removeExpiredPushes()
        return expansion.tokens
    }

    private func outbox(limit: Int) throws -> [OutboxRow] {
        var rows: [OutboxRow] = []
        try connection.query(
            """
            SELECT id, container, environment, user_name, payload, collapse_key, origin FROM outbox
            ORDER BY id LIMIT ?1
            """, [.integer(Int64(limit))]
        ) { row in
            rows.append(
                OutboxRow(
                    id: row.integer(0), container: row.text(1), environment: row.text(2), userName: row.text(3),
                    payload: row.blob(4), collapseKey: row.text(5), origin: row.optionalText(6)))
            return true
        }
        return rows
    }

    /// The tokens that each row goes to, with the number of their newest push. They stay until the transaction ends.
    private func tokens(for rows: [OutboxRow]) throws -> [[(id: Int64, tail: Int64)]] {
        var tokens = [[(id: Int64, tail: Int64)]](repeating: [], count: rows.count)
        try connection.query(
            """
            SELECT t.id, t.tail FROM push_binding b JOIN push_token t ON t.id = b.token
            WHERE b.container = ?1 AND b.environment = ?2 AND b.user_name = ?3 AND (t.client_id <> ?4 OR ?4 IS NULL)
            ORDER BY t.id \(connection.dialect.lock)
            """,
            each: rows.map { [.text($0.container), .text($0.environment), .text($0.userName), .optional($0.origin)] }
        ) { tokens[$0].append(($1.integer(0), $1.integer(1))) }
        return tokens
    }

    /// Writes the pushes under their numbers; those that wait with the same key go, and the oldest of too many.
    private func write(_ expansion: OutboxExpansion, _ delivery: Int64) throws {
        var rows: [[SQLValue]] = []
        for token in expansion.tokens {
            guard let pushes = expansion.pushes[token] else { continue }
            for push in pushes where !push.collapseKey.isEmpty {
                try connection.post(
                    "DELETE FROM push WHERE token = ?1 AND collapse_key = ?2", .integer(token),
                    .text(push.collapseKey))
            }
            for push in pushes {
                rows.append([
                    .integer(token), .integer(push.number), .text(push.collapseKey), .blob(push.payload),
                    .integer(now + Self.pushLifetime), .integer(delivery),
                ])
            }
            try connection.post(
                "UPDATE push_token SET tail = ?2 WHERE id = ?1", .integer(token),
                .integer(expansion.tails[token] ?? 0))
        }
        if !rows.isEmpty { try connection.insert(OutboxExpansion.pushInsert, rows) }
        for token in expansion.tokens {
            try connection.post(
                """
                DELETE FROM push WHERE token = ?1 AND sequence <=
                    (SELECT sequence FROM push WHERE token = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
                """, .integer(token), .integer(Self.pushesPerToken))
        }
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

/// A row of the `outbox` table.
private struct OutboxRow {
    let id: Int64
    let container, environment, userName: String
    let payload: [UInt8]
    let collapseKey: String
    let origin: String?
}

/// The pushes that outbox rows become, by token.
private struct OutboxExpansion {
    struct Push {
        let number: Int64
        let collapseKey: String
        let payload: [UInt8]
    }

    static let pushInsert = SQLInsert(
        into: "push",
        [
            .init("token", .integer), .init("sequence", .integer), .init("collapse_key", .text),
            .init("payload", .blob), .init("expires", .integer), .init("delivery", .integer),
        ])

    /// In the order of their first push.
    private(set) var tokens: [Int64] = []
    private(set) var pushes: [Int64: [Push]] = [:]
    /// The number of each token's newest push.
    private(set) var tails: [Int64: Int64] = [:]

    /// Appends a push under the token's next number; one of the same key goes.
    mutating func append(_ row: OutboxRow, to token: Int64, after tail: Int64) {
        if tails[token] == nil { tokens.append(token) }
        let number = (tails[token] ?? tail) + 1
        tails[token] = number
        if !row.collapseKey.isEmpty { pushes[token]?.removeAll { $0.collapseKey == row.collapseKey } }
        pushes[token, default: []].append(
            Push(number: number, collapseKey: row.collapseKey, payload: row.payload))
    }
}
