import CloudCore
import CloudStorage
import DatabaseTestSupport
import PostgresDriver
import SQLCore
import Synchronization
import Testing

/// Two stores on one database stand for two processes.
@Suite(.enabled(if: PostgresTestDatabase.address != nil)) struct `A writer that waited for another process` {
    @Test(arguments: [false, true])
    func `sees the schema that the other left, in its first run`(readsAhead: Bool) async throws {
        let test = try PostgresTestDatabase()
        var database = test.database
        (database.writers, database.readers) = (1, 1)
        let (first, second) = (try RecordFixture(database: database), try RecordFixture(database: database))
        // Both remember the schema before.
        #expect(try await first.modify(first.operation(.create, "a", ["old": .int64(1)])).map(\.error) == [nil])
        #expect(try await second.modify(second.operation(.create, "b", ["old": .int64(1)])).map(\.error) == [nil])

        let runs = Mutex(0)
        let (holding, isHeld) = AsyncStream.makeStream(of: Void.self)
        async let change = first.store.write(for: first.database()) { cloud in
            defer { isHeld.finish() }
            let results = try Self.save("c", cloud, first)
            isHeld.yield()
            try Self.waitUntilSomebodyWaits(for: cloud.connection, test)
            return results
        }
        for await _ in holding { break }
        let needs = RecordNeeds([second.operation(.create, "d")])
        let ahead = ReadAhead(needs, in: second.database(), zone: second.zone())
        let results = try await second.store.write(for: second.database(), ahead: readsAhead ? ahead : nil) { cloud in
            runs.withLock { $0 += 1 }
            return try Self.save("d", cloud, second)
        }
        #expect(results == [nil])
        #expect(try await change == [nil])
        #expect(runs.withLock { $0 } == 1)
        await first.store.close()
        await second.store.close()
        try test.remove()
    }

    /// Saves a record with a field that nobody has used.
    private static func save(_ name: String, _ cloud: CloudTransaction, _ fixture: RecordFixture) throws
        -> [CloudError?]
    {
        try cloud.modify(
            [fixture.operation(.create, name, ["new": .int64(1)])], in: fixture.database(), zone: fixture.zone(),
            atomic: false, by: fixture.alice
        ).map(\.error)
    }

    private static func waitUntilSomebodyWaits(for holder: any SQLConnection, _ test: PostgresTestDatabase) throws {
        let process = try holder.first("SELECT CAST(pg_backend_pid() AS BIGINT)") { $0.integer(0) }
        let other = try test.database.connect()
        defer { other.close() }
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            let waiting = try other.first(
                """
                SELECT COUNT(*) FROM pg_stat_activity
                WHERE CAST(?1 AS BIGINT) = ANY(CAST(pg_blocking_pids(pid) AS BIGINT[]))
                """, .integer(process ?? 0)
            ) { $0.integer(0) }
            if waiting ?? 0 > 0 { return }
        }
        Issue.record("nobody waits for the writer")
    }
}
