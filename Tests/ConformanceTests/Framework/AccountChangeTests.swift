import CloudClient
import CloudKit
import CloudTestSupport
import Foundation
import HTTPCore
import Testing

private let quick = CloudSetUp.ways[0]

/// A device of Alice's, with the zone ``notes``, whose account changes while a request is under way. Bob has the zone too.
private struct ChangingDevice: Sendable {
    let phones: Phones
    let transport: InterruptedTransport
    let device: CloudDevice
    let database: CKDatabase
    let alice: CKDatabase
    let bob: CKDatabase

    static func with(_ body: (ChangingDevice) async throws -> Void) async throws {
        try await quick.withPhones { phones in
            let transport = InterruptedTransport(phones.cloud.transport)
            let instant = Pause(now: { .zero }, sleep: { _ in })
            let device = CloudDevice(
                transport: transport, store: DeviceStore(inMemory: DeviceSettings(server: phones.cloud.url)),
                environment: { _ in nil }, pause: instant)
            try await device.signIn("alice@example.com")
            let database = Phones.container(on: device).privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            try await body(
                ChangingDevice(
                    phones: phones, transport: transport, device: device, database: database,
                    alice: try await phones.database(), bob: try await phones.databaseWithNotes("bob@example.com")))
        }
    }

    /// The records in the zone ``notes`` of both.
    func expectNames(
        ofAlice alices: [String], ofBob bobs: [String], _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let found = [try await alice.follow(since: nil).changed, try await bob.follow(since: nil).changed]
        #expect(found == [alices, bobs], sourceLocation: location)
    }

    /// Signs Bob in on the device at the request whose target holds `text`.
    func switchAccount(
        _ moment: InterruptedTransport.Moment, _ text: String, skipping: Int = 0, losing: Bool = false
    ) {
        transport.once(moment, text, skipping: skipping, losing: losing) { [device] in
            do { try await device.signIn("bob@example.com") } catch { Issue.record(error) }
        }
    }
}

@Suite struct `Work that was begun before the account changed` {
    @Test func `and is tried again later is not sent as the new account's`() async throws {
        try await ChangingDevice.with { changing in
            changing.switchAccount(.before, "records/modify", losing: true)
            let operation = CKModifyRecordsOperation(recordsToSave: [note("secret", title: "Alice's")])
            operation.qualityOfService = .utility
            let error = await #expect(throws: CKError.self) {
                try await withCheckedThrowingContinuation { waiter in
                    operation.modifyRecordsResultBlock = { waiter.resume(with: $0) }
                    changing.database.add(operation)
                }
            }
            #expect(error?.code == .notAuthenticated)
            try await changing.expectNames(ofAlice: [], ofBob: [])
        }
    }

    @Test func `and whose web token is refused is not signed with the new account's`() async throws {
        try await ChangingDevice.with { changing in
            changing.switchAccount(.before, "records/modify")
            let error = await #expect(throws: CKError.self) {
                try await changing.database.save(note("secret", title: "Alice's"))
            }
            #expect(error?.code == .notAuthenticated)
            try await changing.expectNames(ofAlice: [], ofBob: [])
        }
    }

    @Test func `and needs several requests keeps what the first one did and fails for the rest`() async throws {
        try await ChangingDevice.with { changing in
            let other = CKRecordZone.ID(zoneName: "Other")
            for database in [changing.alice, changing.bob] { try await database.save(CKRecordZone(zoneID: other)) }
            changing.switchAccount(.after, "records/modify")
            let (first, second) = (note("a", title: "Alice's"), note("b", title: "Alice's", in: other))
            let results = try await changing.database.modifyRecords(saving: [first, second], deleting: [])
            #expect(results.saveResults[first.recordID]?.isSuccess == true, "what was saved is told as saved")
            #expect(results.saveResults[second.recordID]?.code == .notAuthenticated)
            try await changing.expectNames(ofAlice: ["a"], ofBob: [])
            #expect(try await changing.bob.follow(other, since: nil).changed.isEmpty)
        }
    }

    @Test func `and reads several pages ends with the page before`() async throws {
        try await ChangingDevice.with { changing in
            _ = try await changing.alice.modifyRecords(
                saving: (0..<5).map { note("n\($0)", title: "Alice's") }, deleting: [])
            try await changing.bob.save(note("bobs", title: "Bob's"))
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [notes], configurationsByRecordZoneID: [notes: .init(resultsLimit: 2)])
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var names: [String] = []
            operation.recordWasChangedBlock = { id, _ in names.append(id.recordName) }
            changing.switchAccount(.before, "changes/zone", skipping: 1)
            let error = await #expect(throws: CKError.self) {
                try await withCheckedThrowingContinuation { waiter in
                    operation.fetchRecordZoneChangesResultBlock = { waiter.resume(with: $0) }
                    changing.database.add(operation)
                }
            }
            #expect(error?.code == .notAuthenticated)
            #expect(names == ["n0", "n1"])
        }
    }

    @Test(arguments: ["records/lookup", "zones/list", "changes/database", "records/query", "users/caller"])
    func `and is answered after it shows nothing to the new account`(_ path: String) async throws {
        try await ChangingDevice.with { changing in
            try await changing.alice.save(note("n", title: "Alice's"))
            changing.switchAccount(.after, path)
            let error = await #expect(throws: CKError.self) {
                switch path {
                case "records/lookup": _ = try await changing.database.record(for: noteID("n"))
                case "zones/list": _ = try await changing.database.allRecordZones()
                case "changes/database": _ = try await changing.database.databaseChanges(since: nil)
                case "records/query":
                    let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
                    _ = try await changing.database.records(matching: all)
                default: _ = try await Phones.container(on: changing.device).userRecordID()
                }
            }
            #expect(error?.code == .notAuthenticated)
        }
    }

    @Test func `and fetches an asset leaves nothing of it in the new account's cache`() async throws {
        try await quick.withAssetPhones { phones, files in
            let transport = InterruptedTransport(phones.cloud.transport)
            let home = files.folder.appendingPathComponent("device")
            let device = CloudDevice(
                transport: transport, store: DeviceStore(folder: home), environment: { _ in nil })
            try await device.signIn("alice@example.com", server: URL(string: phones.cloud.url))
            let database = Phones.container(on: device).privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            try await phones.save("n", try files.make("photo", size: 1000, seed: 1))
            transport.once(.after, "records/lookup") {
                do { try await device.signIn("bob@example.com") } catch { Issue.record(error) }
            }
            await #expect(throws: CKError.self) { try await database.record(for: noteID("n")) }
            #expect(await device.assetCacheSize == 0)
        }
    }

    @Test func `by a sign-out fails as well, and the container works on for who signs in next`() async throws {
        try await ChangingDevice.with { changing in
            changing.transport.once(.before, "records/modify", losing: true) { [device = changing.device] in
                do { try await device.signOut() } catch { Issue.record(error) }
            }
            let patient = CKOperation.Configuration()
            patient.qualityOfService = .background
            let error = await #expect(throws: CKError.self) {
                try await changing.database.configuredWith(configuration: patient) { database in
                    try await database.save(note("a", title: "Alice's"))
                }
            }
            #expect(error?.code == .notAuthenticated)
            try await changing.device.signIn("bob@example.com")
            try await changing.database.save(note("mine", title: "Bob's"))
            try await changing.expectNames(ofAlice: [], ofBob: ["mine"])
            try await changing.device.signIn("alice@example.com")
            #expect(try await changing.database.follow(since: nil).changed.isEmpty)
        }
    }
}
