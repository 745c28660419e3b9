import CloudCore
import SQLCore

/// What processes follow: a row of the `watch` table, whose number rises in the transaction that changes what it is for.
enum Watched: String {
    /// Sessions and API tokens that ended.
    case callers
    /// Pushes that came into the logs of push tokens, and logs that ended.
    case pushes
}

/// How far a process has followed what it and others committed.
package struct NewsPosition: Hashable, Sendable {
    package var callers: Int64 = 0
    package var pushes: Int64 = 0

    package init() {}
}

/// What was committed since a position.
package struct StoreNews: Hashable, Sendable {
    package var position = NewsPosition()
    /// The push tokens whose log has something new, or has ended, each once.
    package var tokens: [Int64] = []
    /// Whether something waits to be expanded, left behind perhaps by a process that is no more.
    package var hasOutbox = false

    package init() {}
}

extension CloudTransaction {
    /// What was committed since `position`, by whatever process; without one only how far it goes.
    ///
    /// Nothing is skipped: a number rises while its row is locked, so that who sees it sees all that came with it and
    /// before it.
    package func news(since position: NewsPosition?) throws -> StoreNews {
        var news = StoreNews()
        try connection.query("SELECT name, number, (SELECT MIN(id) FROM outbox) FROM watch", []) { row in
            switch Watched(rawValue: row.text(0)) {
            case .callers: news.position.callers = row.integer(1)
            case .pushes: news.position.pushes = row.integer(1)
            case nil: break
            }
            news.hasOutbox = !row.isNull(2)
            return true
        }
        guard let position, news.position.pushes > position.pushes else { return news }
        try connection.query("SELECT DISTINCT token FROM push WHERE delivery > ?1", [.integer(position.pushes)]) {
            row in
            news.tokens.append(row.integer(0))
            return true
        }
        return news
    }

    /// The number of what is watched; nobody else raises it until the transaction ends.
    func hold(_ watched: Watched) throws -> Int64 {
        let number = try connection.first(
            "SELECT number FROM watch WHERE name = ?1 \(connection.dialect.lock)", .text(watched.rawValue)
        ) { $0.integer(0) }
        guard let number else {
            throw CloudError(.internalError, "the table watch has no row '\(watched.rawValue)'")
        }
        return number
    }

    /// Gives what is watched the number after the one that ``hold(_:)`` told, and lets all processes look.
    func raise(_ watched: Watched, to number: Int64) throws {
        try connection.post(
            "UPDATE watch SET number = ?2 WHERE name = ?1", .text(watched.rawValue), .integer(number))
        if !connection.dialect.notify.isEmpty { try connection.post(connection.dialect.notify) }
        leavesNews = true
    }
}
