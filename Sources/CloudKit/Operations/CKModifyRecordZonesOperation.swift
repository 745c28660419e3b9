import Foundation

/// Makes and deletes zones.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    open var recordZonesToSave: [CKRecordZone]?
    open var recordZoneIDsToDelete: [CKRecordZone.ID]?
    open var perRecordZoneSaveBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
    open var perRecordZoneDeleteBlock: ((CKRecordZone.ID, Result<Void, any Error>) -> Void)?
    open var modifyRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use modifyRecordZonesResultBlock")
    open var modifyRecordZonesCompletionBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldCompletionBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(
        recordZonesToSave: [CKRecordZone]? = nil, recordZoneIDsToDelete: [CKRecordZone.ID]? = nil
    ) {
        self.init()
        self.recordZonesToSave = recordZonesToSave
        self.recordZoneIDsToDelete = recordZoneIDsToDelete
    }

    override func perform() async {
        let zones = recordZonesToSave ?? []
        let ids = recordZoneIDsToDelete ?? []
        do {
            let results = try await target.modifyZones(saving: zones, deleting: ids)
            callBack { [self] in
                for zone in zones {
                    if let result = results.saves[zone.zoneID] { perRecordZoneSaveBlock?(zone.zoneID, result) }
                }
                for id in ids {
                    if let result = results.deletes[id] { perRecordZoneDeleteBlock?(id, result) }
                }
                if let modifyRecordZonesResultBlock { return modifyRecordZonesResultBlock(.success(())) }
                var errors = results.saves.compactMapValues(\.error)
                errors.merge(results.deletes.compactMapValues(\.error)) { first, _ in first }
                oldCompletionBlock?(
                    zones.compactMap { results.saves[$0.zoneID]?.value },
                    ids.filter { results.deletes[$0]?.error == nil }, CKError.partialFailure(errors))
            }
        } catch {
            callBack { [self] in
                if let modifyRecordZonesResultBlock { return modifyRecordZonesResultBlock(.failure(error)) }
                oldCompletionBlock?(nil, nil, error)
            }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perRecordZoneSaveBlock = nil
        perRecordZoneDeleteBlock = nil
        modifyRecordZonesResultBlock = nil
        oldCompletionBlock = nil
    }
}
