import CloudClient
import CloudCore
import CloudWire
import Foundation

extension DatabaseClient {
    private func result(_ item: SubscriptionItem) -> Result<CKSubscription, any Error> {
        switch item {
        case .subscription(let subscription): .success(CKSubscription.make(subscription, scope: core))
        case .deleted(let id): .failure(CKError(.unknownItem, reason: "subscription '\(id)' was deleted"))
        case .failure(_, let error, _): .failure(self.error(error))
        }
    }

    func allSubscriptions() async throws -> [CKSubscription] {
        try await call(isRead: true) { try await api.listSubscriptions().compactMap { result($0).value } }
    }

    func subscriptions(
        _ ids: [CKSubscription.ID]
    ) async throws -> [CKSubscription.ID: Result<CKSubscription, any Error>] {
        try await call(isRead: true) {
            let ids = ids.uniqued()
            guard !ids.isEmpty else { return [:] }
            let items = try await api.lookupSubscriptions(ids)
            guard items.count == ids.count else {
                throw CloudError(
                    .internalError, "asked for \(ids.count) subscriptions, the service answered \(items.count)")
            }
            return Dictionary(uniqueKeysWithValues: zip(ids, items.map { result($0) }))
        }
    }

    /// Saves and deletes subscriptions. Before a save the process is registered for pushes, so that it misses none of
    /// them.
    func modifySubscriptions(
        saving subscriptions: [CKSubscription], deleting ids: [CKSubscription.ID]
    ) async throws -> (
        saves: [CKSubscription.ID: Result<CKSubscription, any Error>],
        deletes: [CKSubscription.ID: Result<Void, any Error>]
    ) {
        try await call(isRead: false) {
            if let twice = (subscriptions.map(\.subscriptionID) + ids).firstDuplicate() {
                throw CKError(.invalidArguments, reason: "subscription '\(twice)' appears twice in one operation")
            }
            if !subscriptions.isEmpty { try await context.device.listener.register(context.container) }
            let user = try await currentUser()
            var saves: [CKSubscription.ID: Result<CKSubscription, any Error>] = [:]
            var deletes: [CKSubscription.ID: Result<Void, any Error>] = [:]
            var operations: [SubscriptionOperation] = []
            var sent: [CKSubscription] = []
            for subscription in subscriptions {
                do {
                    operations.append(.create(try subscription.subscription(currentUser: user)))
                    sent.append(subscription)
                } catch {
                    saves[subscription.subscriptionID] = .failure(error)
                }
            }
            operations += ids.map { .delete($0) }
            guard !operations.isEmpty else { return (saves, deletes) }
            let items = try await api.modifySubscriptions(operations)
            guard items.count == operations.count else {
                throw CloudError(
                    .internalError, "sent \(operations.count) operations, the service answered \(items.count)")
            }
            for (subscription, item) in zip(sent, items) { saves[subscription.subscriptionID] = result(item) }
            for (id, item) in zip(ids, items.dropFirst(sent.count)) {
                if case .failure(_, let error, _) = item {
                    deletes[id] = .failure(self.error(error))
                } else {
                    deletes[id] = .success(())
                }
            }
            return (saves, deletes)
        }
    }
}
