import Foundation

/// Fetches subscriptions by ID, or all of the user's in a database.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKFetchSubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    open var subscriptionIDs: [CKSubscription.ID]?
    open var perSubscriptionResultBlock: ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
    open var fetchSubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use fetchSubscriptionsResultBlock")
    open var fetchSubscriptionCompletionBlock: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldCompletionBlock: (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
    private var fetchesAll = false

    public required override init() { super.init() }

    public convenience init(subscriptionIDs: [CKSubscription.ID]) {
        self.init()
        self.subscriptionIDs = subscriptionIDs
    }

    open class func fetchAllSubscriptionsOperation() -> Self {
        let operation = Self()
        operation.fetchesAll = true
        return operation
    }

    override func perform() async {
        do {
            let results: [(CKSubscription.ID, Result<CKSubscription, any Error>)]
            if fetchesAll {
                results = try await target.allSubscriptions().map { ($0.subscriptionID, .success($0)) }
            } else {
                let ids = (subscriptionIDs ?? []).uniqued()
                let found = try await target.subscriptions(ids)
                results = ids.compactMap { id in found[id].map { (id, $0) } }
            }
            callBack { [self] in
                for (id, result) in results { perSubscriptionResultBlock?(id, result) }
                if let fetchSubscriptionsResultBlock { return fetchSubscriptionsResultBlock(.success(())) }
                let byID = Dictionary(results) { first, _ in first }
                oldCompletionBlock?(
                    byID.compactMapValues(\.value), CKError.partialFailure(byID.compactMapValues(\.error)))
            }
        } catch {
            callBack { [self] in
                if let fetchSubscriptionsResultBlock { return fetchSubscriptionsResultBlock(.failure(error)) }
                oldCompletionBlock?(nil, error)
            }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perSubscriptionResultBlock = nil
        fetchSubscriptionsResultBlock = nil
        oldCompletionBlock = nil
    }
}
