import CloudKit
import CloudTestSupport
import Foundation
import Synchronization
import Testing

private let quick = CloudSetUp.ways[0]

/// Notes that a block runs, and what must not be so while it does.
private final class Watched: Sendable {
    private let state = Mutex<(isInside: Bool, faults: Int)>((false, 0))
    let log = Log()

    func call(_ line: String) {
        let isAlone = state.withLock { state in
            defer { state.isInside = true }
            return !state.isInside
        }
        if !isAlone || Thread.isMainThread { state.withLock { $0.faults += 1 } }
        log.add(line)
        state.withLock { $0.isInside = false }
    }

    var faults: Int { state.withLock { $0.faults } }
}

@Suite struct `The blocks of an operation` {
    @Test(arguments: CloudSetUp.ways)
    func `run one at a time off the main thread: each item's progress to 1, the item, the result, completionBlock`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let saved = Watched()
            let save = CKModifyRecordsOperation(
                recordsToSave: [note("a"), note("b")], recordIDsToDelete: [noteID("gone")])
            save.perRecordProgressBlock = { saved.call("\($0.recordID.recordName) \($1)") }
            save.perRecordSaveBlock = { id, _ in saved.call("saved \(id.recordName)") }
            save.perRecordDeleteBlock = { id, _ in saved.call("deleted \(id.recordName)") }
            save.modifyRecordsResultBlock = { _ in saved.call("result") }
            await database.run(save)
            #expect(saved.log.all == ["a 1.0", "saved a", "b 1.0", "saved b", "deleted gone", "result"])

            let fetched = Watched()
            let fetch = CKFetchRecordsOperation(recordIDs: [noteID("a"), noteID("no")])
            fetch.perRecordProgressBlock = { fetched.call("\($0.recordName) \($1)") }
            fetch.perRecordResultBlock = { id, result in fetched.call("\(id.recordName) \(result.isSuccess)") }
            fetch.fetchRecordsResultBlock = { _ in fetched.call("result") }
            await database.run(fetch)
            #expect(fetched.log.all == ["a 1.0", "a true", "no 1.0", "no false", "result"])

