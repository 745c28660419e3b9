import CloudClient
import CloudKit
import CloudTestSupport
import Foundation
import Testing

/// Networks that cost: here the loopback network is made one, by what the kernel would say of it.
@Suite struct `A cellular network` {
    private static let overSockets = CloudSetUp.ways.filter { $0.way == .loopback }

    /// A database of a device whose loopback interface is of a kind.
    private func withDatabase(
        _ phones: Phones, loopback kind: String, _ body: (CKDatabase) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("net-\(UUID().uuidString)")
        let interface = folder.appendingPathComponent("lo")
        try FileManager.default.createDirectory(at: interface, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try "DEVTYPE=\(kind)\nINTERFACE=lo\n".write(
            to: interface.appendingPathComponent("uevent"), atomically: true, encoding: .utf8)
        let device = CloudDevice(
            transport: phones.cloud.transport, store: DeviceStore(inMemory: DeviceSettings(server: phones.cloud.url)),
            environment: { _ in nil }, interfaces: NetworkInterfaces(folder: folder.path))
        try await device.signIn("alice@example.com")
        try await body(Phones.container(on: device).privateCloudDatabase)
    }

    private func withoutCellular() -> CKOperation.Configuration {
        let configuration = CKOperation.Configuration()
        configuration.allowsCellularAccess = false
        configuration.qualityOfService = .userInitiated
        return configuration
    }

    @Test(arguments: overSockets)
    func `is used by what may use it, and by nothing else`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            try await withDatabase(phones, loopback: "wwan") { database in
                try await database.save(CKRecordZone(zoneID: notes))
                let refused = await #expect(throws: CKError.self) {
                    try await database.configuredWith(configuration: withoutCellular()) {
                        try await $0.save(note("a", title: "one"))
                    }
                }
                #expect(refused?.code == .networkUnavailable, "\(refused as Any)")
                let operation = CKFetchRecordZonesOperation(recordZoneIDs: [notes])
                operation.configuration = withoutCellular()
                let error = await #expect(throws: CKError.self) {
                    try await result {
                        operation.fetchRecordZonesResultBlock = $0
                        database.add(operation)
                    }
                }
                #expect(error?.code == .networkUnavailable, "\(error as Any)")
                try await database.save(note("a", title: "one"))
            }
        }
    }

    @Test(arguments: overSockets)
    func `is none that the kernel calls by another name`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            try await withDatabase(phones, loopback: "wlan") { database in
                let saved = try await database.configuredWith(configuration: withoutCellular()) {
                    try await $0.save(CKRecordZone(zoneID: notes))
                }
                #expect(saved.zoneID == notes)
            }
        }
    }
}
