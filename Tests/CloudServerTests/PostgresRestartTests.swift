import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import DatabaseTestSupport
import PostgresDriver
import SQLCore
import Synchronization
import Testing

/// The service under load while its PostgreSQL goes down as in a crash, and comes back.
@Suite(.serialized, .enabled(if: PostgresTestDatabase.address != nil), .timeLimit(.minutes(5)))
struct `A service whose PostgreSQL restarts` {
    private static let batchSize = 3
    private static let writers = 8
    /// The longest a request may take: the store's patience of 10 s for the database to come back, and this machine's load.
    private static let patience: Duration = .seconds(60)

    /// What the clients heard.
    private final class Ledger: Sendable {
        struct State {
            var acknowledged: Set<String> = []
            /// Answers that were no success.
            var refusals: [TestAnswer] = []
            var slowest: Duration = .zero
            /// No further request is to begin.
            var isClosing = false
            /// No request is under way any more.
            var isOver = false
        }
        let state = Mutex(State())
        var count: Int { state.withLock { $0.acknowledged.count } }
    }

    @Test func `loses nothing acknowledged, refuses by name in bounded time, and goes on by itself`() async throws {
        let cluster = try await PostgresTestCluster(settings: ["max_connections": "30"])
        let database = try cluster.database()
        let setUp = CloudSetUp(
            way: .inProcess,
            storage: TestStorage("a PostgreSQL of its own") {
                var own = database
                (own.writers, own.readers) = (4, 4)
                return TestDatabase(own)
            })
        do {
            try await setUp.withCloud { try await restart(cluster, under: $0) }
        } catch {
            Issue.record(error)
        }
        try await cluster.remove()
    }

    private func restart(_ cluster: PostgresTestCluster, under cloud: TestCloud) async throws {
        var users: [TestUser] = []
        for name in ["ann", "bob"] { users.append(try await cloud.signIn("\(name)@example.com")) }
        for user in users { _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes")) }
        let ledgers = users.map { _ in Ledger() }
        let (answers, answered) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [users] in
                await withTaskGroup(of: Void.self) { writers in
                    for writer in 0..<Self.writers {
                        let place = writer % users.count
                        writers.addTask {
                            await write("w\(writer)", by: users[place], into: ledgers[place]) { answered.yield() }
                        }
                    }
                }
                for ledger in ledgers { ledger.state.withLock { $0.isOver = true } }
                answered.finish()
            }
            for (user, ledger) in zip(users, ledgers) {
                group.addTask { try await follow(user, until: ledger) }
            }
            for _ in 0..<3 {
                await progress(ledgers, answers)
                try await cluster.restart(.immediate)
            }
            await progress(ledgers, answers)
            for ledger in ledgers { ledger.state.withLock { $0.isClosing = true } }
            try await group.waitForAll()
        }
        for ledger in ledgers {
            let state = ledger.state.withLock { $0 }
            for refusal in state.refusals {
                #expect(refusal.status == 503 && refusal.isRefusal("TRY_AGAIN_LATER"), "\(refusal)")
            }
            #expect(state.slowest < Self.patience)
        }
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    /// Waits until every user had more saves acknowledged.
    private func progress(_ ledgers: [Ledger], _ answers: AsyncStream<Void>) async {
        let floors = ledgers.map { $0.count + Int.random(in: 5...20) }
        for await _ in answers where zip(ledgers, floors).allSatisfy({ $0.count >= $1 }) { return }
    }

    /// Saves one atomic batch after the other until the end.
    private func write(_ writer: String, by user: TestUser, into ledger: Ledger, then tell: () -> Void) async {
        var number = 0
        while !ledger.state.withLock(\.isClosing) {
            let batch = "\(writer)n\(number)"
            number += 1
            let operations = (0..<Self.batchSize).map { part in
                """
                {"operationType":"create","record":{"recordName":"\(batch)-\(part)","recordType":"Note",\
                "fields":{"part":{"value":\(part)}}}}
                """
            }
            let started = ContinuousClock.now
            let answer = await user.post(
                "private/records/modify",
                """
                {"zoneID":{"zoneName":"Notes"},"atomic":true,"operations":[\(operations.joined(separator: ","))]}
                """)
            ledger.state.withLock { state in
                state.slowest = max(state.slowest, ContinuousClock.now - started)
                if answer.status == 200, !answer.body.contains("serverErrorCode") {
                    state.acknowledged.insert(batch)
                } else {
                    state.refusals.append(answer)
                }
            }
            tell()
        }
    }

    /// Follows the user's zone with tokens to the end; in the end everything acknowledged was told once, batches whole.
    private func follow(_ user: TestUser, until ledger: Ledger) async throws {
        let database = DatabaseID(
            container: ContainerID(user.container), environment: .development, scope: .private, owner: user.name)
        let zone = ZoneID(name: "Notes", owner: user.name)
        var names: [String] = []
        var token: String?
        while true {
            let wasOver = ledger.state.withLock(\.isOver)
            let since = token
            let page: ZoneChangesPage
            do {
                page = try await user.cloud.store.read {
                    try $0.zoneChanges(zone, in: database, since: since, limit: 7)
                }
            } catch let error as SQLError where error.kind == .connectionLost || error.kind == .busy {
                continue
            }
            token = page.syncToken
            for case .record(let record) in page.changes { names.append(record.id.name) }
            if wasOver, page.changes.isEmpty { break }
        }
        #expect(names.count == Set(names).count, "the feed repeats a record")
        let batches = Dictionary(grouping: names) { $0.prefix { $0 != "-" } }
        #expect(batches.allSatisfy { $0.value.count == Self.batchSize }, "half a batch is told")
        let missing = ledger.state.withLock { $0.acknowledged.filter { batches[$0[...]] == nil } }
        #expect(missing.isEmpty, "\(missing.sorted())")
    }
}
