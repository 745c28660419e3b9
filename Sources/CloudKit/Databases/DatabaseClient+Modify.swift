import CloudClient
import CloudCore
import CloudWire
import Foundation

extension DatabaseClient {
    /// What to save and delete, and how.
    struct Modification: Sendable {
        var saves: [CKRecord]
        var deletes: [CKRecord.ID]
        var policy: CKModifyRecordsOperation.RecordSavePolicy
        var isAtomic: Bool
        /// Whether another process may have saved some of it.
        var isRepeated = false
    }

    enum ModificationResult {
        case saved(CKRecord, Result<CKRecord, any Error>)
        case deleted(CKRecord.ID, Result<Void, any Error>)
    }

    typealias ModifyResults = (
        saves: [CKRecord.ID: Result<CKRecord, any Error>], deletes: [CKRecord.ID: Result<Void, any Error>]
    )

    /// Saves and deletes: one request per zone, after the assets that it needs. A saved record object takes the service's
    /// answer over. `progress` is told how much of a record's assets has been sent.
    func modifyRecords(
        _ modification: Modification, progress: @escaping @Sendable (CKRecord, Double) -> Void = { _, _ in },
        itemDone: (ModificationResult) -> Void = { _ in }
    ) async throws -> ModifyResults {
        try await call(isRead: false) {
            try check(modification)
            var results: ModifyResults = ([:], [:])
            for batch in ZoneBatch.split(modification) {
                for item in try await send(
                    batch, isFirst: results.saves.isEmpty && results.deletes.isEmpty, progress)
                {
                    switch item {
                    case .saved(let record, let result): results.saves[record.recordID] = result
                    case .deleted(let id, let result): results.deletes[id] = result
                    }
                    itemDone(item)
                }
            }
            return results
        }
    }

    /// Refuses, before anything is sent, what can only be a mistake.
    private func check(_ modification: Modification) throws {
        let limit = CloudLimits().operationsPerRequest
        let count = modification.saves.count + modification.deletes.count
        guard count <= limit else {
            throw CKError(.limitExceeded, reason: "\(count) items in one operation; at most \(limit) are allowed")
        }
        var seen: Set<CKRecord.ID> = []
        for id in modification.saves.map(\.recordID) + modification.deletes where !seen.insert(id).inserted {
            throw CKError(.invalidArguments, reason: "record '\(id.recordName)' appears twice in one operation")
        }
        for case let share as CKShare in modification.saves where share.recordChangeTag == nil {
            guard let root = share.rootID, !seen.contains(root) else { continue }
            throw CKError(
                .invalidArguments,
                reason: "the new share '\(share.recordID.recordName)' was added without its root record "
                    + "'\(root.recordName)': save both in one operation")
        }
    }

    private func send(
        _ batch: ZoneBatch, isFirst: Bool, _ progress: @escaping @Sendable (CKRecord, Double) -> Void
    ) async throws -> [ModificationResult] {
        var plan = batch.plan()
        guard !plan.operations.isEmpty else { return plan.results() }
        do {
            try Task.checkCancellation()
            var sending = AssetSending(plan)
            defer { sending.discard() }
            try await send(&sending, of: &plan, progress: progress)
            let indices = plan.operations.indices.filter { plan.isPending(operation: $0) }
            guard !indices.isEmpty else { return plan.results() }
            let request = RecordsModifyRequest(
                operations: indices.map { plan.operations[$0] }, zone: batch.zone.wire,
                atomic: batch.zone.zoneName == CKRecordZone.ID.defaultZoneName ? false : batch.isAtomic)
            // Asked before, so that what is saved is told as saved.
            let viewpoint = try await viewpoint()
            let items = try await api.modify(request)
            guard items.count == indices.count else {
                throw CloudError(
                    .internalError, "sent \(indices.count) operations, the service answered \(items.count)")
            }
            let device = context.device.deviceID
            let servers = try await serverRecords(missingIn: items, zone: batch.zone)
            for (index, item) in zip(indices, items) {
                let files = if case .record = item { await keep(sending, of: index) } else { [AssetKey: AssetFiles]() }
                plan.take(item, at: index, servers: servers, viewpoint, files, device: device)
            }
        } catch {
            // The zone's own failure is its items' failure, as is a database without room for them; so is any other once
            // another zone's items have an outcome.
            let code = (error as? CloudError)?.code
            let isZones = code == .zoneNotFound || code == .quotaExceeded
            guard isZones || !isFirst else { throw error }
            plan.failAll(CKError(failure: error, scope: core, isRead: false))
        }
        return plan.results()
    }

    /// The server's records for conflicts whose answer left them out.
    private func serverRecords(missingIn items: [RecordItem], zone: CKRecordZone.ID) async throws -> [String: Record] {
        let names = items.compactMap { item -> String? in
            guard case .failure(let name, let error, _) = item, error.serverRecord == nil else { return nil }
            return error.code == .conflict || error.code == .exists ? name : nil
        }
        guard !names.isEmpty else { return [:] }
        let request = RecordsLookupRequest(
            records: names.map { RecordsLookupRequest.Entry(recordName: $0) }, zone: zone.wire)
        // Without the look-up the conflict is still told, only without the server's record.
        guard let found = try? await api.lookup(request) else { return [:] }
        var records: [String: Record] = [:]
        for case .record(let record) in found { records[record.id.name] = record }
        return records
    }
}

/// The part of a modification that goes to one zone.
struct ZoneBatch: Sendable {
    let zone: CKRecordZone.ID
    var saves: [CKRecord] = []
    var deletes: [CKRecord.ID] = []
    let policy: CKModifyRecordsOperation.RecordSavePolicy
    let isAtomic: Bool
    var isRepeated = false

