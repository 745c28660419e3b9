import CloudClient
import CloudKit
import HTTPCore
import Testing

@Suite struct `An operation` {
    let transport = ScriptedTransport([])
    var device: CloudDevice {
        CloudDevice(transport: transport, store: DeviceStore(inMemory: DeviceSettings()), environment: { _ in nil })
    }
    var database: CKDatabase {
        device.withCurrent { CKContainer(identifier: "iCloud.org.example").privateCloudDatabase }
    }

    @Test func `with more than 400 items is refused with both numbers and sends nothing`() async throws {
        let ids = (0..<401).map { CKRecord.ID(recordName: "r\($0)") }
        let error = await #expect(throws: CKError.self) {
            try await database.modifyRecords(saving: [], deleting: ids)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.localizedDescription.contains("401") == true)
        #expect(error?.localizedDescription.contains("400") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test func `that saves and deletes one record is refused and sends nothing`() async throws {
        let record = CKRecord(recordType: "Note")
        let operation = CKModifyRecordsOperation(recordsToSave: [record], recordIDsToDelete: [record.recordID])
        let log = Log()
        operation.modifyRecordsResultBlock = { log.add("\(($0.error as? CKError)?.code.rawValue ?? 0)") }
        await database.run(operation)
        #expect(log.all == ["12"])
        #expect(operation.isFinished)
        #expect(transport.requests.isEmpty)
    }

    @Test func `that is cancelled before its start ends as cancelled`() async throws {
        let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "r")])
        let log = Log()
        operation.fetchRecordsResultBlock = { log.add("\(($0.error as? CKError)?.code.rawValue ?? 0)") }
        operation.cancel()
        await database.run(operation)
        #expect(log.all == ["20"])
        #expect(transport.requests.isEmpty)
    }

    @Test func `without a network fails at once with its own code, and a later one waits for it`() async throws {
        let log = Log()
        let first = CKFetchRecordZonesOperation(recordZoneIDs: [.default])
        first.fetchRecordZonesResultBlock = { log.add("first \(($0.error as? CKError)?.code.rawValue ?? 0)") }
        let second = CKQueryOperation(query: CKQuery(recordType: "Note", predicate: NSPredicate(value: true)))
        second.queryResultBlock = { log.add("second \(($0.error as? CKError)?.code.rawValue ?? 0)") }
        second.addDependency(first)
        let database = database
        database.add(first)
        await database.run(second)
        #expect(log.all == ["first 4", "second 4"])
    }

    @Test func `takes from its group what its own configuration does not set`() {
        let group = CKOperationGroup()
        let shared = CKOperation.Configuration()
        shared.timeoutIntervalForRequest = 7
        shared.qualityOfService = .utility
        group.defaultConfiguration = shared
        let operation = CKQueryOperation()
        operation.group = group
        let own = CKOperation.Configuration()
        own.qualityOfService = .userInitiated
        operation.configuration = own
        own.qualityOfService = .background
        #expect(operation.configuration.qualityOfService == .userInitiated)
        #expect(operation.configuration.timeoutIntervalForRequest == 60)
        #expect(CKDatabase.Scope(rawValue: 2) == .private)
    }

    @Test func `of a container gives the same database for the same scope`() {
        let container = device.withCurrent { CKContainer(identifier: "iCloud.org.example") }
        #expect(container.database(with: .private) === container.privateCloudDatabase)
        #expect(container.database(with: .public) === container.publicCloudDatabase)
        #expect(container.database(with: .shared) === container.sharedCloudDatabase)
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
