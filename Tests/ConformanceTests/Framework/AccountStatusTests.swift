import CloudClient
import CloudKit
import CloudTestSupport
import CloudWire
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

/// Counts what is posted; other tests' devices post too.
private final class Posts: Sendable {
    let stream: AsyncStream<Void>
    // Only handed back to the notification centre.
    private nonisolated(unsafe) let observer: any NSObjectProtocol

    init() {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        self.stream = stream
        observer = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) {
            _ in continuation.yield()
        }
    }

    deinit { NotificationCenter.default.removeObserver(observer) }
}

@Suite(.timeLimit(.minutes(5))) struct `The status of an account` {
    @Test func `is noAccount without one and available with one, and has no error`() async throws {
        try await quick.withPhones { phones in
            let device = try await phones.device()
            let container = Phones.container(on: device)
            #expect(try await container.accountStatus() == .available)
            try await device.signOut()
            #expect(try await container.accountStatus() == .noAccount)
            let (status, error) = await withCheckedContinuation { waiter in
                container.accountStatus { waiter.resume(returning: ($0, $1 as? CKError)) }
            }
            #expect(status == .noAccount && error == nil)
        }
    }

    @Test func `could not be determined where the device cannot be read, and says why`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: folder.appendingPathComponent("device.json"))
        let device = CloudDevice(
            transport: ScriptedTransport([]), store: DeviceStore(folder: folder), environment: { _ in nil })
        let (status, error) = await withCheckedContinuation { waiter in
            Phones.container(on: device).accountStatus { waiter.resume(returning: ($0, $1 as? CKError)) }
        }
        #expect(status == .couldNotDetermine)
        #expect(error?.localizedDescription.contains("device.json") == true)
    }

    @Test func `is temporarilyUnavailable once the service has ended the session, until somebody signs in again`()
        async throws
    {
        try await quick.withPhones { phones in
            let device = try await phones.device()
            let container = Phones.container(on: device)
            let database = container.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            let session = try #require(device.store.settings.deviceSession)
            // As an administrator, or the account's owner elsewhere, ends it.
            try await CumuletCalls.signOut(
                server: phones.cloud.url, deviceSession: session, transport: phones.cloud.transport)
            #expect(try await container.accountStatus() == .available, "nobody has told the device")

            let posts = Posts()
            var changes = posts.stream.makeAsyncIterator()
            let error = await #expect(throws: CKError.self) { try await database.save(note("n", title: "kept")) }
            #expect(error?.code == .accountTemporarilyUnavailable)
            while try await container.accountStatus() != .temporarilyUnavailable { await changes.next() }
            await changes.next()

            try await device.signIn("alice@example.com")
            #expect(try await container.accountStatus() == .available)
            try await database.save(note("n", title: "kept"))
        }
    }

    @Test func `of a device without an account lets it read the public database, and nothing else`() async throws {
        try await quick.withPhones { phones in
            let alice = try await phones.database("alice@example.com", .public)
            let saved = try await alice.save(note("n", title: "open", in: .default))
            let device = CloudDevice(
                transport: phones.cloud.transport,
                store: DeviceStore(inMemory: DeviceSettings(server: phones.cloud.url)), environment: { _ in nil })
            let container = Phones.container(on: device)
            let open = container.publicCloudDatabase
            #expect(try await open.record(for: saved.recordID)["title"] as? String == "open")
            let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            #expect(titles(try await open.records(matching: all).matchResults) == ["open"])
            let refused = await #expect(throws: CKError.self) {
                try await open.save(note("mine", title: "no", in: .default))
            }
            #expect(refused?.code == .notAuthenticated)
            for database in [container.privateCloudDatabase, container.sharedCloudDatabase] {
                let error = await #expect(throws: CKError.self) { try await database.allRecordZones() }
                #expect(error?.code == .notAuthenticated)
            }
            let nobody = await #expect(throws: CKError.self) { try await container.userRecordID() }
            #expect(nobody?.code == .notAuthenticated)
        }
    }

    @Test func `is told to no process that holds no container`() async throws {
        let device = CloudDevice(
            transport: ScriptedTransport([]), store: DeviceStore(inMemory: DeviceSettings()), environment: { _ in nil })
        #expect(!device.isInUse)
        var container: CKContainer? = device.withCurrent { CKContainer(identifier: "iCloud.org.example") }
        #expect(device.isInUse && container != nil)
        container = nil
        #expect(!device.isInUse)
    }
}
