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
}

extension SQLDatabase {
    package var writers: Int { 1 }
    package var readers: Int { 2 }
}
