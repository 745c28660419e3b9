/// A database that hands out connections.
package protocol SQLDatabase: Sendable {
    /// Opens a connection, to be used by one thread at a time.
    func connect() throws(SQLError) -> any SQLConnection
    /// Whether several connections may be open, each seeing what the others committed. When false only one may be.
    var hasConcurrentReaders: Bool { get }
    /// How many connections may write side by side. Above 1 the database lets a transaction wait for the rows that
    /// another has locked.
    var writers: Int { get }
    /// How many connections for reading are worth having.
    var readers: Int { get }
    /// Whether other processes may change the database meanwhile, so that what they commit has to be looked for.
    var isShared: Bool { get }
    /// Hears of commits that ran ``SQLDialect/notify``; `nil` where the database tells nobody, and looking must do.
    func listen() throws(SQLError) -> (any SQLListener)?
}

extension SQLDatabase {
    package var writers: Int { 1 }
    package var readers: Int { 2 }
    package var isShared: Bool { false }
    package func listen() throws(SQLError) -> (any SQLListener)? { nil }
}

/// Hears of commits of other connections, for one thread. What is told while nobody listens is lost, so a listener
/// shortens the wait for the next look and never replaces it.
package protocol SQLListener: AnyObject {
    /// Becomes readable when there is something to take.
    var descriptor: Int32 { get }
    /// Takes what has been told.
    /// - Returns: Whether there was anything.
    /// - Throws: `SQLError` of kind `connectionLost`; the listener is of no more use then.
    func take() throws(SQLError) -> Bool
    func close()
}
