import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import DatabaseTestSupport
import HTTPCore
import PostgresDriver
import Synchronization
import Testing

/// The service on PostgreSQL while its clients give up.
@Suite(.enabled(if: PostgresTestDatabase.address != nil), .timeLimit(.minutes(5)))
struct `A service whose clients give up` {
    private static let crowds = 10
    private static let crowd = 100

    /// Asks for something; saves say in `ledger` what was acknowledged.
    private func request(_ number: Int, by user: TestUser, _ ledger: Ledger) async {
        switch number % 4 {
        case 0: _ = await user.post("private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#)
        case 1:
            _ = await user.post(
                "private/records/query", #"{"zoneID":{"zoneName":"Notes"},"query":{"recordType":"Note"}}"#)
        default:
            let name = "n\(number)"
            let answer = await user.post(
                "private/records/modify", Bodies.note(name, title: "milk", zone: "Notes"))
            if answer.status == 200, !answer.body.contains("serverErrorCode") {
                ledger.names.withLock { _ = $0.insert(name) }
            }
        }
    }

    @Test(arguments: CloudSetUp.Way.allCases)
    func `1,000 cancelled requests cost no connection, leave no transaction open and lose nothing`(
        way: CloudSetUp.Way
    ) async throws {
        let test = try PostgresTestDatabase()
        var database = test.database
        (database.writers, database.readers) = (4, 4)
        let shared = database
        let setUp = CloudSetUp(way: way, storage: TestStorage("PostgreSQL") { TestDatabase(shared) })
        try await setUp.withCloud { cloud in
            let users = try await ["ann@example.com", "bob@example.com"].asyncMap { try await cloud.signIn($0) }
            for user in users { _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes")) }
            let ledgers = users.map { _ in Ledger() }
            for crowd in 0..<Self.crowds {
                let (answers, answered) = AsyncStream.makeStream(of: Void.self)
                let tasks = (0..<Self.crowd).map { number in
                    Task {
                        await request(
                            crowd * Self.crowd + number, by: users[number / 4 % 2], ledgers[number / 4 % 2])
                        answered.yield()
                    }
                }
                // Some are answered, the others are on their way or have not begun.
                var left = crowd
                if left > 0 {
                    for await _ in answers {
                        left -= 1
                        if left == 0 { break }
                    }
                }
                for task in tasks { task.cancel() }
                for task in tasks { await task.value }
            }
            for (user, ledger) in zip(users, ledgers) {
                let saved = await user.post(
                    "private/records/modify", Bodies.note("last", title: "milk", zone: "Notes"))
                #expect(saved.status == 200 && !saved.body.contains("serverErrorCode"), "\(saved)")
                let names = Array(ledger.names.withLock { $0 })
                let found = try await cloud.store.read {
                    try $0.records(
                        names, zone: .init(name: "Notes", owner: user.name),
                        in: .init(
                            container: .init(user.container), environment: .development, scope: .private,
                            owner: user.name))
                }
                #expect(found.count { $0 == nil } == 0)
            }
            #expect(try await cloud.store.read { try $0.verify() } == [])
            // What was under way for clients that left ends by itself.
            let sessions = try test.sessions { $0.allSatisfy { $0 == "idle" } }
            #expect(sessions.allSatisfy { $0 == "idle" }, "\(sessions)")
            #expect(
                (2...(shared.writers + shared.readers + 2)).contains(sessions.count), "\(sessions.count) connections")
        }
        #expect(try test.sessions(until: \.isEmpty) == [])
        try test.remove()
    }

    /// What was acknowledged.
    private final class Ledger: Sendable {
        let names = Mutex<Set<String>>([])
    }
}

extension Array {
    fileprivate func asyncMap<T>(_ body: (Element) async throws -> T) async rethrows -> [T] {
        var results: [T] = []
        for element in self { results.append(try await body(element)) }
        return results
    }
}
