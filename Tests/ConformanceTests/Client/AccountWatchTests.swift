import CloudClient
import CloudKit
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A device that several processes use` {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)")
    var device: CloudDevice {
        CloudDevice(
            transport: ScriptedTransport([]), store: DeviceStore(folder: folder), environment: { _ in nil })
    }

    @Test func `posts CKAccountChanged when another process signs in or out, without a call`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let device = device
        let container = device.withCurrent { CKContainer(identifier: "iCloud.org.example") }
        let (posts, continuation) = AsyncStream<Void>.makeStream()
        let observer = NotificationCenter.default.addObserver(forName: .CKAccountChanged, object: nil, queue: nil) {
            _ in continuation.yield()
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        var changes = posts.makeAsyncIterator()
        let other = DeviceStore(folder: folder)

        try other.update { settings in
            settings.emailAddress = "alice@example.com"
            settings.deviceSession = "secret"
        }
        await changes.next()
        #expect(try await container.accountStatus() == .available)

        try other.update { settings in
            settings.emailAddress = nil
            settings.deviceSession = nil
        }
        await changes.next()
        #expect(try await container.accountStatus() == .noAccount)
    }

    @Test func `is watched as long as a container or a database of it is held`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let device = device
        #expect(!device.isWatched)
        var container: CKContainer? = device.withCurrent { CKContainer(identifier: "iCloud.org.example") }
        var database = container?.publicCloudDatabase
        #expect(device.isWatched)
        container = nil
        #expect(device.isWatched && database != nil)
        database = nil
        #expect(!device.isWatched)
        container = device.withCurrent { CKContainer(identifier: "iCloud.org.example") }
        #expect(device.isWatched && container != nil)
    }

    @Test func `tells of changes to its folder as long as the watch lives`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(FolderWatch(folder) {} == nil)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (changes, continuation) = AsyncStream<Void>.makeStream()
        var watch = FolderWatch(folder) { continuation.yield() }
        #expect(watch != nil)
        var iterator = changes.makeAsyncIterator()
        let file = folder.appendingPathComponent("file")
        try Data([1]).write(to: file)
        await iterator.next()
        try FileManager.default.removeItem(at: file)
        await iterator.next()
        watch = nil
    }
}
