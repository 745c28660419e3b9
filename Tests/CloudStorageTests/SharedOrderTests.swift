import CloudCore
import CloudStorage
import DatabaseTestSupport
import PostgresDriver
import SQLCore
import Synchronization
import Testing

/// Commit order is token order, whoever commits: two stores on one PostgreSQL stand for two processes, whose clocks differ
/// by a day.
@Suite(.serialized, .enabled(if: PostgresTestDatabase.address != nil), .timeLimit(.minutes(5)))
struct `The feeds of databases that two processes write to` {
    private static let container = ContainerID("iCloud.org.example.notes")
    private static let writers = 8
    private static let rounds = 12
    private static let day: Int64 = 86_400_000

    /// One user's database with its zone.
    private struct Place: Sendable {
        let writer: Writer
        let database: DatabaseID
        let zone: ZoneID

        init(_ number: Int) {
            writer = Writer(userName: "_\(number)" + String(repeating: "0", count: 31))
            database = DatabaseID(
                container: container, environment: .development, scope: .private, owner: writer.userName)
            zone = ZoneID(name: "Notes", owner: writer.userName)
        }

        func operation(_ type: RecordOperationType, _ name: String, _ title: String) -> RecordOperation {
            RecordOperation(
                type: type, id: RecordID(name: name, zone: zone), recordType: "Note",
                fields: [FieldDraft(name: "title", value: .string(title), isTyped: true)])
        }

        func save(_ operations: [RecordOperation], to store: CloudStore) async throws {
            let ahead = ReadAhead(RecordNeeds(operations), in: database, zone: zone)
            let results = try await store.write(for: database, ahead: ahead) { [self] in
                try $0.modify(operations, in: database, zone: zone, atomic: true, by: writer)
            }
            for result in results { _ = try result.get() }
        }

        func page(_ store: CloudStore, since token: String?, limit: Int) async throws -> ZoneChangesPage {
            try await store.read { [self] in
                try $0.zoneChanges(zone, in: database, since: token, limit: limit)
            }
        }
    }

    /// What a reader made of a feed.
    private struct Mirror: Sendable {
        var tags: [String: String] = [:]
        var repeated: [String] = []
        private var told: Set<String> = []

        mutating func apply(_ page: ZoneChangesPage) {
            for change in page.changes {
                switch change {
                case .record(let record): note(record.id.name, record.changeTag)
                case .deleted(let id, _): note(id.name, nil)
                }
            }
        }

        private mutating func note(_ name: String, _ tag: String?) {
            if !told.insert("\(name) \(tag ?? "deleted")").inserted { repeated.append(name) }
            tags[name] = tag
        }
    }

    /// Moves with each look.
    private final class Clock: Sendable {
        private let time = Mutex<Int64>(1_767_000_000_000)
        let isOver = Atomic(false)

        var now: Int64 {
            time.withLock {
                $0 += 1
                return $0
            }
        }

        func setBack() { time.withLock { $0 -= day } }
    }

    private func withStores(
        clock: Clock, _ body: ([CloudStore]) async throws -> Void
    ) async throws {
        let test = try PostgresTestDatabase()
        var database = test.database
        (database.writers, database.readers) = (4, 2)
        let stores = [
            try CloudStore(database, policy: .dev, clock: { clock.now }),
            try CloudStore(database, policy: .dev, clock: { clock.now - Self.day }),
        ]
        try await body(stores)
        for store in stores { await store.close() }
        try test.remove()
    }

    @Test(arguments: [1, 6], [false, true])
    func `skip and repeat nothing for readers with tokens`(databases: Int, isClockSetBack: Bool) async throws {
        let clock = Clock()
        let places = (0..<databases).map(Place.init)
        try await withStores(clock: clock) { stores in
            for place in places {
                try await stores[0].write(for: place.database) {
                    _ = try $0.createZone(place.zone, in: place.database, by: place.writer)
                }
            }
            let mirrors = try await withThrowingTaskGroup(of: (Int, Mirror)?.self) { group in
                for number in places.indices {
                    group.addTask {
                        try await (
                            number,
                            mirror(of: places[number], at: stores[number % 2]) {
                                clock.isOver.load(ordering: .acquiring)
                            }
                        )
                    }
                }
                group.addTask {
                    defer { clock.isOver.store(true, ordering: .releasing) }
                    try await withThrowingTaskGroup(of: Void.self) { writers in
                        for writer in 0..<Self.writers {
                            writers.addTask {
                                try await write(writer, to: places, at: stores[writer % 2]) { round in
                                    guard isClockSetBack, writer == 0, round == Self.rounds / 2 else { return }
                                    clock.setBack()
                                }
                            }
                        }
                        try await writers.waitForAll()
                    }
                    return nil
                }
                return try await group.reduce(into: [Int: Mirror]()) { mirrors, found in
                    if let found { mirrors[found.0] = found.1 }
                }
            }
            var count = 0
            for (number, place) in places.enumerated() {
                var whole = Mirror()
                whole.apply(try await place.page(stores[0], since: nil, limit: 10_000))
                #expect(mirrors[number]?.repeated == [])
                #expect(mirrors[number]?.tags == whole.tags)
                count += whole.tags.count
            }
            #expect(count == Self.writers * Self.rounds * 5 / 3)
            for store in stores { #expect(try await store.read { try $0.verify() } == []) }
        }
    }

    /// Makes two records a round, changes every other pair and deletes one of every third.
    private func write(
        _ writer: Int, to places: [Place], at store: CloudStore, before: (Int) -> Void
    ) async throws {
        for round in 0..<Self.rounds {
            before(round)
            let place = places[(writer + round) % places.count]
            let names = ["w\(writer)-\(round)-a", "w\(writer)-\(round)-b"]
            try await place.save(names.map { place.operation(.create, $0, "one") }, to: store)
            if round % 2 == 1 {
                try await place.save(names.map { place.operation(.forceUpdate, $0, "two") }, to: store)
            }
            if round % 3 == 2 { try await place.save([place.operation(.forceDelete, names[0], "")], to: store) }
        }
    }

    /// Follows the feed page by page until it is over and nothing more came.
    private func mirror(of place: Place, at store: CloudStore, until isOver: () -> Bool) async throws -> Mirror {
        var mirror = Mirror()
        var token: String?
        while true {
            let wasOver = isOver()
            let page = try await place.page(store, since: token, limit: 7)
            token = page.syncToken
            mirror.apply(page)
            if wasOver, page.changes.isEmpty { return mirror }
        }
    }
}
