import CloudCore
@testable import CloudStorage
import Foundation
import SQLCore
import SQLiteDriver
import Testing

/// The files in Tests/Fixtures/Databases were written by the programs of their formats. They are copied, never changed.
@Suite struct `A store of an older format` {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "migration-\(UUID().uuidString)")

    private static let user = "_7e05f3b171fb041e9f4d29f17526912d"
    private let notes = DatabaseID(
        container: ContainerID("iCloud.org.example.notes"), environment: .development, scope: .private, owner: user)
    private let zone = ZoneID(name: "Notes", owner: user)
    /// What the zone's token was when its record `late` had not been saved.
    private static let token = "AQIOPQK7Ijy3hnojU8u6YhTJAAAAAAAAAAgVRGdM6r896u2mUtntSK/u"

    /// Runs `body` on a store over a copy of the file.
    private func withStore(_ format: Int, _ body: (CloudStore) async throws -> Void) async throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Databases/format-\(format).sqlite")
        let data = try DataFolder(folder.path)
        defer { try? FileManager.default.removeItem(at: folder) }  // a folder that stays harms nobody
        try Data(contentsOf: fixture).write(to: URL(filePath: data.databasePath))
        let store = try CloudStore(
            SQLiteDatabase(path: data.databasePath), folder: data, clock: { 1_800_000_000_000 })
        try await body(store)
        await store.close()
    }

    @Test(arguments: [1]) func `is brought to the newest with all that is in it`(format: Int) async throws {
        try await withStore(format) { store in
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

    @Test(arguments: [1]) func `goes on: tokens, changes, references and pushes`(format: Int) async throws {
        try await withStore(format) { store in
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
