import Foundation

/// Tells which zones of a database have changed since a token.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    open var previousServerChangeToken: CKServerChangeToken?
    /// Zero: as many as the service likes.
    open var resultsLimit = 0
    /// Goes on until nothing more is coming.
    open var fetchAllChanges = true
    open var recordZoneWithIDChangedBlock: ((CKRecordZone.ID) -> Void)?
    /// Also called for zones that were purged, unless ``recordZoneWithIDWasPurgedBlock`` is set.
    open var recordZoneWithIDWasDeletedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called for zones that the user erased with all that the app had stored: what the device keeps of them is to go, and
    /// not to be saved again.
    open var recordZoneWithIDWasPurgedBlock: ((CKRecordZone.ID) -> Void)?
    /// Never called: there are no encrypted fields whose loss would reset a zone.
    open var recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock: ((CKRecordZone.ID) -> Void)?
    open var changeTokenUpdatedBlock: ((CKServerChangeToken) -> Void)?
    open var fetchDatabaseChangesResultBlock:
        ((Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void)?
    @available(*, deprecated, message: "use fetchDatabaseChangesResultBlock")
    open var fetchDatabaseChangesCompletionBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldCompletionBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform() async {
        var token = previousServerChangeToken
        do {
            while true {
                let page = try await target.databaseChanges(since: token, limit: resultsLimit)
                token = page.token
                let isLast = !page.moreComing || !fetchAllChanges
                await callBackInTurn { [self] in
                    for zone in page.changed { recordZoneWithIDChangedBlock?(zone) }
                    for deletion in page.deleted { tell(deletion) }
                    if isLast {
                        finish(.success((page.token, page.moreComing)))
                    } else {
                        changeTokenUpdatedBlock?(page.token)
                    }
                }
                if isLast { return }
            }
        } catch {
            let last = token
            callBack { [self] in finish(.failure(error), token: last) }
        }
    }

    private func tell(_ deletion: CKDatabase.DatabaseChange.Deletion) {
        if deletion.reason == .purged, let recordZoneWithIDWasPurgedBlock {
            return recordZoneWithIDWasPurgedBlock(deletion.zoneID)
        }
        recordZoneWithIDWasDeletedBlock?(deletion.zoneID)
    }

    private func finish(
        _ result: Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>,
        token: CKServerChangeToken? = nil
    ) {
        if let fetchDatabaseChangesResultBlock { return fetchDatabaseChangesResultBlock(result) }
        oldCompletionBlock?(result.value?.serverChangeToken ?? token, result.value?.moreComing ?? false, result.error)
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        recordZoneWithIDChangedBlock = nil
        recordZoneWithIDWasDeletedBlock = nil
        recordZoneWithIDWasPurgedBlock = nil
        recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock = nil
        changeTokenUpdatedBlock = nil
        fetchDatabaseChangesResultBlock = nil
        oldCompletionBlock = nil
    }
}
