import CloudClient
import CloudKit
import CloudTestSupport
import Synchronization
import Testing

// The deprecated blocks by protocol, since naming them is a warning.
private protocol OldModifyRecords: CKDatabaseOperation {
    var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)? { get set }
    var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)? { get set }
}
private protocol OldFetchRecords: CKDatabaseOperation {
    var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)? { get set }
}
private protocol OldModifyZones: CKDatabaseOperation {
    var modifyRecordZonesCompletionBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)? { get set }
}
private protocol OldFetchZones: CKDatabaseOperation {
    var fetchRecordZonesCompletionBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)? { get set }
}
private protocol OldModifySubscriptions: CKDatabaseOperation {
    var modifySubscriptionsCompletionBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)? {
        get set
    }
}
private protocol OldFetchSubscriptions: CKDatabaseOperation {
    var fetchSubscriptionCompletionBlock: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)? { get set }
}
private protocol OldZoneChanges: CKDatabaseOperation {
    var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)? { get set }
}
extension CKModifyRecordsOperation: OldModifyRecords {}
extension CKFetchRecordsOperation: OldFetchRecords {}
extension CKModifyRecordZonesOperation: OldModifyZones {}
extension CKFetchRecordZonesOperation: OldFetchZones {}
extension CKModifySubscriptionsOperation: OldModifySubscriptions {}
extension CKFetchSubscriptionsOperation: OldFetchSubscriptions {}
extension CKFetchRecordZoneChangesOperation: OldZoneChanges {}

/// What the blocks of one operation were told.
private final class Told<ID: Hashable & Sendable>: Sendable {
    private struct State {
        var items: [ID: [CKError.Code?]] = [:]
        var results: [CKError.Code?] = []
        var old: [(code: CKError.Code?, items: [ID: CKError.Code])] = []
    }
    private let state = Mutex(State())

    func item(_ id: ID, _ error: (any Error)?) {
        state.withLock { $0.items[id, default: []].append((error as? CKError)?.code) }
    }

    func item<Value>(_ id: ID, _ result: Result<Value, any Error>) { item(id, result.error) }
    func result<Value>(_ result: Result<Value, any Error>) {
        state.withLock { $0.results.append((result.error as? CKError)?.code) }
    }

    func completion(_ error: (any Error)?) {
        let error = error as? CKError
        var items: [ID: CKError.Code] = [:]
        for (id, item) in error?.partialErrorsByItemID ?? [:] {
            if let id = id.base as? ID { items[id] = (item as? CKError)?.code }
        }
        state.withLock { $0.old.append((error?.code, items)) }
    }

    /// The item blocks: each item once, those of `failing` with an error.
    func expectItems(_ all: [ID], failing: Set<ID>, _ location: SourceLocation = #_sourceLocation) {
        let items = state.withLock { $0.items }
        #expect(Set(items.keys) == Set(all), sourceLocation: location)
        #expect(items.values.allSatisfy { $0.count == 1 }, sourceLocation: location)
        #expect(Set(items.filter { $0.value != [nil] }.keys) == failing, sourceLocation: location)
    }

    /// The result block: once, and never of items' failures.
    func expectSuccess(_ location: SourceLocation = #_sourceLocation) {
        #expect(state.withLock { $0.results } == [nil], sourceLocation: location)
    }

    /// The deprecated block: once, with every failed item and no other.
    func expectPartialFailure(of failing: Set<ID>, _ location: SourceLocation = #_sourceLocation) {
        let old = state.withLock { $0.old }
        #expect(old.count == 1, sourceLocation: location)
        #expect(old.first?.code == (failing.isEmpty ? nil : .partialFailure), sourceLocation: location)
        #expect(old.first.map { Set($0.items.keys) } == failing, sourceLocation: location)
    }
}

