import CPostgres
package import SQLCore

/// What `notify` told the listeners of a channel.
package struct PostgresNotification: Hashable, Sendable {
    package let channel: String
    package let payload: String
}

/// A connection that only listens, for one thread.
///
/// Notifications sent while nobody was connected are lost, so they can shorten a poll but never replace it.
package final class PostgresListener: SQLListener {
    private let connection: PostgresConnection

    /// - Throws: As ``PostgresDatabase/open()``.
    package init(_ database: PostgresDatabase) throws(SQLError) { connection = try database.open() }

    /// Hears every notification of a channel that is committed from now on.
    package func listen(_ channel: String) throws(SQLError) { try connection.execute("LISTEN \(quoted(channel))") }

    /// The next notification in the order of commits, waiting for one up to `timeout`.
    /// - Returns: `nil` when the time is over.
    /// - Throws: `SQLError` of kind `connectionLost`; the thread then makes a new listener and looks for what it missed.
    package func waitForNotification(timeout: Duration) throws(SQLError) -> PostgresNotification? {
        let pipeline = connection.pipeline
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: timeout)
        while true {
            guard let handle = pipeline.handle else { throw pipeline.lost() }
            // Reading comes first: a connection that broke has told its last notifications before.
            let isRead = PQconsumeInput(handle) == 1
            if let found = PQnotifies(handle) {
                defer { PQfreemem(found) }
                return PostgresNotification(
                    channel: String(cString: found.pointee.relname), payload: String(cString: found.pointee.extra))
            }
            guard isRead, PQstatus(handle) == CONNECTION_OK else { throw pipeline.lost() }
            let left = clock.now.duration(to: end)
            guard left > .zero else { return nil }
            _ = try pipeline.wait(writing: false, for: left)
        }
    }

    package var descriptor: Int32 { connection.pipeline.handle.map { PQsocket($0) } ?? -1 }

    package func take() throws(SQLError) -> Bool {
        var hasHeard = false
        while try waitForNotification(timeout: .zero) != nil { hasHeard = true }
        return hasHeard
    }

    package func close() { connection.close() }
}
