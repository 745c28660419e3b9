import Foundation

/// Saves and deletes records, of several zones if need be: one request per zone.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// When a save is refused, and which keys are sent.
    public enum RecordSavePolicy: Int, Hashable, Sendable {
        /// Refused when the service has a newer record; sends the changed keys.
        case ifServerRecordUnchanged = 0
        /// Overwrites the changed keys.
        case changedKeys = 1
        /// Overwrites all local keys; keys that only the service has stay.
        case allKeys = 2
    }

    open var recordsToSave: [CKRecord]?
    open var recordIDsToDelete: [CKRecord.ID]?
    open var savePolicy: RecordSavePolicy = .ifServerRecordUnchanged
    open var isAtomic = true
    /// Called with 1 for every record, and before with how much of its assets has been sent.
    open var perRecordProgressBlock: ((CKRecord, Double) -> Void)?
    open var perRecordSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    open var perRecordDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)?
    open var modifyRecordsResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use perRecordSaveBlock")
    open var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)? {
        get { oldRecordBlock }
        set { oldRecordBlock = newValue }
    }
    @available(*, deprecated, message: "use modifyRecordsResultBlock")
    open var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldRecordBlock: ((CKRecord, (any Error)?) -> Void)?
    private var oldCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil) {
        self.init()
        self.recordsToSave = recordsToSave
        self.recordIDsToDelete = recordIDsToDelete
    }

    override func perform() async {
        do {
            let modification = DatabaseClient.Modification(
                saves: recordsToSave ?? [], deletes: recordIDsToDelete ?? [], policy: savePolicy, isAtomic: isAtomic,
                isRepeated: isResumed)
            let results = try await target.modifyRecords(modification) { [self] record, fraction in
                callBack { [self] in perRecordProgressBlock?(record, fraction) }
            } itemDone: {
                report($0)
            }
            finish(results, of: modification)
        } catch {
            callBack { [self] in
                if let modifyRecordsResultBlock {
                    modifyRecordsResultBlock(.failure(error))
                } else {
                    oldCompletionBlock?(nil, nil, error)
                }
            }
        }
    }

    private func report(_ item: DatabaseClient.ModificationResult) {
        callBack { [self] in
            switch item {
            case .saved(let record, let result):
                perRecordProgressBlock?(record, 1)
                if let perRecordSaveBlock {
                    perRecordSaveBlock(record.recordID, result)
                } else {
                    oldRecordBlock?(result.value ?? record, result.error)
                }
            case .deleted(let id, let result):
                perRecordDeleteBlock?(id, result)
            }
        }
    }

    private func finish(_ results: DatabaseClient.ModifyResults, of modification: DatabaseClient.Modification) {
        callBack { [self] in
            if let modifyRecordsResultBlock { return modifyRecordsResultBlock(.success(())) }
            guard let oldCompletionBlock else { return }
            var errors = results.saves.compactMapValues(\.error)
            errors.merge(results.deletes.compactMapValues(\.error)) { first, _ in first }
            oldCompletionBlock(
                modification.saves.compactMap { results.saves[$0.recordID]?.value },
                modification.deletes.filter { results.deletes[$0]?.error == nil }, CKError.partialFailure(errors))
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perRecordProgressBlock = nil
        perRecordSaveBlock = nil
        perRecordDeleteBlock = nil
        modifyRecordsResultBlock = nil
        oldRecordBlock = nil
        oldCompletionBlock = nil
    }
}

extension CKModifyRecordsOperation: LongLivedOperation {
    static var kind: String { "CKModifyRecordsOperation" }

    func encodeInputs(with coder: NSCoder) throws {
        try coder.encode(objects: recordsToSave, "recordsToSave")
        try coder.encode(objects: recordIDsToDelete, "recordIDsToDelete")
        coder.encode(savePolicy.rawValue, forKey: "savePolicy")
        coder.encode(isAtomic, forKey: "isAtomic")
    }

    func decodeInputs(with coder: NSCoder) throws {
        recordsToSave = try coder.records("recordsToSave")
        recordIDsToDelete = try coder.objects(of: CKRecord.ID.self, "recordIDsToDelete")
        savePolicy = RecordSavePolicy(rawValue: coder.decodeInteger(forKey: "savePolicy")) ?? savePolicy
        isAtomic = coder.decodeBool(forKey: "isAtomic")
    }
}
