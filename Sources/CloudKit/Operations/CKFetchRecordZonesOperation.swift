import Foundation

/// Fetches zones by ID, or all of a database.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKFetchRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    open var recordZoneIDs: [CKRecordZone.ID]?
    open var perRecordZoneResultBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?
    open var fetchRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use fetchRecordZonesResultBlock")
    open var fetchRecordZonesCompletionBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldCompletionBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
    private var fetchesAll = false

    public required override init() { super.init() }

    public convenience init(recordZoneIDs zoneIDs: [CKRecordZone.ID]) {
        self.init()
        recordZoneIDs = zoneIDs
    }

    open class func fetchAllRecordZonesOperation() -> Self {
        let operation = Self()
        operation.fetchesAll = true
        return operation
    }

    override func perform() async {
        do {
            let results: [(CKRecordZone.ID, Result<CKRecordZone, any Error>)]
            if fetchesAll {
                results = try await target.allZones().map { ($0.zoneID, .success($0)) }
            } else {
                let ids = (recordZoneIDs ?? []).uniqued()
                let found = try await target.zones(ids)
                results = ids.compactMap { id in found[id].map { (id, $0) } }
            }
            callBack { [self] in
                for (id, result) in results { perRecordZoneResultBlock?(id, result) }
                if let fetchRecordZonesResultBlock { return fetchRecordZonesResultBlock(.success(())) }
                let byID = Dictionary(results) { first, _ in first }
                oldCompletionBlock?(
                    byID.compactMapValues(\.value), CKError.partialFailure(byID.compactMapValues(\.error)))
            }
        } catch {
            callBack { [self] in
                if let fetchRecordZonesResultBlock { return fetchRecordZonesResultBlock(.failure(error)) }
                oldCompletionBlock?(nil, error)
            }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perRecordZoneResultBlock = nil
        fetchRecordZonesResultBlock = nil
        oldCompletionBlock = nil
    }
}
