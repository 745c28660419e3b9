import CPostgres
import Glibc
package import SQLCore

/// A PostgreSQL database (15 or later, encoded in UTF-8), by its address.
///
/// What the address leaves out comes from where libpq looks: `PGPASSWORD`, `PGPASSFILE` (`~/.pgpass`), a service file and
/// the other `PG…` variables. Descriptions and errors name user, host, port and database, never the password. Unless the
/// address says otherwise a dead network is noticed after 30 seconds of sent data without acknowledgement, or of idling 30
/// and three more times 10 seconds (`tcp_user_timeout`, `keepalives…`).
package struct PostgresDatabase: SQLDatabase, CustomStringConvertible {
    /// How long things may take; `nil` is any time.
    package struct Limits: Sendable {
        /// To connect to one host; `PGCONNECT_TIMEOUT` and the address come first. Whole seconds, at least 2.
        package var connecting: Duration = .seconds(10)
        /// One statement; a script has no limit. Beyond it the error is of kind `timeout`.
        package var statement: Duration? = .seconds(30)
        /// Waiting for another transaction's lock. Beyond it the error is of kind `timeout` too.
        package var lock: Duration? = .seconds(10)
        /// A transaction that is asked nothing; the server then ends the connection, so that its locks go.
        package var idleTransaction: Duration? = .seconds(60)

        package init() {}
    }

    /// Connections that write, of one process: as many as processors, 2 to 8. More of them share what waits, and commit it
    /// in more, smaller transactions.
    package var writers = min(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN))), 8)
    /// Connections that read, of one process.
    package var readers = 8

    private let address: PostgresAddress
    private let schema: String?
    private let limits: Limits

    /// - Parameters:
    ///   - address: `postgresql://user@host:port/database?option=value`, or libpq's `host=… dbname=…`.
    ///   - schema: The schema that names without one mean; `nil` leaves the server's setting.
    /// - Throws: `SQLError` of kind `misuse` when the address cannot be read.
    package init(_ address: String, schema: String? = nil, limits: Limits = Limits()) throws(SQLError) {
        self.address = try PostgresAddress(address)
        self.schema = schema
        self.limits = limits
    }

    package var description: String { address.description }

    package var hasConcurrentReaders: Bool { true }

    package var isShared: Bool { true }

    /// What ``SQLDialect/notify`` speaks to. Stores in other schemas of the database are heard too, which does no harm.
    static let channel = "cumulet"

    package func listen() throws(SQLError) -> (any SQLListener)? {
        let listener = try PostgresListener(self)
        try listener.listen(Self.channel)
        return listener
    }

    package func connect() throws(SQLError) -> any SQLConnection { try open() }

    /// Opens a connection.
    /// - Throws: `SQLError` of kind `connectionLost` when the server cannot be reached or refuses, `misuse` when a
    ///   password is missing or the database is not encoded in UTF-8.
    package func open() throws(SQLError) -> PostgresConnection {
        guard let handle = address.connect(timeout: limits.connecting) else {
            throw SQLError(.other, "no memory for a connection to \(self)")
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let error =
                PQconnectionNeedsPassword(handle) == 1
                ? SQLError(.misuse, "PostgreSQL asks for a password: put it in PGPASSFILE or PGPASSWORD")
                : SQLError(.connectionLost, firstLine(PQerrorMessage(handle)))
            PQfinish(handle)
            throw error
        }
        cpostgres_ignore_notices(handle)
        let encoding = PQparameterStatus(handle, "server_encoding").map { String(cString: $0) } ?? ""
        guard encoding == "UTF8" else {
            PQfinish(handle)
            throw SQLError(.misuse, "the database \(self) is encoded in \(encoding), not in UTF8")
        }
        // A server that answers keeps its own limits; this one is for a server that has stopped.
        let connection = PostgresConnection(
            try PostgresPipeline(handle, patience: limits.statement.map { $0 + .seconds(30) }))
        try connection.script(settings)
        return connection
    }

    /// What every connection is set to, whatever the server's configuration says.
    private var settings: String {
        func milliseconds(_ limit: Duration?) -> Int64 { limit.map { max(1, Int64($0 / .milliseconds(1))) } ?? 0 }
        var lines = [
            "SET client_min_messages = error",
            "SET standard_conforming_strings = on",
            "SET lock_timeout = \(milliseconds(limits.lock))",
            "SET idle_in_transaction_session_timeout = \(milliseconds(limits.idleTransaction))",
            // A commit that was answered must be durable.
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
        ]
        if let schema { lines.append("SET search_path = \(quoted(schema))") }
        // Last, since a script itself lifts it.
        lines.append("SET statement_timeout = \(milliseconds(limits.statement))")
        return lines.joined(separator: ";\n")
    }
}

/// A name as SQL writes one that may have any character.
func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
}

extension SQLDialect {
    /// PostgreSQL 15 or later.
    package static let postgres = SQLDialect(
        identity: "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY", bytes: "BYTEA", text: "TEXT COLLATE \"C\"",
        beginWrite: "BEGIN ISOLATION LEVEL READ COMMITTED",
        beginRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", lock: " FOR UPDATE",
        lockFree: " FOR UPDATE SKIP LOCKED", isRemote: true,
        // Each statement is planned once, and seeks row by row whatever the planner believes of a table's size.
        keyedSettings: """
            SET plan_cache_mode = force_generic_plan; SET jit = off; SET enable_seqscan = off; SET enable_hashjoin = off;
            SET enable_mergejoin = off
            """,
        notify: "SELECT pg_notify('\(PostgresDatabase.channel)', '')", analyze: "ANALYZE",
        relate: "CREATE STATISTICS")
}