            let found = Watched()
            let query = CKQueryOperation(query: CKQuery(recordType: "Note", predicate: NSPredicate(value: true)))
            query.recordMatchedBlock = { _, _ in found.call("match") }
            query.queryResultBlock = { _ in found.call("result") }
            await database.run(query)
            #expect(found.log.all == ["match", "match", "result"])
            #expect([saved, fetched, found].map(\.faults) == [0, 0, 0])
        }
    }

    @Test func `of a zone's changes come zone by zone: records, tokens between batches, one result`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let other = CKRecordZone.ID(zoneName: "Other")
            try await database.save(CKRecordZone(zoneID: other))
            _ = try await database.modifyRecords(
                saving: [note("a"), note("b"), note("c"), note("d", in: other)], deleting: [])
            try await database.deleteRecord(withID: noteID("a"))
            let told = Watched()
            func operation(all: Bool) -> CKFetchRecordZoneChangesOperation {
                let operation = CKFetchRecordZoneChangesOperation(
                    recordZoneIDs: [notes, other], configurationsByRecordZoneID: [notes: .init(resultsLimit: 2)])
                operation.fetchAllChanges = all
                operation.recordWasChangedBlock = { id, _ in told.call(id.recordName) }
                operation.recordWithIDWasDeletedBlock = { id, type in told.call("no \(id.recordName) \(type)") }
                operation.recordZoneChangeTokensUpdatedBlock = { zone, token, _ in
                    told.call("token \(zone.zoneName) \(token != nil)")
                }
                operation.recordZoneFetchResultBlock = { zone, result in
                    told.call("end \(zone.zoneName) \((try? result.get())?.moreComing as Any)")
                }
                operation.fetchRecordZoneChangesResultBlock = { _ in told.call("result") }
                return operation
            }
            await database.run(operation(all: true))
            let whole = [
                "b", "c", "token Notes true", "no a Note", "end Notes Optional(false)", "d",
                "end Other Optional(false)",
                "result",
            ]
            #expect(told.log.all == whole)
            await database.run(operation(all: false))
            let page = ["b", "c", "end Notes Optional(true)", "d", "end Other Optional(false)", "result"]
            #expect(Array(told.log.all.dropFirst(whole.count)) == page)
            #expect(told.faults == 0)
        }
    }

    @available(*, deprecated)
    @Test func `for items in their old form are not called where the new ones are set`() async throws {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let database = container.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            let log = Log()

            let save = CKModifyRecordsOperation(recordsToSave: [note("a")])
            save.perRecordSaveBlock = { _, _ in log.add("saved") }
            save.perRecordCompletionBlock = { _, _ in log.add("old save") }
            await database.run(save)

            let fetch = CKFetchRecordsOperation(recordIDs: [noteID("a")])
            fetch.perRecordResultBlock = { _, _ in log.add("fetched") }
            fetch.perRecordCompletionBlock = { _, _, _ in log.add("old fetch") }
            await database.run(fetch)

            let query = CKQueryOperation(query: CKQuery(recordType: "Note", predicate: NSPredicate(value: true)))
            query.recordMatchedBlock = { _, _ in log.add("matched") }
            query.recordFetchedBlock = { _ in log.add("old match") }
            await database.run(query)

            let changes = CKFetchRecordZoneChangesOperation(recordZoneIDs: [notes])
            changes.recordWasChangedBlock = { _, _ in log.add("changed") }
            changes.recordChangedBlock = { _ in log.add("old change") }
            await database.run(changes)

            let people = CKFetchShareParticipantsOperation(
                userIdentityLookupInfos: [CKUserIdentity.LookupInfo(emailAddress: "bob@example.com")])
            people.perShareParticipantResultBlock = { _, _ in log.add("person") }
            people.shareParticipantFetchedBlock = { _ in log.add("old person") }
            await container.run(people)
            #expect(log.all == ["saved", "fetched", "matched", "changed", "person"])
        }
    }

    @available(*, deprecated)
    @Test func `for the end in their old form get partialFailure by share URL and by lookup info`() async throws {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            func partial(_ run: (@escaping @Sendable ((any Error)?) -> Void) -> CKOperation) async -> [AnyHashable] {
                let found = Mutex<CKError?>(nil)
                await container.run(run { error in found.withLock { $0 = error as? CKError } })
                let error = found.withLock { $0 }
                #expect(error?.code == .partialFailure)
                return error?.partialErrorsByItemID.map { Array($0.keys) } ?? []
            }
            let url = try #require(URL(string: "\(phones.cloud.url)/share/0unknown"))
            let metadata = await partial { done in
                let operation = CKFetchShareMetadataOperation(shareURLs: [url])
                operation.fetchShareMetadataCompletionBlock = { done($0) }
                return operation
            }
            #expect(metadata == [AnyHashable(url)])
            let info = CKUserIdentity.LookupInfo(
                userRecordID: CKRecord.ID(recordName: "_" + String(repeating: "0", count: 32)))
            let people = await partial { done in
                let operation = CKFetchShareParticipantsOperation(userIdentityLookupInfos: [info])
                operation.fetchShareParticipantsCompletionBlock = { done($0) }
                return operation
            }
            #expect(people == [AnyHashable(info)])

            // A share that went away after it was looked at.
            let database = container.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            let share = CKShare(recordZoneID: notes)
            share.publicPermission = .readOnly
            try await database.save(share)
            let friend = Phones.container(on: try await phones.device("bob@example.com"))
            let address = try #require(share.url)
            let seen = try await friend.shareMetadata(for: address)
            try await database.deleteRecord(withID: share.recordID)
            let accepted = await partial { done in
                let operation = CKAcceptSharesOperation(shareMetadatas: [seen])
                operation.acceptSharesCompletionBlock = { done($0) }
                return operation
            }
            #expect(accepted == [AnyHashable(address)])
        }
    }

    @Test func `end with operationCancelled when it is cancelled while its request is under way`() async throws {
        try await quick.withPhones { phones in
            let transport = InterruptedTransport(phones.cloud.transport)
            let database = Phones.container(on: try await phones.device(transport: transport)).privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            let operation = CKFetchRecordZonesOperation(recordZoneIDs: [notes])
            transport.once(.before, "zones/lookup") { operation.cancel() }
            let log = Log()
            operation.fetchRecordZonesResultBlock = { log.add("\(String(describing: $0.code?.rawValue))") }
            await database.run(operation)
            #expect(log.all == ["Optional(20)"])
        }
    }
}
