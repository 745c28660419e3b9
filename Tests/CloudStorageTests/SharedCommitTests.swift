import CloudCore
@testable import CloudStorage
import DatabaseTestSupport
import Foundation
import PostgresDriver
import SQLCore
import Testing

/// Saves to many databases that a writer finds waiting together.
@Suite(.enabled(if: PostgresTestDatabase.address != nil)) struct `A commit for many databases`: Sendable {
    private let test: PostgresTestDatabase
    private let database: FaultyDatabase
    private let cloud: RecordFixture
    private let places = StorePlaces()

    init() throws {
        var limits = PostgresDatabase.Limits()
        limits.lock = .seconds(60)  // a held database is waited for while other tests are at work
        test = try PostgresTestDatabase(limits: limits)
        var database = test.database
        (database.writers, database.readers) = (2, 1)
        self.database = FaultyDatabase(database)
        cloud = try RecordFixture(database: database)
    }

    private func writer(_ number: Int) -> Writer {
        Writer(userName: "_" + String(repeating: String(UnicodeScalar(UInt8(97 + number))), count: 32))
    }

    private func zone(of number: Int) -> ZoneID { ZoneID(name: "Notes", owner: writer(number).userName) }

    private func makeZones(_ count: Int) async throws {
        for number in 0..<count {
            let (writer, zone) = (writer(number), zone(of: number))
            try await cloud.store.write { [cloud] in
                _ = try $0.createZone(zone, in: cloud.database(of: writer), by: writer)
            }
        }
    }

    private func save(_ number: Int, _ name: String, _ value: Int64 = 0, _ type: RecordOperationType = .create)
        -> TestJob
    {
        let (owner, writer) = (cloud.database(of: writer(number)), writer(number))
        let operation = cloud.operation(type, name, ["n": .int64(value)], zone: zone(of: number))
        let ahead = ReadAhead(RecordNeeds([operation]), in: owner, zone: zone(of: number))
        return TestJob(ahead: ahead) { [zone = zone(of: number)] in
            for result in try $0.modify([operation], in: owner, zone: zone, atomic: true, by: writer) {
                _ = try result.get()
            }
        }
    }

    /// Runs the jobs as they would be found waiting together.
    private func run(_ jobs: [TestJob]) throws {
        let settings = StoreSettings(
            limits: .init(), policy: .dev, secret: [], clock: { 1_767_000_000_000 }, patience: .seconds(30))
        let (_, news) = AsyncStream.makeStream(of: Void.self)
        let queue = JobQueue(isGrouped: true)
        for job in jobs { #expect(queue.add(job, for: job.ahead?.database)) }
        queue.close()
        StoreWriter(queue: queue, settings: settings, statistics: PlannerStatistics(), places: places, news: news)
            .run(KeptConnection(nil, of: database, queue, seeksKeys: true))
    }

    /// Runs the jobs on a thread of their own, so that what they wait for goes on.
    private func start(_ jobs: [TestJob]) -> Task<Void, any Error> {
        Task {
            try await withCheckedThrowingContinuation { waiter in
                Thread.detachNewThread { waiter.resume(with: Result { try run(jobs) }) }
            }
        }
    }

    private func value(_ number: Int, _ name: String) async throws -> FieldValue? {
        let owner = cloud.database(of: writer(number))
        return try await cloud.store.read { [zone = zone(of: number)] in
            try $0.records([name], zone: zone, in: owner)[0]?.fields["n"]
        }
    }

    private func end() async throws {
        #expect(try await cloud.store.read { try $0.verify() } == [])
        await cloud.store.close()
        try test.remove()
    }

    @Test func `asks twice for all of them together, once it knows where they are`() async throws {
        try await makeZones(20)
        try run((0..<20).map { save($0, "first") })
        database.arm(nil)
        let jobs = (0..<20).map { save($0, "second", Int64($0)) }
        try run(jobs)
        for job in jobs { #expect(throws: Never.self) { try job.answer?.get() } }
        for number in 0..<20 { #expect(try await value(number, "second") == .int64(Int64(number))) }
        // Settings, BEGIN and all reads, twice for the schema that this thread has not seen; then counters, zones
        // and records in one journey with the COMMIT.
        #expect(database.calls == 9)
        try await end()
    }

    @Test func `has the entries of what it replaces when its index is made by the same commit`() async throws {
        try await makeZones(1)
        try run([save(0, "a", 1)])
        let (owner, zone) = (cloud.database(of: writer(0)), zone(of: 0))
        let index = TestJob(ahead: ReadAhead(RecordNeeds([]), in: owner, zone: zone)) {
            try $0.build(MissingIndexes(database: owner, zones: [zone], kinds: [.values]))
        }
        let jobs = [index, save(0, "a", 2, .forceReplace)]
        try run(jobs)
        for job in jobs { #expect(throws: Never.self) { try job.answer?.get() } }
        #expect(try await cloud.store.read { try $0.verify() } == [])
        try run([save(0, "a", 1, .forceReplace)])
        #expect(try await value(0, "a") == .int64(1))
        try await end()
    }

    @Test func `undoes one's changes without those of others, and sees what an earlier one of it wrote`() async throws {
        try await makeZones(2)
        try run([save(0, "a"), save(1, "a")])
        let jobs = [
            save(0, "a", 1, .forceReplace), save(0, "a", 2), save(0, "a", 3, .forceReplace), save(1, "b", 4),
            save(0, "b", 5), save(1, "b", 6), save(1, "a", 0, .forceDelete), save(1, "a", 7),
        ]
        try run(jobs)
        for (number, job) in jobs.enumerated() {
            switch number {
            case 1, 5: #expect(throws: CloudError.self) { try job.answer?.get() }
            default: #expect(throws: Never.self, "\(number)") { try job.answer?.get() }
            }
        }
        for (number, name, expected) in [(0, "a", 3), (1, "b", 4), (0, "b", 5), (1, "a", 7)] {
            #expect(try await value(number, name) == .int64(Int64(expected)))
        }
        try await end()
    }

    @Test func `does not wait for a database that another process holds, whose save waits alone`() async throws {
        try await makeZones(3)
        try run((0..<3).map { save($0, "first") })
        let other = try test.database.open()
        try other.execute(other.dialect.beginWrite)
        try other.execute("SELECT 1 FROM cloud_database WHERE owner = ?1 FOR UPDATE", .text(writer(1).userName))
        let jobs = (0..<3).map { save($0, "second") }
        let ending = start(jobs)
        // The others are committed while it is held.
        let deadline = ContinuousClock.now + .seconds(60)
        for number in [0, 2] {
            while try await value(number, "second") == nil, ContinuousClock.now < deadline {}
            #expect(try await value(number, "second") == .int64(0))
        }
        #expect(try await value(1, "second") == nil)
        try other.execute("COMMIT")
        other.close()
        try await ending.value
        for job in jobs { #expect(throws: Never.self) { try job.answer?.get() } }
        #expect(try await value(1, "second") == .int64(0))
        try await end()
    }

    @Test(arguments: FaultyDatabase.Fault.Moment.allCases)
    func `tries a save again that waited when the commit of the others was lost, which it had no part in`(
        moment: FaultyDatabase.Fault.Moment
    ) async throws {
        try await makeZones(3)
        try run((0..<3).map { save($0, "first") })
        let other = try test.database.open()
        func hold() throws {
            try other.execute(other.dialect.beginWrite)
            try other.execute("SELECT 1 FROM cloud_database WHERE owner = ?1 FOR UPDATE", .text(writer(1).userName))
        }
        // A round that goes well tells which call the commit of the others is.
        var commit = 0
        var jobs: [TestJob] = []
        for name in ["second", "third"] {
            try hold()
            jobs = (0..<3).map { save($0, name) }
            database.arm(commit == 0 ? nil : .init(call: commit, moment, .connectionLost))
            let ending = start(jobs)
            if commit == 0 {
                try await until { database.statements.contains("COMMIT") }
                commit = (database.statements.firstIndex(of: "COMMIT") ?? 0) + 1
            } else {
                try await until { database.failedStatement != nil }
                #expect(database.failedStatement == "COMMIT")
            }
            try other.execute("COMMIT")
            try await ending.value
        }
        other.close()
        for number in [0, 2] {
            let error = #expect(throws: CloudError.self) { try jobs[number].answer?.get() }
            #expect(error?.code == .tryAgainLater)
            #expect(try await (value(number, "third") == .int64(0)) == (moment == .after))
        }
        #expect(throws: Never.self) { try jobs[1].answer?.get() }
        #expect(try await value(1, "third") == .int64(0))
        try await end()
    }

    @Test func `makes databases with their first save, and finds one that was made again elsewhere`() async throws {
        let jobs = (0..<3).map { number in
            let (owner, writer) = (cloud.database(of: writer(number)), writer(number))
            let zone = ZoneID(name: ZoneID.defaultName, owner: writer.userName)
            let operation = cloud.operation(.create, "n", ["n": .int64(0)], zone: zone)
            return TestJob(ahead: ReadAhead(RecordNeeds([operation]), in: owner, zone: zone)) {
                _ = try $0.modify([operation], in: owner, zone: zone, atomic: false, by: writer)[0].get()
            }
        }
        try run(jobs)
        for job in jobs { #expect(throws: Never.self) { try job.answer?.get() } }
        try await makeZones(3)
        try run((0..<3).map { save($0, "first") })
        // Another row takes the place of the first database's, and another zone that of the second's.
        let connection = try test.database.open()
        let tables = ["record", "entry", "zone"]
        for (number, words) in [(0, ""), (1, "AND name <> '\(ZoneID.defaultName)'")] {
            let row = try connection.first(
                "SELECT id FROM cloud_database WHERE owner = ?1", .text(writer(number).userName)
            ) { $0.integer(0) }
            for table in tables where number == 0 || table == "zone" {
                try connection.execute("DELETE FROM \(table) WHERE db = ?1 \(words)", .integer(row ?? 0))
            }
            guard number == 0 else { continue }
            try connection.execute("DELETE FROM cloud_database WHERE id = ?1", .integer(row ?? 0))
        }
        try connection.script("DELETE FROM record WHERE zone NOT IN (SELECT id FROM zone)")
        try connection.script("DELETE FROM entry WHERE zone NOT IN (SELECT id FROM zone)")
        try connection.script(
            """
            UPDATE cloud_database
            SET bytes = (SELECT COALESCE(SUM(LENGTH(payload)), 0) FROM record WHERE db = cloud_database.id)
            """)
        connection.close()
        try await makeZones(2)
        let again = (0..<3).map { save($0, $0 == 2 ? "second" : "first", 9) }
        try run(again)
        for job in again { #expect(throws: Never.self) { try job.answer?.get() } }
        #expect(try await value(0, "first") == .int64(9))
        #expect(try await value(1, "first") == .int64(9))
        #expect(try await value(2, "first") == .int64(0))
        try await end()
    }

    @Test func `tells each of them alone what the database refuses`() async throws {
        try await makeZones(3)
        try run((0..<3).map { save($0, "first") })
        let poison = TestJob(ahead: save(1, "x").ahead) {
            try $0.connection.post("SELECT 1 / 0")
        }
        let jobs = [save(0, "second"), poison, save(2, "second")]
        try run(jobs)
        #expect(throws: SQLError.self) { try poison.answer?.get() }
        for number in [0, 2] {
            #expect(throws: Never.self) { try jobs[number].answer?.get() }
            #expect(try await value(number, "second") == .int64(0))
        }
        try await end()
    }
}
