import CloudCore
import CloudStorage
import DatabaseTestSupport
import PostgresDriver
import SQLCore
import Testing

/// Several stores on one PostgreSQL stand for several processes: they share nothing else.
@Suite(.enabled(if: PostgresTestDatabase.address != nil, "CUMULET_TEST_POSTGRES is not set"))
struct `Processes on one database` {
    private let writer = Writer(userName: "_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", clientID: "phone")
    private let notes: DatabaseID
    private let zone: ZoneID

    init() {
        notes = DatabaseID(
            container: ContainerID("iCloud.org.example.notes"), environment: .development, scope: .private,
            owner: writer.userName)
        zone = ZoneID(name: "Notes", owner: writer.userName)
    }

    /// Starts the stores at the same time on a new database, which goes with them.
    private func withStores(_ count: Int, _ body: ([CloudStore]) async throws -> Void) async throws {
        let test = try PostgresTestDatabase()
        var database = test.database
        database.writers = 3
        database.readers = 2
        let address = database
        let stores = try await withThrowingTaskGroup(of: CloudStore.self) { group in
            for _ in 0..<count { group.addTask { try CloudStore(address, policy: .dev, clock: { 1000 }) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try await body(stores)
        for store in stores { await store.close() }
        try test.remove()
    }

    private func create(_ name: String, _ fields: [String: FieldValue] = [:]) -> RecordOperation {
        RecordOperation(
            type: .create, id: RecordID(name: name, zone: zone), recordType: "Note",
            fields: fields.map { FieldDraft(name: $0.key, value: $0.value, isTyped: true) })
    }

    private func save(_ operation: RecordOperation, to store: CloudStore) async throws -> CloudError? {
        let result = try await store.write(for: notes) { [notes, zone, writer] in
            try $0.modify([operation], in: notes, zone: zone, atomic: true, by: writer)[0]
        }
        return result.error
    }

    private func makeZone(_ store: CloudStore) async throws {
        try await store.write(for: notes) { [notes, zone, writer] in
            _ = try $0.createZone(zone, in: notes, by: writer)
        }
    }

    @Test func `make the tables once when they start together`() async throws {
        try await withStores(4) { stores in
            let secrets = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for store in stores { group.addTask { try await store.read { $0.secret } } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(secrets.count == 1)
        }
    }

    @Test func `a reader misses and repeats no change while all write`() async throws {
        try await withStores(2) { stores in
            try await makeZone(stores[0])
            let expected = 2 * 4 * 8
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, store) in stores.enumerated() {
                    for task in 0..<4 {
                        group.addTask {
                            for count in 0..<8 {
                                let error = try await save(create("\(number)-\(task)-\(count)"), to: store)
                                #expect(error == nil)
                            }
                        }
                    }
                }
                group.addTask {
                    var token: String?
                    var seen: [String] = []
                    while seen.count < expected {
                        let since = token
                        let page = try await stores[1].read { [notes, zone] in
                            try $0.zoneChanges(zone, in: notes, since: since, limit: 5)
                        }
                        token = page.syncToken
                        for case .record(let record) in page.changes { seen.append(record.id.name) }
                    }
                    #expect(seen.count == expected)
                    #expect(Set(seen).count == expected)
                }
                try await group.waitForAll()
            }
            for store in stores { #expect(try await store.read { try $0.verify() } == []) }
        }
    }

    @Test func `each sees at once what another added to the schema`() async throws {
        try await withStores(2) { stores in
            try await makeZone(stores[0])
            for store in stores {
                #expect(try await save(create("first-\(ObjectIdentifier(store))"), to: store) == nil)
            }
            #expect(try await save(create("a", ["pages": .int64(1)]), to: stores[0]) == nil)
            let error = try await save(create("b", ["pages": .string("many")]), to: stores[1])
            #expect(error?.reason.contains("INT64") == true)
            #expect(try await save(create("c", ["pages": .int64(2), "title": .string("c")]), to: stores[1]) == nil)
            let found = try await stores[0].read { [notes, zone] in
                try $0.query(
                    RecordQuery(recordType: "Note", sorts: [QuerySort(field: .user("title"))]), in: notes, zone: zone,
                    limit: 1, marker: nil)
            }
            #expect(found.records.count == 1)
        }
    }

    @Test func `new types of many databases at once are made once`() async throws {
        try await withStores(2) { stores in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, store) in stores.enumerated() {
                    for user in 0..<4 {
                        group.addTask {
                            let name = "_\(number)\(user)" + String(repeating: "0", count: 30)
                            let database = DatabaseID(
                                container: notes.container, environment: .development, scope: .private, owner: name)
                            let zone = ZoneID(name: ZoneID.defaultName, owner: name)
                            let result = try await store.write(for: database) {
                                try $0.modify(
                                    [
                                        RecordOperation(
                                            type: .create, id: RecordID(name: "n", zone: zone), recordType: "Note",
                                            fields: [FieldDraft(name: "title", value: .string("t"), isTyped: true)])
                                    ], in: database, zone: zone, atomic: false, by: Writer(userName: name))[0]
                            }
                            #expect(result.error == nil)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stores[0].read { try $0.verify() } == [])
            let types = try await stores[1].read {
                try $0.connection.first("SELECT COUNT(*) FROM record_type") { $0.integer(0) }
            }
            #expect(types == 1)
        }
    }

    @Test func `expand the outbox without losing or doubling a push`() async throws {
        try await withStores(2) { stores in
            let (container, user) = (notes.container, writer.userName)
            let token = try await stores[0].write {
                let token = try $0.registerPushToken(account: 1, clientID: "tablet")
                try $0.bindPushToken(token.token, userName: user, container: container, environment: .development)
                return token
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        for count in 0..<30 {
                            try await store.write(
                                for: DatabaseID(
                                    container: container, environment: .development, scope: .private, owner: "\(number)"
                                )
                            ) {
                                try $0.enqueuePush(
                                    OutboxEntry(
                                        container: container, environment: .development, userName: user,
                                        payload: Array("\(number)-\(count)".utf8), collapseKey: "",
                                        originClientID: nil))
                            }
                            _ = try await store.write { try $0.expandOutbox(limit: 3) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            while try await !stores[0].write({ try $0.expandOutbox(limit: 10) }).isEmpty {}
            let log = try await stores[1].read { transaction in
                var (log, cursor): ([String], Int64) = ([], 0)
                while let push = try transaction.nextPush(token: token.token, after: cursor) {
                    log.append(String(decoding: push.payload, as: UTF8.self))
                    cursor = push.sequence
                }
                return log
            }
            #expect(log.count == 60)
            #expect(Set(log).count == 60)
        }
    }
}
