import CloudClient
import CloudKit
import CloudTestSupport
import Foundation
import Testing

/// What a device keeps of the assets it has sent and fetched. `traffic` counts the requests for bytes.
@Suite(.timeLimit(.minutes(5))) struct `A device's cache of assets` {
    @Test(arguments: CloudSetUp.ways)
    func
        `fetches nothing twice while it is unchanged, be its file moved away, its record another, or the app started anew`(
            on setUp: CloudSetUp
        ) async throws
    {
        try await setUp.withAssetPhones { phones, files in
            let home = files.folder.appendingPathComponent("device")
            let traffic = AssetTraffic(phones.cloud.transport)
            let tablet = try await phones.databaseWithNotes(traffic, folder: home)
            let photo = try files.make("photo", size: 5_000_000, seed: 1)
            for name in ["a", "b"] { try await phones.save(name, photo) }

            let first = try await tablet.record(for: noteID("a"))
            #expect(traffic.take().downloads == 5, "five pieces")
            let url = try #require((first["photo"] as? CKAsset)?.fileURL)
            try FileManager.default.moveItem(at: url, to: files.folder.appendingPathComponent("library"))
            let both = try await tablet.records(for: [noteID("a"), noteID("b")])
            let urls = try both.values.map { try #require((try $0.get()["photo"] as? CKAsset)?.fileURL) }
            #expect(Set(urls).count == 2, "each its own, for the app to move")
            for url in urls { #expect(try Data(contentsOf: url) == Data(contentsOf: photo)) }
            let again = Phones.container(on: try await phones.device(reopening: home, traffic)).privateCloudDatabase
            #expect(try files.size(of: try await again.record(for: noteID("a"))["photo"] as? CKAsset) == 5_000_000)
            #expect(traffic.take() == AssetTraffic.Counts())

            try await phones.save("a", try files.make("photo", size: 10, seed: 2))
            #expect(try files.size(of: try await tablet.record(for: noteID("a"))["photo"] as? CKAsset) == 10)
            #expect(traffic.take().downloads == 1)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `has what the device itself has sent`(on setUp: CloudSetUp) async throws {
        try await setUp.withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let phone = try await phones.databaseWithNotes(traffic)
            let record = note("n")
            let photo = try files.make("photo", size: 1000, seed: 1)
            record["photo"] = CKAsset(fileURL: photo)
            try await phone.save(record)
            #expect(traffic.take() == AssetTraffic.Counts(uploads: 1, downloads: 0, tokens: 1))
            try FileManager.default.removeItem(at: photo)
            #expect(try files.size(of: record["photo"] as? CKAsset) == 1000)
            #expect(try files.size(of: try await phone.record(for: record.recordID)["photo"] as? CKAsset) == 1000)
            #expect(traffic.take() == AssetTraffic.Counts())
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `gets only what is asked for`(on setUp: CloudSetUp) async throws {
        try await setUp.withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let tablet = try await phones.databaseWithNotes(traffic)
            try await phones.save("n", try files.make("photo", size: 100, seed: 1))
            let id = noteID("n")
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            _ = try await tablet.records(for: [id], desiredKeys: ["title"])
            _ = try await tablet.records(for: [id], desiredKeys: [])
            _ = try await tablet.records(matching: query, desiredKeys: ["title"])
            _ = try await tablet.recordZoneChanges(inZoneWith: notes, since: nil, desiredKeys: ["title"])
            #expect(traffic.take().downloads == 0)
            let found = try await tablet.records(for: [id], desiredKeys: ["photo"])
            #expect(try files.size(of: try found[id]?.get()["photo"] as? CKAsset) == 100)
            #expect(traffic.take().downloads == 1)
        }
    }

    @Test func `keeps as many bytes as it may, and gives up first what was not used for longest`() async throws {
        try await CloudSetUp.ways[0].withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let device = try await phones.device(transport: traffic)
            let tablet = Phones.container(on: device).privateCloudDatabase
            try await tablet.save(CKRecordZone(zoneID: notes))
            for (seed, name) in ["a", "b", "c"].enumerated() {
                try await phones.save(name, try files.make(name, size: 1000, seed: UInt8(seed)))
            }
            #expect(device.assetCacheLimit == 512 * 1_048_576)
            try await device.setAssetCacheLimit(3000)
            for name in ["a", "b", "c", "a", "b", "c", "a"] { _ = try await tablet.record(for: noteID(name)) }
            #expect(traffic.take().downloads == 3)
            #expect(await device.assetCacheSize == 3000)
            // One byte past: b was used least lately.
            try await device.setAssetCacheLimit(2999)
            #expect(await device.assetCacheSize == 2000)
            for name in ["a", "c"] { _ = try await tablet.record(for: noteID(name)) }
            #expect(traffic.take().downloads == 0)
            _ = try await tablet.record(for: noteID("b"))
            #expect(traffic.take().downloads == 1)
            #expect(device.assetCacheLimit == 2999)
            let error = await #expect(throws: CKError.self) { try await device.setAssetCacheLimit(-1) }
            #expect(error?.code == .invalidArguments)
        }
    }

    @Test func `leaves the files of a record that is held, and clears all when told to`() async throws {
        try await CloudSetUp.ways[0].withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let device = try await phones.device(transport: traffic)
            let tablet = Phones.container(on: device).privateCloudDatabase
            try await tablet.save(CKRecordZone(zoneID: notes))
            try await device.setAssetCacheLimit(0)
            for (seed, name) in ["a", "b"].enumerated() {
                try await phones.save(name, try files.make(name, size: 1000, seed: UInt8(seed)))
            }
            func hold(_ body: () async throws -> Void) async throws {
                let records = try await tablet.records(for: [noteID("a"), noteID("b")])
                for record in records.values {
                    #expect(try files.size(of: try record.get()["photo"] as? CKAsset) == 1000)
                }
                #expect(await device.assetCacheSize == 2000)
                try await body()
                withExtendedLifetime(records) {}
            }
            try await hold {}
            #expect(await device.assetCacheSize == 0, "nobody holds them any more")
            try await hold {
                try await device.clearAssetCache()
                #expect(await device.assetCacheSize == 0)
            }
            #expect(traffic.take().downloads == 4)
            _ = try await tablet.record(for: noteID("a"))
            #expect(traffic.take().downloads == 1)
        }
    }

    @Test func `notices that somebody wrote to a file of it`() async throws {
        try await CloudSetUp.ways[0].withAssetPhones { phones, files in
            let traffic = AssetTraffic(phones.cloud.transport)
            let tablet = try await phones.databaseWithNotes(traffic)
            let photo = try files.make("photo", size: 1000, seed: 1)
            try await phones.save("n", photo)
            let url = try #require((try await tablet.record(for: noteID("n"))["photo"] as? CKAsset)?.fileURL)
            let handle = try FileHandle(forWritingTo: url)
            try handle.write(contentsOf: Data("changed in place".utf8))
            try handle.close()
            let again = try #require((try await tablet.record(for: noteID("n"))["photo"] as? CKAsset)?.fileURL)
            #expect(try Data(contentsOf: again) == Data(contentsOf: photo))
            #expect(traffic.take().downloads == 2)
            // A time stamp alone costs a look at the content only.
            try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: again.path)
            _ = try await tablet.record(for: noteID("n"))
            #expect(traffic.take().downloads == 0)
        }
    }

    @Test func `goes with its account`() async throws {
        try await CloudSetUp.ways[0].withAssetPhones { phones, files in
            let home = files.folder.appendingPathComponent("device")
            let traffic = AssetTraffic(phones.cloud.transport)
            let device = try await phones.device(folder: home, transport: traffic)
            let tablet = Phones.container(on: device).privateCloudDatabase
            try await tablet.save(CKRecordZone(zoneID: notes))
            try await phones.save("n", try files.make("photo", size: 1000, seed: 1))
            _ = try await tablet.record(for: noteID("n"))
            #expect(await device.assetCacheSize == 1000)
            try await device.signOut()
            #expect(await device.assetCacheSize == 0)
            let left = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
            #expect(!left.contains { $0.hasSuffix("content") })
            try await device.signIn("alice@example.com")
            _ = try await tablet.record(for: noteID("n"))
            #expect(traffic.take().downloads == 2)
        }
    }
}

extension Phones {
    /// A device kept in a folder.
    func device(
        folder: URL, transport: AssetTraffic, _ email: String = "alice@example.com"
    ) async throws -> CloudDevice {
        let device = CloudDevice(transport: transport, store: DeviceStore(folder: folder), environment: { _ in nil })
        try await device.signIn(email, server: URL(string: cloud.url))
        return device
    }

    /// What a later run of an app makes of the folder.
    func device(reopening folder: URL, _ transport: AssetTraffic) async throws -> CloudDevice {
        CloudDevice(transport: transport, store: DeviceStore(folder: folder), environment: { _ in nil })
    }

    func databaseWithNotes(_ transport: AssetTraffic, folder: URL) async throws -> CKDatabase {
        let database = Self.container(on: try await device(folder: folder, transport: transport)).privateCloudDatabase
        try await database.save(CKRecordZone(zoneID: notes))
        return database
    }

    /// Saves a note with a photo, from a device of its own.
    func save(_ name: String, _ photo: URL) async throws {
        let phone = try await database()
        let record = note(name)
        record["photo"] = CKAsset(fileURL: photo)
        #expect(try await phone.result(of: record, .changedKeys)?.isSuccess == true)
    }
}
