/// A database that hands out connections.
package protocol SQLDatabase: Sendable {
    /// Opens a connection, to be used by one thread at a time.
    func connect() throws(SQLError) -> any SQLConnection
    /// Whether several connections may be open, each seeing what the others committed. When false only one may be.
    var hasConcurrentReaders: Bool { get }
}
