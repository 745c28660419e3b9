import CloudCore
import Foundation
import Synchronization

extension CKRecord {
    /// A record as the service sent it.
    convenience init(record: Record, _ viewpoint: Viewpoint) {
        self.init(
            recordType: record.type, recordID: CKRecord.ID(record.id, scope: viewpoint.scope),
            state: Self.state(of: record, viewpoint))
    }

    static func state(of record: Record, _ viewpoint: Viewpoint) -> State {
        let scope = viewpoint.scope
        let zone = CKRecordZone.ID(record.id.zone, scope: scope)
        func user(_ name: String) -> CKRecord.ID {
            CKRecord.ID(recordName: name == viewpoint.currentUser ? CKCurrentUserDefaultName : name)
        }
        let values = record.fields.mapValues { StoredValue($0, zone: zone, scope: scope, files: viewpoint.files) }
        let parent = record.parent.map {
            CKRecord.Reference(recordID: CKRecord.ID(recordName: $0, zoneID: zone), action: .none)
        }
        let share = record.share.map {
            CKRecord.Reference(recordID: CKRecord.ID(recordName: $0, zoneID: zone), action: .none)
        }
        return State(
            values: values, parent: parent, base: Base(values: values, parent: parent), share: share,
            changeTag: record.changeTag, creationDate: Date(milliseconds: record.created.timestamp),
            modificationDate: Date(milliseconds: record.modified.timestamp),
            creator: user(record.created.userRecordName), modifier: user(record.modified.userRecordName),
            modifiedByDevice: record.modified.deviceID)
    }

    /// The values of `keys` for a save, noted as sent; a key without a value clears its field.
    ///
    /// An asset that has to be sent first is in its field without a name.
    /// Throws when a name cannot be used or a value cannot be kept.
    func draft(_ keys: [FieldKey]) throws -> RecordDraft {
        let (values, base) = state.withLock { state in
            state.sent = Set(keys)
            state.isParentSent = true
            return (state.values, state.base?.values ?? [:])
        }
        var draft = RecordDraft(fields: [], assets: [:])
        for key in keys.sorted() {
            if !isSystemField(key), let reason = NameRule.identifierViolation(in: key, of: "field name") {
                throw CKError(.invalidArguments, reason: reason)
            }
            guard let value = values[key] else {
                draft.fields.append(FieldDraft(name: key, value: nil, isTyped: true))
                continue
            }
            do throws(UnsendableValue) {
                let field = try value.fieldValue(in: recordID.zoneID)
                draft.fields.append(FieldDraft(name: key, value: field, isTyped: field.type != .unknownList))
            } catch {
                throw CKError(.invalidArguments, reason: "field '\(key)' \(error.problem)")
            }
            let known = base[key]?.assets ?? []
            let assets = value.assets.map { asset in
                AssetDraft(asset: asset, isKept: known.contains { $0.isStored(as: asset) })
            }
            if !assets.isEmpty { draft.assets[key] = assets }
        }
        return draft
    }

    /// Whether the field is one of those of a share that have names of their own.
    private func isSystemField(_ key: FieldKey) -> Bool {
        self is CKShare
            && [
                CKShare.SystemFieldKey.title, CKShare.SystemFieldKey.shareType,
                CKShare.SystemFieldKey.thumbnailImageData,
            ].contains(key)
    }

    /// The parent for a save: `nil` when the app did not touch it, `.some(nil)` when it cleared it.
    var parentDraft: String?? {
        state.withLock { $0.isParentChanged ? .some($0.parent?.recordID.recordName) : nil }
    }

    /// Throws `invalidArguments` when the service would refuse the record's names, before anything is sent.
    func checkNames() throws {
        try recordID.zoneID.checkName()
        if !(self is CKShare), let reason = NameRule.identifierViolation(in: recordType, of: "record type") {
            throw CKError(.invalidArguments, reason: reason)
        }
        guard recordType != SystemType.userRecord else { return }
        if let reason = NameRule.violation(in: recordID.recordName, of: "record name") {
            throw CKError(.invalidArguments, reason: reason)
        }
        if let parent, parent.recordID.zoneID != recordID.zoneID {
            throw CKError(.invalidArguments, reason: "the parent '\(parent.recordID)' is not in the record's zone")
        }
        if let parent, parent.action != .none {
            throw CKError(.invalidArguments, reason: "the parent reference must have the action none")
        }
    }

