import Foundation

/// Fetches records by ID, of several zones if need be.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    open var recordIDs: [CKRecord.ID]?
    open var desiredKeys: [CKRecord.FieldKey]?
    /// Called with 1 for every record, and before with how much of its assets has come.
    open var perRecordProgressBlock: ((CKRecord.ID, Double) -> Void)?
    open var perRecordResultBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
    open var fetchRecordsResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use perRecordResultBlock")
    open var perRecordCompletionBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)? {
        get { oldRecordBlock }
        set { oldRecordBlock = newValue }
    }
    @available(*, deprecated, message: "use fetchRecordsResultBlock")
    open var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldRecordBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
    private var oldCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?
    private var fetchesCurrentUser = false

    public required override init() { super.init() }

    public convenience init(recordIDs: [CKRecord.ID]) {
        self.init()
        self.recordIDs = recordIDs
    }

    /// Fetches the signed-in user's own record.
    open class func fetchCurrentUserRecordOperation() -> Self {
        let operation = Self()
        operation.fetchesCurrentUser = true
        return operation
    }

    override func perform() async {
        do {
            var ids = recordIDs ?? []
            if fetchesCurrentUser {
                recordIDs = nil
                let user = try await target.call(isRead: true) { try await target.currentUser() }
                guard let user else {
                    throw CKError(.notAuthenticated, reason: "nobody is signed in on this device")
                }
                ids = [CKRecord.ID(recordName: user)]
            }
            let results = try await target.records(ids, desiredKeys: desiredKeys) { [self] id, fraction in
                callBack { [self] in perRecordProgressBlock?(id, fraction) }
            } itemDone: {
                report($0, $1)
            }
            callBack { [self] in
                if let fetchRecordsResultBlock { return fetchRecordsResultBlock(.success(())) }
                oldCompletionBlock?(
                    results.compactMapValues(\.value), CKError.partialFailure(results.compactMapValues(\.error)))
            }
        } catch {
            callBack { [self] in
                if let fetchRecordsResultBlock { return fetchRecordsResultBlock(.failure(error)) }
                oldCompletionBlock?(nil, error)
            }
        }
    }

    private func report(_ id: CKRecord.ID, _ result: Result<CKRecord, any Error>) {
        callBack { [self] in
            perRecordProgressBlock?(id, 1)
            if let perRecordResultBlock { return perRecordResultBlock(id, result) }
            oldRecordBlock?(result.value, id, result.error)
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perRecordProgressBlock = nil
        perRecordResultBlock = nil
        fetchRecordsResultBlock = nil
        oldRecordBlock = nil
        oldCompletionBlock = nil
    }
}

extension CKFetchRecordsOperation: LongLivedOperation {
    static var kind: String { "CKFetchRecordsOperation" }

    func encodeInputs(with coder: NSCoder) throws {
        try coder.encode(objects: recordIDs, "recordIDs")
        if let desiredKeys {
            coder.encode(try PropertyListEncoder().encode(desiredKeys) as NSData, forKey: "desiredKeys")
        }
        coder.encode(fetchesCurrentUser, forKey: "fetchesCurrentUser")
    }

    func decodeInputs(with coder: NSCoder) throws {
        recordIDs = try coder.objects(of: CKRecord.ID.self, "recordIDs")
        desiredKeys = try coder.data("desiredKeys").map { try PropertyListDecoder().decode([String].self, from: $0) }
        fetchesCurrentUser = coder.decodeBool(forKey: "fetchesCurrentUser")
    }
}
