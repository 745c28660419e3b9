import CloudCore
import DatabaseTestSupport
import PostgresDriver
import SQLCore
import Testing

@testable import CloudStorage

/// Two stores on one PostgreSQL stand for two processes.
@Suite(.enabled(if: PostgresTestDatabase.address != nil, "CUMULET_TEST_POSTGRES is not set"))
struct `A part in a share that ends at one process` {
    @Test func `is over with the next request at another, for reads and for writes`() async throws {
        let test = try PostgresTestDatabase()
        var database = test.database
        (database.writers, database.readers) = (2, 2)
        let shared = try await SharedFixture(database: database)
        let other = try CloudStore(database, policy: .dev, clock: { 1_767_000_000_000 })
        try await shared.modify([shared.save("r"), shared.save("a", under: "r")])
        for round in 0..<5 {
            if round == 0 {
                try await shared.share("r", [(shared.bob, .readWrite)])
            } else {
                try await shared.accept("r", shared.bob)
            }
            func read() async throws -> Int {
                try await other.read {
                    try $0.records(["r", "a"], zone: shared.zone, in: shared.view(shared.bob)).compactMap { $0 }.count
                }
            }
            func write() async throws {
                _ = try await other.write(for: shared.cloud.database()) {
                    try $0.modify(
                        [shared.save("a", "round \(round)")], in: shared.view(shared.bob), zone: shared.zone,
                        atomic: true, by: shared.bob)[0].get()
                }
            }
            #expect(try await read() == 2)
            try await write()
            try await shared.leave("r", shared.bob)
            let reading = await #expect(throws: CloudError.self) { try await read() }
            #expect(reading?.code == .zoneNotFound)
            let writing = await #expect(throws: CloudError.self) { try await write() }
            #expect(writing?.code == .zoneNotFound)
        }
        await other.close()
        await shared.cloud.store.close()
        try test.remove()
    }
}
