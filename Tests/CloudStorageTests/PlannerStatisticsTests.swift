import CloudCore
@testable import CloudStorage
import DatabaseTestSupport
@testable import PostgresDriver
import SQLCore
import Testing

/// What PostgreSQL's planner makes of the store's tables.
@Suite(.enabled(if: PostgresTestDatabase.address != nil)) struct `The planner` {
    private let test: PostgresTestDatabase

    init() throws { test = try PostgresTestDatabase() }

    /// The plan of a statement whose values are not known yet, as a connection keeps it.
    private func plan(_ statement: String, types: String, values: String, on connection: any SQLConnection) throws
        -> String
    {
        try connection.script("SET plan_cache_mode = force_generic_plan; PREPARE sought (\(types)) AS \(statement)")
        var lines: [String] = []
        try connection.query("EXPLAIN EXECUTE sought (\(values))", []) { row in
            lines.append(row.text(0))
            return true
        }
        try connection.script("DEALLOCATE sought")
        return lines.joined(separator: "\n")
    }

    @Test func `seeks a record by its name with the index of names, among small zones and a large one`() async throws {
        let cloud = try RecordFixture(database: test.database)
        let connection = try test.database.connect()
        for (zones, records) in [(1...500, 2), (501...501, 3000)] {
            try connection.script(
                """
                INSERT INTO record (db, zone, id, name, type, seq, deleted, payload)
                SELECT db, db::bigint << 40, db::bigint << 40 | number, 'a record with the number ' || number, 1, number, 0, ''
                FROM generate_series(\(zones.lowerBound), \(zones.upperBound)) AS db,
                    generate_series(1, \(records)) AS number
                """)
        }
        try connection.script("ANALYZE record")
        let byName = try plan(
            "SELECT payload FROM record WHERE db = $1 AND zone = $2 AND name = $3", types: "bigint, bigint, text",
            values: "501, 1, 'x'", on: connection)
        #expect(byName.contains("Index Scan using record_name"), "\(byName)")
        let byNames = try plan(
            RecordRow.byName.arrayStatement(.postgres), types: "bigint[], bigint[], text[]",
            values: "'{501}', '{1}', '{x}'", on: connection)
        #expect(byNames.contains("Nested Loop") && byNames.contains("Index Scan using record_name"), "\(byNames)")
        let feed = try plan(
            "SELECT payload FROM record WHERE db = $1 AND zone = $2 AND seq > $3 ORDER BY seq LIMIT $4",
            types: "bigint, bigint, bigint, bigint", values: "501, 1, 1, 201", on: connection)
        #expect(feed.contains("Index Scan using record_seq") && !feed.contains("Sort"), "\(feed)")
        connection.close()
        await cloud.store.close()
        try test.remove()
    }

    @Test func `seeks row by row what a commit reads and changes, though it takes the tables for small`() async throws {
        let cloud = try RecordFixture(database: test.database)
        let connection = try test.database.connect()
        try connection.script(connection.dialect.keyedSettings)
        for isKnown in [false, true] {
            if isKnown { try connection.script("ANALYZE record, zone, entry, cloud_database") }
            for (change, types, values, index) in [
                (ZoneRef.lastChangeUpdate, "bigint[], bigint[], bigint[]", "'{1}', '{1}', '{1}'", "zone_pkey"),
                (
                    DatabaseRef.counterUpdate, "bigint[], bigint[], bigint[]", "'{1}', '{1}', '{1}'",
                    "cloud_database_pkey"
                ),
            ] {
                let found = try plan(change.arrayStatement, types: types, values: values, on: connection)
                #expect(found.contains("Nested Loop") && found.contains("Index Scan using \(index)"), "\(found)")
            }
            try connection.script(
                """
                INSERT INTO zone (db, id, name, incarnation, last_change, deleted)
                SELECT 1, number, 'zone ' || number, 1, number, 0 FROM generate_series(1, 50) AS number
                ON CONFLICT DO NOTHING
                """)
        }
        connection.close()
        await cloud.store.close()
        try test.remove()
    }

    @Test func `is told of the first rows before the database looks for itself`() async throws {
        let cloud = try RecordFixture(database: test.database)
        try await cloud.modify((0..<300).map { cloud.operation(.create, "n\($0)") })
        await cloud.store.close()  // after what follows its last commit
        let connection = try test.database.connect()
        let known = try connection.first(
            "SELECT reltuples::bigint FROM pg_class WHERE oid = 'record'::regclass"
        ) { $0.integer(0) }
        #expect(known == 300)
        connection.close()
        try test.remove()
    }
}