    static func split(_ modification: DatabaseClient.Modification) -> [ZoneBatch] {
        let ids = modification.saves.map(\.recordID) + modification.deletes
        return ids.groupedByZone().map { zone, _ in
            ZoneBatch(
                zone: zone, saves: modification.saves.filter { $0.recordID.zoneID == zone },
                deletes: modification.deletes.filter { $0.zoneID == zone }, policy: modification.policy,
                isAtomic: modification.isAtomic, isRepeated: modification.isRepeated)
        }
    }

    /// What to send. A record that cannot be sent fails here, and in an atomic batch the rest with it.
    func plan() -> ZonePlan {
        var plan = ZonePlan(batch: self)
        for (index, record) in saves.enumerated() {
            do {
                let (operation, assets) = try operation(for: record)
                if !assets.isEmpty { plan.assets[plan.operations.count] = assets }
                plan.operations.append(operation)
                plan.places.append(index)
            } catch {
                plan.outcomes[index] = .failure(error)
            }
        }
        if isAtomic, !plan.outcomes.isEmpty {
            plan.operations = []
            plan.failAll(
                CKError(.batchRequestFailed, reason: "not sent, because another record of the zone cannot be sent"))
            return plan
        }
        for (index, id) in deletes.enumerated() {
            plan.operations.append(WireRecordOperation(type: .forceDelete, recordName: id.recordName))
            plan.places.append(saves.count + index)
        }
        return plan
    }

    private func operation(
        for record: CKRecord
    ) throws -> (WireRecordOperation, [CKRecord.FieldKey: [AssetDraft]]) {
        try record.checkNames()
        let tag = record.recordChangeTag
        // Of a share nobody overwrites what he has not seen, whatever the policy.
        let isChecked = policy == .ifServerRecordUnchanged || record is CKShare
        let keys = policy == .allKeys ? Array(Set(record.allKeys() + record.changedKeys())) : record.changedKeys()
        let draft = try record.draft(keys)
        let operation = WireRecordOperation(
            type: isChecked ? (tag == nil ? .create : .update) : .forceUpdate, recordName: record.recordID.recordName,
            recordType: record.recordType, changeTag: isChecked ? tag : nil, fields: draft.fields,
            parent: record.parentDraft, sharing: (record as? CKShare)?.sharingDraft())
        return (operation, draft.assets)
    }
}

/// The operations of one zone's request and, item by item, what became of them.
struct ZonePlan {
    let batch: ZoneBatch
    var operations: [WireRecordOperation] = []
    /// For each operation the index of its item: saves first, then deletes.
    var places: [Int] = []
    var outcomes: [Int: Result<CKRecord?, any Error>] = [:]
    /// The assets in the operations' fields.
    var assets: [Int: [CKRecord.FieldKey: [AssetDraft]]] = [:]

    init(batch: ZoneBatch) { self.batch = batch }

    mutating func take(
        _ item: RecordItem, at index: Int, servers: [String: Record], _ viewpoint: Viewpoint,
        _ files: [AssetKey: AssetFiles], device: String
    ) {
        let place = places[index]
        let record = place < batch.saves.count ? batch.saves[place] : nil
        switch item {
        case .record(let saved):
            guard let record else {
                outcomes[place] = .success(nil)
                return
            }
            var inside = viewpoint
            inside.files = record.assetFiles.merging(files) { _, sent in sent }
            record.adopt(.received(saved, inside))
            outcomes[place] = .success(record)
        case .deleted:
            outcomes[place] = .success(nil)
        case .failure(let name, var error, _):
            if record == nil, error.code == .notFound {
                outcomes[place] = .success(nil)
                return
            }
            if error.serverRecord == nil { error.serverRecord = servers[name] }
            if let record, let saved = error.serverRecord, isOwnWork(saved, of: index, device) {
                record.adopt(.received(saved, viewpoint))
                outcomes[place] = .success(record)
                return
            }
            outcomes[place] = .failure(CKError(error, viewpoint, client: record))
        }
    }

    /// Whether the record of a conflict is what this operation saved when another process ran it.
    private func isOwnWork(_ saved: Record, of operation: Int, _ device: String) -> Bool {
        guard batch.isRepeated, saved.modified.deviceID == device else { return false }
        return operations[operation].fields.allSatisfy { field in
            let sent = field.value?.assets.map(\.fileChecksum)
            if let sent, !sent.isEmpty { return saved.fields[field.name]?.assets.map(\.fileChecksum) == sent }
            return saved.fields[field.name] == field.value
        }
    }

    /// Fails every item that has no outcome yet.
    mutating func failAll(_ error: CKError) {
        for place in 0..<(batch.saves.count + batch.deletes.count) where outcomes[place] == nil {
            outcomes[place] = .failure(error)
        }
    }

    func results() -> [DatabaseClient.ModificationResult] {
        let missing = CKError(.internalError, reason: "the service did not say what became of the record")
        let saves = batch.saves.enumerated().map { index, record in
            let result = (outcomes[index] ?? .failure(missing)).map { $0 ?? record }
            return DatabaseClient.ModificationResult.saved(record, result)
        }
        let deletes = batch.deletes.enumerated().map { index, id in
            let outcome = outcomes[batch.saves.count + index] ?? .failure(missing)
            let result: Result<Void, any Error> = outcome.map { _ in () }
            return DatabaseClient.ModificationResult.deleted(id, result)
        }
        return saves + deletes
    }
}