/// A per-item block hears of each item once; a result block succeeds when the request did, whatever became of the
/// items; a deprecated completion block gets `partialFailure` with the failed items.
@Suite struct `Per-item blocks, result blocks and completion blocks` {
    private func run(_ operation: CKDatabaseOperation, on database: CKDatabase) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            database.add(operation)
        }
    }

    static let batches = [(0, 2), (1, 1), (2, 0)].flatMap { bad, good in
        [true, false].map { Batch(bad: bad, good: good, isAtomic: $0) }
    }

    /// How many records of a batch are refused.
    struct Batch: Sendable, CustomTestStringConvertible {
        var bad: Int
        var good: Int
        var isAtomic: Bool
        var testDescription: String { "\(bad) bad, \(good) good, \(isAtomic ? "atomic" : "each on its own")" }
    }

    @Test(arguments: batches, CloudSetUp.ways)
    func `of a modification of records`(_ counts: Batch, on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            _ = try await database.modifyRecords(
                saving: (0..<counts.bad).map { note("taken\($0)", title: "first") }, deleting: [])
            func operation(_ suffix: String) -> CKModifyRecordsOperation {
                let bad = (0..<counts.bad).map { note("taken\($0)", title: "again") }
                let good = (0..<counts.good).map { note("new\($0)\(suffix)", title: "new") }
                let operation = CKModifyRecordsOperation(recordsToSave: bad + good)
                operation.isAtomic = counts.isAtomic
                return operation
            }
            func failing(_ operation: CKModifyRecordsOperation) -> Set<CKRecord.ID> {
                let ids = operation.recordsToSave?.map(\.recordID) ?? []
                return Set(ids.prefix(counts.isAtomic && counts.bad > 0 ? ids.count : counts.bad))
            }

            let new = operation("")
            let told = Told<CKRecord.ID>()
            new.perRecordSaveBlock = { told.item($0, $1) }
            new.modifyRecordsResultBlock = { told.result($0) }
            await run(new, on: database)
            told.expectItems(new.recordsToSave?.map(\.recordID) ?? [], failing: failing(new))
            told.expectSuccess()

            let old = operation("old")
            let oldTold = Told<CKRecord.ID>()
            (old as any OldModifyRecords).perRecordCompletionBlock = { oldTold.item($0.recordID, $1) }
            (old as any OldModifyRecords).modifyRecordsCompletionBlock = { oldTold.completion($2) }
            await run(old, on: database)
            oldTold.expectItems(old.recordsToSave?.map(\.recordID) ?? [], failing: failing(old))
            oldTold.expectPartialFailure(of: failing(old))
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `of a fetch of records`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let present = try await database.save(note("a", title: "a")).recordID
            let absent = CKRecord.ID(recordName: "absent", zoneID: notes)
            let nowhere = CKRecord.ID(recordName: "b", zoneID: CKRecordZone.ID(zoneName: "Nowhere"))
            let ids = [present, absent, nowhere]
            let new = CKFetchRecordsOperation(recordIDs: ids)
            let old = CKFetchRecordsOperation(recordIDs: ids)
            let told = Told<CKRecord.ID>()
            new.perRecordResultBlock = { told.item($0, $1) }
            new.fetchRecordsResultBlock = { told.result($0) }
            (old as any OldFetchRecords).fetchRecordsCompletionBlock = { told.completion($1) }
            await run(new, on: database)
            await run(old, on: database)
            told.expectItems(ids, failing: [absent, nowhere])
            told.expectSuccess()
            told.expectPartialFailure(of: [absent, nowhere])
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `of zones`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let good = CKRecordZone(zoneName: "Good")
            let bad = CKRecordZone(zoneName: "_reserved")
            let told = Told<CKRecordZone.ID>()
            let new = CKModifyRecordZonesOperation(recordZonesToSave: [good, bad])
            let old = CKModifyRecordZonesOperation(recordZonesToSave: [good, bad])
            new.perRecordZoneSaveBlock = { told.item($0, $1) }
            new.modifyRecordZonesResultBlock = { told.result($0) }
            (old as any OldModifyZones).modifyRecordZonesCompletionBlock = { told.completion($2) }
            await run(new, on: database)
            await run(old, on: database)
            told.expectItems([good.zoneID, bad.zoneID], failing: [bad.zoneID])
            told.expectSuccess()
            told.expectPartialFailure(of: [bad.zoneID])

            let absent = CKRecordZone.ID(zoneName: "Absent")
            let found = Told<CKRecordZone.ID>()
            let newFetch = CKFetchRecordZonesOperation(recordZoneIDs: [notes, absent])
            let oldFetch = CKFetchRecordZonesOperation(recordZoneIDs: [notes, absent])
            newFetch.perRecordZoneResultBlock = { found.item($0, $1) }
            newFetch.fetchRecordZonesResultBlock = { found.result($0) }
            (oldFetch as any OldFetchZones).fetchRecordZonesCompletionBlock = { found.completion($1) }
            await run(newFetch, on: database)
            await run(oldFetch, on: database)
            found.expectItems([notes, absent], failing: [absent])
            found.expectSuccess()
            found.expectPartialFailure(of: [absent])
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `of subscriptions`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let good = CKDatabaseSubscription(subscriptionID: "good")
            let bad = CKQuerySubscription(
                recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "never", options: [])
            let told = Told<CKSubscription.ID>()
            let new = CKModifySubscriptionsOperation(subscriptionsToSave: [good, bad])
            let old = CKModifySubscriptionsOperation(subscriptionsToSave: [good, bad])
            new.perSubscriptionSaveBlock = { told.item($0, $1) }
            new.modifySubscriptionsResultBlock = { told.result($0) }
            (old as any OldModifySubscriptions).modifySubscriptionsCompletionBlock = { told.completion($2) }
            await run(new, on: database)
            await run(old, on: database)
            told.expectItems(["good", "never"], failing: ["never"])
            told.expectSuccess()
            told.expectPartialFailure(of: ["never"])

            let found = Told<CKSubscription.ID>()
            let newFetch = CKFetchSubscriptionsOperation(subscriptionIDs: ["good", "absent"])
            let oldFetch = CKFetchSubscriptionsOperation(subscriptionIDs: ["good", "absent"])
            newFetch.perSubscriptionResultBlock = { found.item($0, $1) }
            newFetch.fetchSubscriptionsResultBlock = { found.result($0) }
            (oldFetch as any OldFetchSubscriptions).fetchSubscriptionCompletionBlock = { found.completion($1) }
            await run(newFetch, on: database)
            await run(oldFetch, on: database)
            found.expectItems(["good", "absent"], failing: ["absent"])
            found.expectSuccess()
            found.expectPartialFailure(of: ["absent"])
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `of zones' changes`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let absent = CKRecordZone.ID(zoneName: "Absent")
            let told = Told<CKRecordZone.ID>()
            let new = CKFetchRecordZoneChangesOperation(recordZoneIDs: [absent, notes])
            let old = CKFetchRecordZoneChangesOperation(recordZoneIDs: [absent, notes])
            new.recordZoneFetchResultBlock = { told.item($0, $1) }
            new.fetchRecordZoneChangesResultBlock = { told.result($0) }
            (old as any OldZoneChanges).fetchRecordZoneChangesCompletionBlock = { told.completion($0) }
            await run(new, on: database)
            await run(old, on: database)
            told.expectItems([absent, notes], failing: [absent])
            told.expectSuccess()
            told.expectPartialFailure(of: [absent])
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `tell a failure of the request as it is, not as a partial one`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let device = CloudDevice(
                transport: phones.cloud.transport,
                store: DeviceStore(inMemory: DeviceSettings(server: phones.cloud.url)),
                environment: { _ in nil })
            let database = Phones.container(on: device).privateCloudDatabase
            let (codes, continuation) = AsyncStream<CKError.Code?>.makeStream()
            func tell(_ error: (any Error)?) { continuation.yield((error as? CKError)?.code) }
            let modify = CKModifyRecordsOperation(recordsToSave: [note("a", title: "a")])
            modify.modifyRecordsResultBlock = { tell($0.error) }
            let oldModify = CKModifyRecordsOperation(recordsToSave: [note("a", title: "a")])
            (oldModify as any OldModifyRecords).modifyRecordsCompletionBlock = { tell($2) }
            let fetch = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "a", zoneID: notes)])
            fetch.fetchRecordsResultBlock = { tell($0.error) }
            let query = CKQueryOperation(query: CKQuery(recordType: "Note", predicate: NSPredicate(value: true)))
            query.queryResultBlock = { tell($0.error) }
            let zones = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
            zones.fetchRecordZonesResultBlock = { tell($0.error) }
            let subscriptions = CKFetchSubscriptionsOperation.fetchAllSubscriptionsOperation()
            subscriptions.fetchSubscriptionsResultBlock = { tell($0.error) }
            let changes = CKFetchDatabaseChangesOperation(previousServerChangeToken: nil)
            changes.fetchDatabaseChangesResultBlock = { tell($0.error) }
            let zoneChanges = CKFetchRecordZoneChangesOperation(recordZoneIDs: [notes])
            zoneChanges.fetchRecordZoneChangesResultBlock = { tell($0.error) }
            let operations = [modify, oldModify, fetch, query, zones, subscriptions, changes, zoneChanges]
            for operation in operations { await run(operation, on: database) }
            continuation.finish()
            var all: [CKError.Code?] = []
            for await code in codes { all.append(code) }
            #expect(all == operations.map { _ in .notAuthenticated })
        }
    }
}

extension Result {
    fileprivate var error: Failure? { if case .failure(let error) = self { error } else { nil } }
}