    /// The record as last fetched or saved; of one that never was, a record without fields.
    var ancestor: CKRecord {
        var old = state.withLock { $0 }
        old.values = old.base?.values ?? [:]
        old.parent = old.base?.parent
        old.changed = []
        old.isParentChanged = false
        return CKRecord(recordType: recordType, recordID: recordID, state: old)
    }
}

extension CKRecord {
    /// Takes what the service answered to a save of this record; what was set since it was sent stays.
    func adopt(_ saved: CKRecord) {
        let answer = saved.state.withLock { $0 }
        state.withLock { state in
            var new = answer
            for key in state.changed.subtracting(state.sent) {
                new.values[key] = state.values[key]
                new.changed.insert(key)
            }
            if state.isParentChanged, !state.isParentSent {
                new.parent = state.parent
                new.isParentChanged = true
            }
            state = new
        }
        adoptSharing(saved)
    }
}

extension Date {
    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Milliseconds since 1970, rounded; `nil` beyond what the service can keep.
    var milliseconds: Int64? { Int64(exactly: (timeIntervalSince1970 * 1000).rounded()) }
}

/// Why a value cannot be sent.
struct UnsendableValue: Error {
    var problem: String
}

extension StoredValue {
    init(
        _ value: FieldValue, zone: CKRecordZone.ID, scope: DatabaseScope, files: [AssetKey: AssetFiles] = [:]
    ) {
        switch value {
        case .string(let value): self = .string(value)
        case .int64(let value): self = .number(NSNumber(value: value))
        case .double(let value): self = .number(NSNumber(value: value))
        case .timestamp(let value): self = .date(Date(milliseconds: value))
        case .bytes(let value): self = .data(Data(value))
        case .reference(let value):
            let target = value.zone.map { CKRecordZone.ID($0, scope: scope) } ?? zone
            self = .reference(
                CKRecord.Reference(
                    recordID: CKRecord.ID(recordName: value.recordName, zoneID: target),
                    action: value.action == .deleteSelf ? .deleteSelf : .none))
        case .location(let value): self = .location(value)
        case .asset(let value): self = .asset(CKAsset(stored: value, file: files[AssetKey(value)]?.next()))
        case .list(_, let values): self = .list(values.map { StoredValue($0, zone: zone, scope: scope, files: files) })
        }
    }

    /// The value for the service. References into `zone` name no zone.
    func fieldValue(in zone: CKRecordZone.ID?) throws(UnsendableValue) -> FieldValue {
        switch self {
        case .string(let value): return .string(value)
        case .number(let value):
            if value.isFloatingPoint {
                let double = value.doubleValue
                guard double.isFinite else { throw UnsendableValue(problem: "holds \(double), which is not a number") }
                return .double(double)
            }
            if value.isAboveInt64 { throw UnsendableValue(problem: "holds \(value), more than a 64-bit integer can") }
            return .int64(value.int64Value)
        case .date(let value):
            guard let time = value.milliseconds else { throw UnsendableValue(problem: "holds a date out of range") }
            return .timestamp(time)
        case .data(let value): return .bytes([UInt8](value))
        case .reference(let value):
            let target = value.recordID.zoneID
            return .reference(
                Reference(
                    recordName: value.recordID.recordName, zone: zone == nil || target == zone ? nil : target.coreID,
                    action: value.action == .deleteSelf ? .deleteSelf : .none))
        case .location(let value): return .location(value)
        case .asset(let value): return .asset(value.stored ?? Asset(fileChecksum: "", size: -1))
        case .list(let values): return try Self.list(values, in: zone)
        case .unsupported(let type): throw UnsendableValue(problem: "cannot hold a value of type \(type)")
        }
    }

    private static func list(_ values: [StoredValue], in zone: CKRecordZone.ID?) throws(UnsendableValue) -> FieldValue {
        var elements: [FieldValue] = []
        for value in values { elements.append(try value.fieldValue(in: zone)) }
        guard let first = elements.first else { return .list(nil, []) }
        if elements.contains(where: { $0.type == .scalar(.double) }) {
            elements = elements.map { if case .int64(let value) = $0 { .double(Double(value)) } else { $0 } }
        }
        guard case .scalar(let type) = elements[0].type, elements.allSatisfy({ $0.type == .scalar(type) }) else {
            throw UnsendableValue(problem: "holds a list of mixed types (\(first.type.wireName) first)")
        }
        return .list(type, elements)
    }
}
