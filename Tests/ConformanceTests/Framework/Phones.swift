import CloudClient
import CloudKit
import CloudTestSupport

/// A service in this process and devices signed in to it.
struct Phones: Sendable {
    let cloud: TestCloud

    init() throws { cloud = try TestCloud() }

    func device(_ email: String) async throws -> CloudDevice {
        let settings = DeviceSettings(server: TestCloud.url)
        let device = CloudDevice(
            transport: cloud.transport, store: DeviceStore(inMemory: settings), environment: { _ in nil })
        try await device.signIn(email)
        return device
    }

    /// The private database of a new device of the account.
    func database(_ email: String = "alice@example.com", _ scope: CKDatabase.Scope = .private) async throws
        -> CKDatabase
    {
        Self.container(on: try await device(email)).database(with: scope)
    }

    static func container(on device: CloudDevice) -> CKContainer {
        device.withCurrent { CKContainer(identifier: TestCloud.container) }
    }
}

let notes = CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)

func note(_ name: String, title: String, in zone: CKRecordZone.ID = notes) -> CKRecord {
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zone))
    record["title"] = title
    return record
}

func titles(_ matches: [(CKRecord.ID, Result<CKRecord, any Error>)]) -> [String] {
    matches.map { match in (try? match.1.get())?["title"] as? String ?? "?" }
}
