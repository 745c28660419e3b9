import CloudClient
import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

/// One device's folder, used by an app's process and by another one that signs somebody else in.
@Suite(.timeLimit(.minutes(5))) struct `An account changed by another process` {
    private struct Pair {
        let phones: Phones
        let files: AppFiles
        let transport: InterruptedTransport
        let app: CloudDevice
        let other: CloudDevice
        var database: CKDatabase { Phones.container(on: app).privateCloudDatabase }

        /// The other process signs Bob in.
        func signInBob() async throws { try await other.signIn("bob@example.com") }
    }

    private func withPair(_ body: (Pair) async throws -> Void) async throws {
        try await quick.withAssetPhones { phones, files in
            let folder = files.folder.appendingPathComponent("device")
            let transport = InterruptedTransport(phones.cloud.transport)
            let app = CloudDevice(
                transport: transport, store: DeviceStore(folder: folder), environment: { _ in nil })
            try await app.signIn("alice@example.com", server: URL(string: phones.cloud.url))
            let other = CloudDevice(
                transport: phones.cloud.transport, store: DeviceStore(folder: folder), environment: { _ in nil })
            let pair = Pair(phones: phones, files: files, transport: transport, app: app, other: other)
            try await pair.database.save(CKRecordZone(zoneID: notes))
            _ = try await phones.databaseWithNotes("bob@example.com")
            try await body(pair)
        }
    }

    @Test func `is the account of the next call, with its own user, records and tokens`() async throws {
        try await withPair { pair in
            let container = Phones.container(on: pair.app)
            let alice = try await container.userRecordID()
            try await pair.database.save(note("n", title: "Alice's"))
            let token = try await pair.database.recordZoneChanges(inZoneWith: notes, since: nil).changeToken
            try await pair.signInBob()
            #expect(try await container.userRecordID() != alice)
            #expect(try await pair.database.records(for: [noteID("n")])[noteID("n")]?.code == .unknownItem)
            let error = await #expect(throws: CKError.self) {
                try await pair.database.recordZoneChanges(inZoneWith: notes, since: token)
            }
            #expect(error?.code == .changeTokenExpired, "another user's database is another one")
        }
    }

    @Test func `ends what the app was doing for the one before`() async throws {
        try await withPair { pair in
            pair.transport.once(.before, "records/modify") {
                do { try await pair.signInBob() } catch { Issue.record(error) }
            }
            let error = await #expect(throws: CKError.self) {
                try await pair.database.save(note("secret", title: "Alice's"))
            }
            #expect(error?.code == .notAuthenticated)
            let bobs = try await pair.database.follow(since: nil).changed
            #expect(bobs.isEmpty)
        }
    }

    @Test func `takes the cached assets of the one before with it`() async throws {
        try await withPair { pair in
            try await pair.phones.save("n", try pair.files.make("photo", size: 1000, seed: 1))
            _ = try await pair.database.record(for: noteID("n"))
            #expect(await pair.app.assetCacheSize == 1000)
            try await pair.signInBob()
            _ = try await pair.database.allRecordZones()
            #expect(await pair.app.assetCacheSize == 0)
        }
    }

    @Test func `lets the app hear the new one's pushes, and no more of the one before`() async throws {
        try await withPair { pair in
            func subscribe() async throws {
                try await pair.database.save(
                    CKQuerySubscription(
                        recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "all",
                        options: [.firesOnRecordCreation]))
            }
            try await subscribe()
            var pushes = pair.app.notifications().makeAsyncIterator()
            try await pair.phones.database().save(note("before", title: "Alice's"))
            #expect((await pushes.next() as? CKQueryNotification)?.recordID?.recordName == "before")

            try await pair.signInBob()
            try await subscribe()
            try await pair.phones.database().save(note("after", title: "Alice's"))
            try await pair.phones.database("bob@example.com").save(note("bobs", title: "Bob's"))
            #expect((await pushes.next() as? CKQueryNotification)?.recordID?.recordName == "bobs")
        }
    }
}
