import Foundation
package import PostgresDriver
package import SQLCore

/// A schema of its own in the PostgreSQL that the run was given, empty at first.
///
/// The address is the environment's `CUMULET_TEST_POSTGRES`, which `scripts/test` sets to a private cluster.
package struct PostgresTestDatabase: Sendable {
    /// The address of the run's PostgreSQL; `nil` when it has none.
    package static let address = ProcessInfo.processInfo.environment["CUMULET_TEST_POSTGRES"]

    /// The database, in which names without a schema are those of this one.
    package let database: PostgresDatabase
    package let schema: String
    private let address: String

    /// - Throws: `SQLError` of kind `misuse` when the run has no PostgreSQL.
    package init(limits: PostgresDatabase.Limits = PostgresDatabase.Limits()) throws(SQLError) {
        guard let address = Self.address else {
            throw SQLError(.misuse, "CUMULET_TEST_POSTGRES is not set: scripts/test sets it")
        }
        self.address = address
        schema = "test_" + UUID().uuidString.lowercased()
        database = try PostgresDatabase(Self.named(schema, address), schema: schema, limits: limits)
        try run("CREATE SCHEMA \"\(schema)\"")
    }

    /// The address of this schema, for another process.
    package var ownAddress: String {
        let setting = "options=-csearch_path%3D%22\(schema)%22"
        guard address.contains("://") else { return address + " options='-csearch_path=\"\(schema)\"'" }
        return address + (address.contains("?") ? "&" : "?") + setting
    }

    /// Drops the schema with everything in it. Connections that still use it must have been closed.
    package func remove() throws(SQLError) { try run("DROP SCHEMA \"\(schema)\" CASCADE") }

    /// What PostgreSQL says of each connection of ``database``, and of each whose `application_name` is ``schema``, such as
    /// `idle` or `idle in transaction`.
    package func sessions() throws -> [String] {
        let connection = try PostgresDatabase(address).open()
        defer { connection.close() }
        var states: [String] = []
        try connection.query(
            "SELECT coalesce(state, '') FROM pg_stat_activity WHERE application_name = ?1", [.text(schema)]
        ) { row in
            states.append(row.text(0))
            return true
        }
        return states
    }

    /// As ``sessions()``, once they are as wanted: PostgreSQL needs a moment to end a transaction or a connection whose end
    /// nobody waits for.
    /// - Returns: After half a minute what there is then.
    package func sessions(until isSettled: ([String]) -> Bool) throws -> [String] {
        let deadline = ContinuousClock.now + .seconds(30)
        while true {
            let states = try sessions()
            if isSettled(states) || ContinuousClock.now > deadline { return states }
        }
    }

    /// The address, whose connections PostgreSQL then lists under a name.
    private static func named(_ name: String, _ address: String) -> String {
        guard address.contains("://") else { return address + " application_name=\(name)" }
        return address + (address.contains("?") ? "&" : "?") + "application_name=\(name)"
    }

    private func run(_ sql: String) throws(SQLError) {
        let connection = try PostgresDatabase(address).open()
        defer { connection.close() }
        try connection.script(sql)
    }
}
