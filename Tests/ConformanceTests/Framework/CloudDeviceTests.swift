import CloudKit
import CloudTestSupport
import Foundation
import Testing

/// The device as an app's tests and tools use it: a folder, and a service on a socket.
@Suite struct `A device in a folder` {
    private static let overSockets = CloudSetUp.ways.filter { $0.way == .loopback }

    @Test(arguments: overSockets)
    func `keeps its account for the next process, and containers made with it are its own`(on setUp: CloudSetUp)
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("device-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await setUp.withPhones { phones in
            let device = CloudDevice(folder: folder)
            #expect(!device.isSignedIn && device.emailAddress == nil)
            device.configure(
                TestCloud.container, server: URL(string: phones.cloud.url), apiToken: TestCloud.apiToken(),
                environment: .development)
            try await device.signIn("alice@example.com", server: URL(string: phones.cloud.url))
            #expect(device.isSignedIn && device.emailAddress == "alice@example.com" && !device.deviceID.isEmpty)
            let saved = try await device.withCurrent {
                #expect(CloudDevice.current === device)
                let database = CKContainer(identifier: TestCloud.container).privateCloudDatabase
                return try await database.save(CKRecordZone(zoneID: notes))
            }
            #expect(saved.zoneID == notes && CloudDevice.current !== device)

            let later = CloudDevice(folder: folder)
            #expect(later.isSignedIn && later.emailAddress == device.emailAddress && later.deviceID == device.deviceID)
            let zones = try await Phones.container(on: later).privateCloudDatabase.allRecordZones()
            #expect(Set(zones.map(\.zoneID)) == [.default, notes])
            try await later.signOut()
            #expect(!later.isSignedIn && !device.isSignedIn)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `that is offline reaches nothing until it is back`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let device = try await phones.device()
            let database = Phones.container(on: device).privateCloudDatabase
            device.isOffline = true
            #expect(device.isOffline)
            let error = await #expect(throws: CKError.self) { try await database.allRecordZones() }
            #expect(error?.code == .networkFailure, "\(error as Any)")
            device.isOffline = false
            #expect(try await database.allRecordZones().map(\.zoneID) == [.default])
        }
    }
}
