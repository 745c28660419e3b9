import CloudCore
import SQLCore

/// The connection of one thread, made again after it is lost. Used by that thread only.
final class KeptConnection {
    private let database: any SQLDatabase
    private let queue: JobQueue
    private(set) var connection: (any SQLConnection)?
    /// Whether ``connection`` is set to what it is for.
    private var isSet = false
    private let seeksKeys: Bool
    private var failures = 0
    /// Why the last attempt to connect failed.
    private var lastFailure: SQLError?

    private static let longestPause: Duration = .seconds(1)

    /// - Parameters:
    ///   - connection: One that is open already.
    ///   - seeksKeys: Whether its statements seek single rows by their keys.
    init(
        _ connection: (any SQLConnection)?, of database: any SQLDatabase, _ queue: JobQueue, seeksKeys: Bool = false
    ) {
        self.seeksKeys = seeksKeys
        self.connection = connection
        self.database = database
        self.queue = queue
    }

    /// The connection, or a new one, for which the thread waits with growing pauses.
    /// - Parameter deadline: When to give up. Once it is over nobody waits for an attempt more, unless none has failed yet.
    /// - Throws: The last attempt's error, of kind `connectionLost` when the database cannot be reached.
    func open(until deadline: ContinuousClock.Instant) throws(SQLError) -> any SQLConnection {
        while true {
            if let connection, isSet || !seeksKeys { return connection }
            if let lastFailure, ContinuousClock.now >= deadline { throw lastFailure }
            do throws(SQLError) {
                if connection == nil { connection = try database.connect() }
                if seeksKeys, let connection, !connection.dialect.keyedSettings.isEmpty {
                    try connection.script(connection.dialect.keyedSettings)
                }
                isSet = true
                failures = 0
                lastFailure = nil
            } catch {
                drop()
                lastFailure = error
                failures += 1
                guard error.kind == .connectionLost || error.kind == .busy || error.kind == .timeout,
                    ContinuousClock.now < deadline,
                    queue.pause(min(.milliseconds(20) * (1 << min(failures, 6)), Self.longestPause))
                else { throw error }
            }
        }
    }

    /// Ends a connection that is of no more use.
    func drop() {
        connection?.close()
        connection = nil
        isSet = false
    }
}
