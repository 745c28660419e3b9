import Foundation

/// Saves and deletes subscriptions. The process is registered for their pushes before the operation ends.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKModifySubscriptionsOperation: CKDatabaseOperation, @unchecked Sendable {
    open var subscriptionsToSave: [CKSubscription]?
    open var subscriptionIDsToDelete: [CKSubscription.ID]?
    open var perSubscriptionSaveBlock: ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)?
    open var perSubscriptionDeleteBlock: ((CKSubscription.ID, Result<Void, any Error>) -> Void)?
    open var modifySubscriptionsResultBlock: ((Result<Void, any Error>) -> Void)?
    @available(*, deprecated, message: "use modifySubscriptionsResultBlock")
    open var modifySubscriptionsCompletionBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)? {
        get { oldCompletionBlock }
        set { oldCompletionBlock = newValue }
    }
    private var oldCompletionBlock: (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?

    public override init() { super.init() }

    public convenience init(
        subscriptionsToSave: [CKSubscription]? = nil, subscriptionIDsToDelete: [CKSubscription.ID]? = nil
    ) {
        self.init()
        self.subscriptionsToSave = subscriptionsToSave
        self.subscriptionIDsToDelete = subscriptionIDsToDelete
    }

    override func perform() async {
        let subscriptions = subscriptionsToSave ?? []
        let ids = subscriptionIDsToDelete ?? []
        do {
            let results = try await target.modifySubscriptions(saving: subscriptions, deleting: ids)
            callBack { [self] in
                for id in subscriptions.map(\.subscriptionID) {
                    if let result = results.saves[id] { perSubscriptionSaveBlock?(id, result) }
                }
                for id in ids {
                    if let result = results.deletes[id] { perSubscriptionDeleteBlock?(id, result) }
                }
                if let modifySubscriptionsResultBlock { return modifySubscriptionsResultBlock(.success(())) }
                var errors = results.saves.compactMapValues(\.error)
                errors.merge(results.deletes.compactMapValues(\.error)) { first, _ in first }
                oldCompletionBlock?(
                    subscriptions.compactMap { results.saves[$0.subscriptionID]?.value },
                    ids.filter { results.deletes[$0]?.error == nil }, CKError.partialFailure(errors))
            }
        } catch {
            callBack { [self] in
                if let modifySubscriptionsResultBlock { return modifySubscriptionsResultBlock(.failure(error)) }
                oldCompletionBlock?(nil, nil, error)
            }
        }
    }

    override func releaseBlocks() {
        super.releaseBlocks()
        perSubscriptionSaveBlock = nil
        perSubscriptionDeleteBlock = nil
        modifySubscriptionsResultBlock = nil
        oldCompletionBlock = nil
    }
}
