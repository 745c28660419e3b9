import CloudCore
import CloudStorage
import CloudTestSupport
import CloudWire
import DatabaseTestSupport
import PostgresDriver
import SQLCore
import Synchronization
import Testing

/// Which requests wait for one another because they change the same database.
@Suite(.enabled(if: PostgresTestDatabase.address != nil)) struct `Requests that name the public database` {
    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    /// A service whose public database another process holds, and a save there that waits for it.
    private func withHeldPublicDatabase(_ body: (SharedCloud, _ isWaiting: @Sendable () -> Bool) async throws -> Void)
        async throws
    {
        var limits = PostgresDatabase.Limits()
        limits.lock = .seconds(20)
        let test = try PostgresTestDatabase(limits: limits)
        var database = test.database
        (database.writers, database.readers) = (2, 2)
        let stored = database
        let setUp = CloudSetUp(way: .inProcess, storage: TestStorage("a PostgreSQL") { TestDatabase(stored) })
        let cloud = try TestCloud(on: setUp)
        let here = try await SharedCloud(cloud, bertAt: cloud)
        _ = await here.anna.post("public/records/modify", Bodies.note("p", title: "first"))
        let other = try stored.open()
        try other.execute(other.dialect.beginWrite)
        try other.execute("SELECT 1 FROM cloud_database WHERE owner = ?1 FOR UPDATE", .text(DatabaseID.publicOwner))
        let isDone = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                _ = await here.anna.post("public/records/modify", Bodies.note("q", title: "second"))
                isDone.set()
            }
            try await until { try test.sessions().contains("active") }
            try await body(here) { !isDone.isSet }
            try other.execute("ROLLBACK")
            try await group.waitForAll()
        }
        other.close()
        await cloud.close()
        try test.remove()
    }

    @Test func `that change private databases, or none, do not wait for it`() async throws {
        try await withHeldPublicDatabase { here, isWaiting in
            let share = try await here.share(
                #""publicPermission":"NONE","denyAccessRequests":false,"participants":[\#(SharedCloud.invitation)]"#)
            let link = SharedCloud.links(share.shortGUID ?? "")
            let asked = await here.anna.post("public/records/requestaccess", link)
            #expect(asked.body.contains("serverErrorCode"), "the owner has access already: \(asked)")
            #expect(try await here.metadata("accept", link, by: here.bert).status == .accepted)
            for operation in ["users/discover", "users/lookup/email"] {
                let key = operation == "users/discover" ? "lookupInfos" : "users"
                let answer = await here.bert.post(
                    "public/\(operation)", #"{"\#(key)":[{"emailAddress":"anna@example.org"}]}"#)
                #expect(answer.status == 200, "\(answer)")
            }
            #expect(isWaiting())
        }
    }

    @Test func `of a shared zone are of its owner's database, others of the one they name`() {
        func database(_ scope: DatabaseScope, _ owner: String) -> DatabaseID {
            DatabaseID(
                container: ContainerID(TestCloud.container), environment: .development, scope: scope, owner: owner)
        }
        let zone = ZoneID(name: "Notes", owner: "_anna")
        let shared = CloudTransaction.changedDatabase(by: database(.shared, "_bert"), zone)
        #expect(shared == database(.private, "_anna"))
        for own in [database(.private, "_anna"), database(.public, DatabaseID.publicOwner)] {
            #expect(CloudTransaction.changedDatabase(by: own, zone) == own)
        }
    }
}
