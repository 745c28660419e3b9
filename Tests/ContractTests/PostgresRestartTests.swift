import DatabaseTestSupport
import Foundation
import PostgresDriver
import SQLCore
import Testing

@Suite(.serialized, .enabled(if: PostgresTestDatabase.address != nil))
struct `A PostgreSQL that restarts` {
    @Test(arguments: [PostgresTestCluster.StopMode.fast, .immediate])
    func `it ends every connection by name, keeps what was committed and takes new ones`(
        mode: PostgresTestCluster.StopMode
    ) async throws {
        let cluster = try await PostgresTestCluster(settings: ["max_connections": "20"])
        do { try await check(cluster, over: mode) } catch { Issue.record(error) }
        try await cluster.remove()
    }

    private func check(_ cluster: PostgresTestCluster, over mode: PostgresTestCluster.StopMode) async throws {
        let (writer, idle) = (try cluster.database().open(), try cluster.database().open())
        let listener = try PostgresListener(cluster.database())
        defer {
            writer.close()
            idle.close()
            listener.close()
        }
        try listener.listen("changes")
        try writer.script("CREATE TABLE t (i BIGINT)")
        try writer.execute("INSERT INTO t VALUES (1)")
        try writer.execute("BEGIN")
        try writer.execute("INSERT INTO t VALUES (2)")
        try await cluster.restart(mode)
        for call in [{ try writer.execute("COMMIT") }, { try idle.execute("SELECT 1") }] {
            let error = #expect(throws: SQLError.self) { try call() }
            #expect(error?.kind == .connectionLost)
        }
        let error = #expect(throws: SQLError.self) { _ = try listener.waitForNotification(timeout: .seconds(60)) }
        #expect(error?.kind == .connectionLost)
        let fresh = try cluster.database().open()
        #expect(try fresh.first("SELECT max(i) FROM t") { $0.integer(0) } == 1)
        fresh.close()
    }
}
