import CloudCore
@testable import CloudStorage
import DatabaseTestSupport
import Foundation
import PostgresDriver
import SQLCore
import SQLiteDriver
import Testing

/// A store of an older format, or of the newest.
struct KeptStore: Sendable, CustomStringConvertible {
    enum Form: String, Sendable {
        case file = "SQLite file"
        case dump = "PostgreSQL dump"
        /// The rows of the file in PostgreSQL tables of the same format: no program had all of its data there before 5.
        case copy = "PostgreSQL copy of the file"
    }

    let form: Form
    let format: Int

    var description: String { "format \(format), \(form.rawValue)" }

    static let distant: [KeptStore] =
        PostgresTestDatabase.address == nil
        ? [] : (1...4).map { KeptStore(form: .copy, format: $0) } + (5...9).map { KeptStore(form: .dump, format: $0) }
    static let all = (1...9).map { KeptStore(form: .file, format: $0) } + distant

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Databases")

    /// Runs `body` over a database of its own with the kept content.
    func withDatabase(_ body: (any SQLDatabase) async throws -> Void) async throws {
        let file = Self.fixtures.appending(path: "format-\(format).sqlite")
        guard form == .file else {
            let test = try PostgresTestDatabase()
            var database = test.database
            (database.writers, database.readers) = (2, 2)
            if form == .copy { try copy(file, to: database) } else { try load(into: database, test.schema) }
            try await body(database)
            return try test.remove()
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let path = folder.appending(path: "cumulet.sqlite")
        try Data(contentsOf: file).write(to: path)
        try await body(SQLiteDatabase(path: path.path))
        try FileManager.default.removeItem(at: folder)
    }

    private func load(into database: PostgresDatabase, _ schema: String) throws {
        let text = try String(contentsOf: Self.fixtures.appending(path: "format-\(format).sql"), encoding: .utf8)
        let connection = try database.open()
        defer { connection.close() }
        // A dump makes its schema, here there is one already, of another name.
        let lines = text.split(separator: "\n").filter { $0 != "CREATE SCHEMA kept;" }
        try connection.script(lines.joined(separator: "\n").replacing("kept.", with: "\"\(schema)\"."))
    }

    private func copy(_ file: URL, to database: PostgresDatabase) throws {
        let source = try SQLiteDatabase(path: file.path).connect()
        defer { source.close() }
        let world = try World(source, World.tables(of: source, on: .disk))
        let connection = try database.open()
        defer { connection.close() }
        try Migrator.run(CloudSchema.migrations.filter { $0.format <= format }, on: connection)
        try connection.execute("BEGIN")
        try world.restore(connection)
        try connection.execute("COMMIT")
        var numbered: [String] = []
        try connection.query(
            """
            SELECT table_name::text FROM information_schema.columns
            WHERE table_schema = current_schema() AND is_identity = 'YES'
            """, []
        ) { row in
            numbered.append(row.text(0))
            return true
        }
        for table in numbered {
            let next = try connection.first("SELECT coalesce(max(id), 0) + 1 FROM \(table)") { $0.integer(0) } ?? 1
            try connection.script("ALTER TABLE \(table) ALTER COLUMN id RESTART WITH \(next)")
        }
    }
}

/// What is in Tests/Fixtures/Databases was written by the programs of those formats. It is copied, never changed.
@Suite struct `A store of an older format` {
    private static let user = "_7e05f3b171fb041e9f4d29f17526912d"
    private let notes = DatabaseID(
        container: ContainerID("iCloud.org.example.notes"), environment: .development, scope: .private, owner: user)
    private let zone = ZoneID(name: "Notes", owner: user)
    /// What the zone's token was when its record `late` had not been saved.
    private static let token = "AQIOPQK7Ijy3hnojU8u6YhTJAAAAAAAAAAgVRGdM6r896u2mUtntSK/u"

    private func open(_ database: any SQLDatabase) throws -> CloudStore {
        try CloudStore(database, clock: { 1_800_000_000_000 })
    }

    private func withStore(_ kept: KeptStore, _ body: (CloudStore) async throws -> Void) async throws {
        try await kept.withDatabase { database in
            let store = try open(database)
            try await body(store)
            await store.close()
        }
    }

    @Test func `is kept in every format up to the newest`() {
        #expect(KeptStore.all.map(\.format).max() == CloudSchema.migrations.last.map { Int($0.format) })
    }

