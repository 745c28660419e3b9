import CloudClient
import CloudKit
import CloudTestSupport
import HTTPCore
import Synchronization

/// A service and devices signed in to it.
struct Phones: Sendable {
    let cloud: TestCloud

    func device(_ email: String = "alice@example.com", transport: (any HTTPTransport)? = nil) async throws
        -> CloudDevice
    {
        let settings = DeviceSettings(server: cloud.url)
        let device = CloudDevice(
            transport: transport ?? cloud.transport, store: DeviceStore(inMemory: settings), environment: { _ in nil })
        try await device.signIn(email)
        return device
    }

    /// A database of a new device of the account.
    func database(_ email: String = "alice@example.com", _ scope: CKDatabase.Scope = .private) async throws
        -> CKDatabase
    {
        Self.container(on: try await device(email)).database(with: scope)
    }

    /// The private database of a new device, with the zone ``notes``.
    func databaseWithNotes(_ email: String = "alice@example.com") async throws -> CKDatabase {
        let database = try await database(email)
        try await database.save(CKRecordZone(zoneID: notes))
        return database
    }

    /// The same, of a device whose requests go by `transport`.
    func databaseWithNotes(_ transport: any HTTPTransport) async throws -> CKDatabase {
        let database = Self.container(on: try await device(transport: transport)).privateCloudDatabase
        try await database.save(CKRecordZone(zoneID: notes))
        return database
    }

    static func container(on device: CloudDevice) -> CKContainer {
        device.withCurrent { CKContainer(identifier: TestCloud.container) }
    }
}

extension CloudSetUp {
    /// Runs `body` with a service of this set-up.
    func withPhones(clock: ManualClock = ManualClock(), _ body: (Phones) async throws -> Void) async throws {
        try await withCloud(clock: clock) { try await body(Phones(cloud: $0)) }
    }
}

let notes = CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)

func note(_ name: String, title: String? = nil, in zone: CKRecordZone.ID = notes) -> CKRecord {
    let record = CKRecord(recordType: "Note", recordID: noteID(name, in: zone))
    if let title { record["title"] = title }
    return record
}

func noteID(_ name: String, in zone: CKRecordZone.ID = notes) -> CKRecord.ID {
    CKRecord.ID(recordName: name, zoneID: zone)
}

func titles(_ matches: [(CKRecord.ID, Result<CKRecord, any Error>)]) -> [String] {
    matches.map { match in (try? match.1.get())?["title"] as? String ?? "?" }
}

extension Result where Failure == any Error {
    var isSuccess: Bool { if case .success = self { true } else { false } }

    /// The code of a failure that an app would see.
    var code: CKError.Code? { ckError?.code }

    var ckError: CKError? { if case .failure(let error) = self { error as? CKError } else { nil } }
}

extension Dictionary {
    /// The failed items with their codes.
    func failures<Success>() -> [Key: CKError.Code?] where Value == Result<Success, any Error> {
        compactMapValues { $0.isSuccess ? nil : .some($0.code) }
    }
}

extension CKContainer {
    /// Adds the operation and returns when it has called its last block.
    func run(_ operation: CKOperation) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            add(operation)
        }
    }
}

/// What blocks said, in order.
final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    func add(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
}

extension CKDatabase {
    /// Adds the operation and returns when it has called its last block.
    func run(_ operation: CKDatabaseOperation) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            add(operation)
        }
    }

    /// Saves and gives what became of the one record.
    func result(
        of record: CKRecord, _ policy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged
    ) async throws -> Result<CKRecord, any Error>? {
        try await modifyRecords(saving: [record], deleting: [], savePolicy: policy).saveResults[record.recordID]
    }

    /// Every change of a zone since a token, page by page: names of changed and of deleted records in feed order.
    func follow(
        _ zone: CKRecordZone.ID = notes, since token: CKServerChangeToken?, limit: Int? = nil
    ) async throws -> (changed: [String], deleted: [String], token: CKServerChangeToken?) {
        let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(
            previousServerChangeToken: token, resultsLimit: limit)
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zone], configurationsByRecordZoneID: [zone: configuration])
        // Written on the operation's serial queue only, and read when it has called its last block.
        nonisolated(unsafe) var found: (changed: [String], deleted: [String], token: CKServerChangeToken?) = (
            [], [], nil
        )
        nonisolated(unsafe) var failure: (any Error)?
        operation.recordWasChangedBlock = { id, _ in found.changed.append(id.recordName) }
        operation.recordWithIDWasDeletedBlock = { id, _ in found.deleted.append(id.recordName) }
        operation.recordZoneFetchResultBlock = { _, result in
            switch result {
            case .success(let end): found.token = end.serverChangeToken
            case .failure(let error): failure = error
            }
        }
        return try await withCheckedThrowingContinuation { continuation in
            operation.fetchRecordZoneChangesResultBlock = { result in
                if let error = failure ?? result.ckError {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: found)
                }
            }
            add(operation)
        }
    }
}
