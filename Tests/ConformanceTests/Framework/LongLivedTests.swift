import CloudClient
import CloudKit
import CloudTestSupport
import Foundation
import Testing

@Suite struct `A long-lived operation` {
    private func save(_ records: [CKRecord], on database: CKDatabase) -> CKModifyRecordsOperation {
        let operation = CKModifyRecordsOperation(recordsToSave: records)
        let configuration = CKOperation.Configuration()
        configuration.isLongLived = true
        operation.configuration = configuration
        operation.database = database
        return operation
    }

    @Test(arguments: CloudSetUp.ways)
    func `is kept while it runs, told to be, and forgotten when its last block was called`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let device = try await phones.device()
            let container = Phones.container(on: device)
            let phone = container.privateCloudDatabase
            try await phone.save(CKRecordZone(zoneID: notes))
            let operation = save([note("n", title: "milk")], on: phone)
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var calls: [String] = []
            operation.longLivedOperationWasPersistedBlock = { calls.append("persisted") }
            operation.perRecordSaveBlock = { _, _ in calls.append("saved") }
            try await withCheckedThrowingContinuation { waiter in
                operation.modifyRecordsResultBlock = { waiter.resume(with: $0) }
                phone.add(operation)
            }
            #expect(calls == ["persisted", "saved"])
            while try await !container.allLongLivedOperationIDs().isEmpty { await Task.yield() }
            #expect(try await container.longLivedOperation(for: operation.operationID) == nil)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `that its process did not end is found by the next, with its work, and ends there`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let home = files.folder.appendingPathComponent("device")
            let traffic = AssetTraffic(phones.cloud.transport)
            let first = try await phones.device(folder: home, transport: traffic)
            let phone = Phones.container(on: first).privateCloudDatabase
            try await phone.save(CKRecordZone(zoneID: notes))
            let record = note("n", title: "milk")
            record["photo"] = CKAsset(fileURL: try files.make("photo", size: 100, seed: 1))
            let operation = save([record], on: phone)
            operation.recordIDsToDelete = [noteID("gone")]
            #expect(try first.keep(operation))

            let later = Phones.container(on: try await phones.device(reopening: home, traffic))
            #expect(try await later.allLongLivedOperationIDs() == [operation.operationID])
            let ids: [CKOperation.ID]? = try await withCheckedThrowingContinuation { waiter in
                later.fetchAllLongLivedOperationIDs { ids, error in
                    waiter.resume(with: error.map { .failure($0) } ?? .success(ids))
                }
            }
            #expect(ids == [operation.operationID])
            let proxy: CKOperation? = try await withCheckedThrowingContinuation { waiter in
                later.fetchLongLivedOperation(withID: operation.operationID) { found, error in
                    waiter.resume(with: error.map { .failure($0) } ?? .success(found))
                }
            }
            let again = try #require(proxy as? CKModifyRecordsOperation)
            #expect(again.operationID == operation.operationID && again.configuration.isLongLived)
            #expect(again.recordIDsToDelete == [noteID("gone")] && again.isAtomic)
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var saved: [CKRecord.ID] = []
            again.perRecordSaveBlock = { id, result in if result.isSuccess { saved.append(id) } }
            try await withCheckedThrowingContinuation { waiter in
                again.modifyRecordsResultBlock = { waiter.resume(with: $0) }
                later.add(again)
            }
            #expect(saved == [record.recordID])
            while try await !later.allLongLivedOperationIDs().isEmpty { await Task.yield() }
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `that had saved before its process ended does not conflict with itself, but with others`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withAssetPhones { phones, files in
            let home = files.folder.appendingPathComponent("device")
            let traffic = AssetTraffic(phones.cloud.transport)
            let device = try await phones.device(folder: home, transport: traffic)
            let phone = Phones.container(on: device).privateCloudDatabase
            try await phone.save(CKRecordZone(zoneID: notes))
            for (name, edits) in [("mine", false), ("theirs", true)] {
                let record = note(name, title: "milk")
                let operation = save([record], on: phone)
                #expect(try device.keep(operation))
                try await phone.save(note(name, title: "milk"))
                if edits {
                    let other = try await phones.database().record(for: record.recordID)
                    other["title"] = "bread"
                    #expect(try await phones.database().result(of: other)?.isSuccess == true)
                }
                let container = Phones.container(on: device)
                let again = try #require(
                    try await container.longLivedOperation(for: operation.operationID) as? CKModifyRecordsOperation)
                // Written on the operation's serial queue only, and read when it has called its last block.
                nonisolated(unsafe) var code: CKError.Code?
                again.perRecordSaveBlock = { code = $1.code }
                try await withCheckedThrowingContinuation { waiter in
                    again.modifyRecordsResultBlock = { waiter.resume(with: $0) }
                    container.add(again)
                }
                #expect(code == (edits ? .serverRecordChanged : nil))
            }
        }
    }

    @Test
    func
        `to fetch is kept too, is its account's and its container's, goes with the account, and is given up after a day`()
        async throws
    {
        try await CloudSetUp.ways[0].withAssetPhones { phones, files in
            let home = files.folder.appendingPathComponent("device")
            let traffic = AssetTraffic(phones.cloud.transport)
            let device = try await phones.device(folder: home, transport: traffic)
            let container = Phones.container(on: device)
            let fetch = CKFetchRecordsOperation(recordIDs: [noteID("n")])
            fetch.desiredKeys = ["title"]
            fetch.database = container.privateCloudDatabase
            #expect(try device.keep(fetch))
            #expect(try !device.keep(CKFetchSubscriptionsOperation()), "ends with its process")
            let kept = try #require(
                try await container.longLivedOperation(for: fetch.operationID) as? CKFetchRecordsOperation)
            #expect(kept.recordIDs == [noteID("n")] && kept.desiredKeys == ["title"])
            let other = device.withCurrent { CKContainer(identifier: "iCloud.org.example.other") }
            #expect(try await other.allLongLivedOperationIDs() == [])
            try await device.signIn("bob@example.com")
            #expect(try await container.allLongLivedOperationIDs() == [])
            #expect(try await container.longLivedOperation(for: fetch.operationID) == nil)
            let left = try FileManager.default.contentsOfDirectory(
                atPath: home.appendingPathComponent("operations").path)
            #expect(left.isEmpty, "nobody can go on with it, and it is not the new account's to keep")

            let clock = ManualClock(step: 0)
            let time: @Sendable () -> Date = { Date(timeIntervalSince1970: Double(clock.now) / 1000) }
            let store = OperationStore(deviceFolder: nil, now: time)
            let entry = OperationStore.Entry(
                id: "a", container: "c", account: "x", started: time(), kind: "k", content: Data())
            try store.save(entry)
            clock.advance(milliseconds: 24 * 3600 * 1000 - 1)
            #expect(store.entries(container: "c", account: "x").map(\.id) == ["a"])
            clock.advance(milliseconds: 1)
            #expect(store.entries(container: "c", account: "x").isEmpty)
        }
    }
}