    @Test(arguments: KeptStore.distant)
    func `is brought to the newest once when several open it together`(kept: KeptStore) async throws {
        try await kept.withDatabase { database in
            let stores = try await withThrowingTaskGroup(of: CloudStore.self) { group in
                for _ in 0..<3 { group.addTask { try open(database) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for store in stores {
                #expect(try await store.read { try $0.verify() } == [])
                let zones = try await store.read { [notes] in try $0.zones(in: notes) }
                #expect(zones.map(\.id.name) == ["_defaultZone", "Notes"])
            }
            for store in stores { await store.close() }
        }
    }

    @Test(arguments: KeptStore.all.filter { $0.format == 9 })
    func `that no program here knows yet is refused by name and left as it is`(kept: KeptStore) async throws {
        try await kept.withDatabase { database in
            let connection = try database.connect()
            defer { connection.close() }
            let tables = try World.tables(of: connection, on: kept.form == .file ? .disk : .postgres)
            try connection.execute("UPDATE format SET number = 90")
            let before = try World(connection, tables)
            let error = #expect(throws: SQLError.self) { try open(database) }
            #expect(error?.kind == .misuse && error?.message.contains("format 90") == true)
            #expect(try World(connection, tables).isSame(as: before))
        }
    }

    @Test(arguments: KeptStore.all) func `is brought to the newest with all that is in it`(kept: KeptStore) async throws
    {
        try await withStore(kept) { store in
            let newest = try #require(CloudSchema.migrations.last?.format)
            let (found, problems) = try await store.read { (try Migrator.format(of: $0.connection), try $0.verify()) }
            #expect(found == newest)
            #expect(problems == [])
            let records = try await store.read { [notes, zone] in
                try $0.records(["root", "child", "tag", "lost", "late"], zone: zone, in: notes)
            }
            #expect(records.map { $0?.changeTag } == ["4", "5", "6", nil, "a"])
            #expect(records[0]?.fields["tags"] == .list(.string, [.string("a"), .string("b"), .string("a")]))
            #expect(records[1]?.parent == "root")
            let (zones, subscriptions, account) = try await store.read { [notes] in
                (
                    try $0.zones(in: notes).map(\.id.name),
                    try $0.subscriptions(in: notes, of: Self.user).map(\.id),
                    try $0.account(email: "ann@example.com")
                )
            }
            #expect(zones == ["_defaultZone", "Notes"])
            #expect(subscriptions == ["d", "q", "z"])
            #expect(account?.id == 1)
        }
    }

    @Test(arguments: SQLBackend.available)
    func `of format 8 has the files that its records hold counted from then on`(on backend: SQLBackend) throws {
        try backend.withConnection { connection in
            try Migrator.run(CloudSchema.migrations.filter { $0.format <= 8 }, on: connection)
            for (row, owner, bytes) in [(1, "x", 5), (2, "y", 7)] as [(Int64, String, Int64)] {
                try connection.execute(
                    """
                    INSERT INTO cloud_database (id, container, environment, scope, owner, incarnation, counter, bytes)
                    VALUES (?1, 'a', 'development', 2, ?2, 1, 0, ?3)
                    """, .integer(row), .text(owner), .integer(bytes))
            }
            for (zone, record, size) in [(1, 1, 100), (1, 2, 100), (2, 1, 30)] as [(Int64, Int64, Int64)] {
                try connection.execute(
                    "INSERT INTO asset_reference (db, zone, record, content, size) VALUES (1, ?1, ?2, ?3, ?4)",
                    .integer(zone), .integer(record), .blob([1]), .integer(size))
            }
            try Migrator.run(CloudSchema.migrations.filter { $0.format <= 9 }, on: connection)
            var bytes: [Int64] = []
            try connection.query("SELECT bytes FROM cloud_database ORDER BY id", []) { row in
                bytes.append(row.integer(0))
                return true
            }
            #expect(bytes == [235, 7])
        }
    }

    @Test(arguments: KeptStore.all) func `goes on: tokens, changes, references and pushes`(kept: KeptStore) async throws
    {
        try await withStore(kept) { store in
            let page = try await store.read { [notes, zone] in
                try $0.zoneChanges(zone, in: notes, since: Self.token, limit: 10)
            }
            #expect(page.changes.count == 1)
            let results = try await store.write { [notes, zone] in
                try $0.modify(
                    [
                        RecordOperation(
                            type: .create, id: RecordID(name: "new", zone: zone), recordType: "Note",
                            fields: [FieldDraft(name: "title", value: .string("new"), isTyped: true)]),
                        RecordOperation(type: .forceDelete, id: RecordID(name: "child", zone: zone)),
                        RecordOperation(type: .forceDelete, id: RecordID(name: "root", zone: zone)),
                    ], in: notes, zone: zone, atomic: true, by: Writer(userName: Self.user))
            }
            #expect(results.map(\.error) == [nil, nil, nil])
            let found = try await store.read { [notes, zone] in
                try $0.query(
                    RecordQuery(recordType: "Note", filters: [], sorts: []), in: notes, zone: zone, limit: 10,
                    marker: nil
                ).records.map(\.id.name)
            }
            #expect(Set(found) == ["late", "new"])
            let woken = try await store.write { try $0.expandOutbox(limit: 100) }
            #expect(!woken.isEmpty)
            #expect(try await store.read { try $0.verify() } == [])
        }
    }
}
