public import Foundation
import Synchronization

/// A set of fields with a type and a name.
///
/// Unchecked: the type and the ID are constants, and all that changes is behind `state`'s lock; the one subclass
/// of this module keeps to the same rule.
public class CKRecord: NSObject, NSSecureCoding, NSCopying, CKRecordKeyValueSetting, Sequence, @unchecked Sendable {
    public typealias RecordType = String
    public typealias FieldKey = String
    public typealias Element = (CKRecord.FieldKey, any CKRecordValueProtocol)
    public typealias Iterator = CKRecordKeyValueIterator

    /// Everything about a record that can change, or that the service sets.
    struct State: Sendable {
        var values: [FieldKey: StoredValue] = [:]
        var changed: Set<FieldKey> = []
        var parent: CKRecord.Reference?
        var isParentChanged = false
        /// The keys whose present values the last save sent; setting a value takes its key out again.
        var sent: Set<FieldKey> = []
        var isParentSent = false
        /// The values and the parent as last fetched or saved; `nil` for a new record.
        var base: Base?
        /// Of the root of a shared tree: its share record.
        var share: CKRecord.Reference?
        var changeTag: String?
        var creationDate: Date?
        var modificationDate: Date?
        var creator: CKRecord.ID?
        var modifier: CKRecord.ID?
        var modifiedByDevice: String?
    }

    struct Base: Sendable {
        var values: [FieldKey: StoredValue]
        var parent: CKRecord.Reference?
    }

    public let recordType: CKRecord.RecordType
    public let recordID: CKRecord.ID
    let state: Mutex<State>

    init(recordType: RecordType, recordID: CKRecord.ID, state: State) {
        self.recordType = recordType
        self.recordID = recordID
        self.state = Mutex(state)
    }

    public convenience init(recordType: CKRecord.RecordType, recordID: CKRecord.ID = CKRecord.ID()) {
        self.init(recordType: recordType, recordID: recordID, state: State())
    }

    public convenience init(recordType: CKRecord.RecordType, zoneID: CKRecordZone.ID) {
        self.init(recordType: recordType, recordID: CKRecord.ID(zoneID: zoneID))
    }

    public required convenience init?(coder: NSCoder) {
        guard let archive = RecordArchive(coder: coder) else { return nil }
        self.init(recordType: archive.recordType, recordID: archive.recordID, state: archive.state)
    }

    public var recordChangeTag: String? { state.withLock { $0.changeTag } }
    public var creationDate: Date? { state.withLock { $0.creationDate } }
    public var modificationDate: Date? { state.withLock { $0.modificationDate } }
    public var creatorUserRecordID: CKRecord.ID? { state.withLock { $0.creator } }
    public var lastModifiedUserRecordID: CKRecord.ID? { state.withLock { $0.modifier } }

    public func object(forKey key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        state.withLock { $0.values[key] }?.object
    }

    public func setObject(_ object: (any __CKRecordObjCValue)?, forKey key: CKRecord.FieldKey) {
        let value = object.map { StoredValue($0) }
        state.withLock {
            $0.values[key] = value
            $0.changed.insert(key)
            $0.sent.remove(key)
        }
    }

    public subscript(key: CKRecord.FieldKey) -> (any __CKRecordObjCValue)? {
        get { object(forKey: key) }
        set { setObject(newValue, forKey: key) }
    }

    /// The field's value, as key-value coding gives it elsewhere.
    public func value(forKey key: String) -> Any? { object(forKey: key) }

    /// Sets a field, as key-value coding does elsewhere.
    public func setValue(_ value: Any?, forKey key: String) {
        setObject(value.map { StoredValue($0).object }, forKey: key)
    }

    public func allKeys() -> [CKRecord.FieldKey] { state.withLock { Array($0.values.keys) } }
    public func changedKeys() -> [CKRecord.FieldKey] { state.withLock { Array($0.changed) } }

    public func makeIterator() -> CKRecordKeyValueIterator {
        CKRecordKeyValueIterator(fields: state.withLock { $0.values }.makeIterator())
    }

    /// The words of all string fields.
    public func allTokens() -> [String] {
        state.withLock { $0.values }.values.flatMap { value -> [String] in
            guard case .string(let text) = value else { return [] }
            return text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        }
    }

    /// The record that this one belongs to, for sharing. Its action is always `none`.
    public var parent: CKRecord.Reference? {
        get { state.withLock { $0.parent } }
        set {
            state.withLock {
                $0.parent = newValue
                $0.isParentChanged = true
                $0.isParentSent = false
            }
        }
    }

    /// Of the root of a shared tree: its share. ``CKShare/init(rootRecord:)`` sets it, the service clears it with the share.
    public var share: CKRecord.Reference? { state.withLock { $0.share } }

    public func setParent(_ parentRecord: CKRecord?) { setParent(parentRecord?.recordID) }

    public func setParent(_ parentRecordID: CKRecord.ID?) {
        parent = parentRecordID.map { CKRecord.Reference(recordID: $0, action: .none) }
    }

    /// Takes over what a share has besides a record's fields.
    func adoptSharing(_ saved: CKRecord) {}

    public class var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        RecordArchive(self, withValues: true).encode(with: coder)
    }

    public func encodeSystemFields(with coder: NSCoder) {
        RecordArchive(self, withValues: false).encode(with: coder)
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        CKRecord(recordType: recordType, recordID: recordID, state: state.withLock { $0 })
    }

    public override var description: String {
        "<CKRecord: \(recordType) \(recordID), changeTag \(recordChangeTag ?? "none"), values \(allKeys().sorted())>"
    }
}
