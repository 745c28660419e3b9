public import Foundation

/// Tells what has changed in one zone since a token, one page an operation.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule, and `moreComing` is written before the
/// final block, on the operation's queue.
@available(*, deprecated, message: "use CKFetchRecordZoneChangesOperation")
open class CKFetchRecordChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    open var recordZoneID: CKRecordZone.ID?
    open var previousServerChangeToken: CKServerChangeToken?
    /// Zero: as many as the service likes.
    open var resultsLimit = 0
    open var desiredKeys: [String]?
    open var recordChangedBlock: ((CKRecord) -> Void)?
    open var recordWithIDWasDeletedBlock: ((CKRecord.ID) -> Void)?
    /// The client's own token data is not kept by the service: always `nil`.
    open var fetchRecordChangesCompletionBlock: ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?
    /// Whether another operation with the new token would find more; set when the completion block is called.
    open private(set) var moreComing = false

    public override init() { super.init() }

    public convenience init(recordZoneID: CKRecordZone.ID, previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.recordZoneID = recordZoneID
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform() async {
        do {
            guard let zone = recordZoneID else {
                throw CKError(.invalidArguments, reason: "a fetch of record changes needs a zone ID")
            }
            let page = try await target.zoneChanges(
                zone, since: previousServerChangeToken, desiredKeys: desiredKeys, limit: resultsLimit)
            callBack { [self] in
                moreComing = page.moreComing
                let errors = report(page.changes)
                fetchRecordChangesCompletionBlock?(page.token, nil, CKError.partialFailure(errors))
            }
        } catch {
            callBack { [self] in fetchRecordChangesCompletionBlock?(previousServerChangeToken, nil, error) }
        }
    }

    /// Hands the changes out; gives the records that could not be read.
    private func report(_ changes: [DatabaseClient.ZonePage.Change]) -> [CKRecord.ID: any Error] {
        var errors: [CKRecord.ID: any Error] = [:]
        for change in changes {
            switch change {
            case .changed(_, .success(let record)): recordChangedBlock?(record)
            case .changed(let id, .failure(let error)): errors[id] = error
            case .deleted(let id, _): recordWithIDWasDeletedBlock?(id)
            }
        }
        return errors
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        recordChangedBlock = nil
        recordWithIDWasDeletedBlock = nil
        fetchRecordChangesCompletionBlock = nil
    }
}
