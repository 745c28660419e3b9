import Foundation

extension CKDatabase {
    @discardableResult
    public func subscription(for subscriptionID: CKSubscription.ID) async throws -> CKSubscription {
        try await client.subscriptions([subscriptionID]).only(subscriptionID)
    }

    public func fetch(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping (CKSubscription?, (any Error)?) -> Void
    ) {
        deliver({ try await self.subscription(for: subscriptionID) }, to: completionHandler)
    }

    public func subscriptions(
        for ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try await client.subscriptions(ids)
    }

    public func fetch(
        withSubscriptionIDs subscriptionIDs: [CKSubscription.ID],
        completionHandler:
            @escaping (
                Result<[CKSubscription.ID: Result<CKSubscription, any Error>], any Error>
            ) -> Void
    ) {
        deliver({ try await self.subscriptions(for: subscriptionIDs) }, to: completionHandler)
    }

    @discardableResult
    public func allSubscriptions() async throws -> [CKSubscription] { try await client.allSubscriptions() }

    public func fetchAllSubscriptions(completionHandler: @escaping ([CKSubscription]?, (any Error)?) -> Void) {
        deliver({ try await self.allSubscriptions() }, to: completionHandler)
    }

    /// Saves a subscription. This process is told of everything that fires it from the moment this returns.
    @discardableResult
    public func save(_ subscription: CKSubscription) async throws -> CKSubscription {
        try await client.modifySubscriptions(saving: [subscription], deleting: []).saves
            .only(subscription.subscriptionID)
    }

    public func save(
        _ subscription: CKSubscription, completionHandler: @escaping (CKSubscription?, (any Error)?) -> Void
    ) {
        deliver({ try await self.save(subscription) }, to: completionHandler)
    }

    @discardableResult
    public func deleteSubscription(withID subscriptionID: CKSubscription.ID) async throws -> CKSubscription.ID {
        try await client.modifySubscriptions(saving: [], deleting: [subscriptionID]).deletes.only(subscriptionID)
        return subscriptionID
    }

    public func delete(
        withSubscriptionID subscriptionID: CKSubscription.ID,
        completionHandler: @escaping (String?, (any Error)?) -> Void
    ) {
        deliver({ try await self.deleteSubscription(withID: subscriptionID) }, to: completionHandler)
    }

    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription], deleting subscriptionIDsToDelete: [CKSubscription.ID]
    ) async throws -> (
        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        let results = try await client.modifySubscriptions(
            saving: subscriptionsToSave, deleting: subscriptionIDsToDelete)
        return (results.saves, results.deletes)
    }

    public func modifySubscriptions(
        saving subscriptionsToSave: [CKSubscription], deleting subscriptionIDsToDelete: [CKSubscription.ID],
        completionHandler:
            @escaping (
                Result<
                    (
                        saveResults: [CKSubscription.ID: Result<CKSubscription, any Error>],
                        deleteResults: [CKSubscription.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        deliver(
            { try await self.modifySubscriptions(saving: subscriptionsToSave, deleting: subscriptionIDsToDelete) },
            to: completionHandler)
    }
}
