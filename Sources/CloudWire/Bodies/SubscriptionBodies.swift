package import CloudCore

/// One item of an answer's `subscriptions`.
package enum SubscriptionItem: Hashable, Sendable {
    case subscription(Subscription)
    case deleted(String)
    case failure(subscriptionID: String, CloudError, uuid: String)
}

/// The answer of `subscriptions/list`, `subscriptions/lookup` and `subscriptions/modify`.
package struct SubscriptionsResponse: Hashable, Sendable {
    package var subscriptions: [SubscriptionItem]
    package init(subscriptions: [SubscriptionItem]) { self.subscriptions = subscriptions }
}

package typealias SubscriptionsListResponse = SubscriptionsResponse
package typealias SubscriptionsLookupResponse = SubscriptionsResponse
package typealias SubscriptionsModifyResponse = SubscriptionsResponse

/// `subscriptions/lookup`
package struct SubscriptionsLookupRequest: Hashable, Sendable {
    package var subscriptionIDs: [String]
    package init(subscriptionIDs: [String]) { self.subscriptionIDs = subscriptionIDs }
}

/// One operation of `subscriptions/modify`. Zones without an owner have ``ZoneID/unresolvedOwner``.
package enum SubscriptionOperation: Hashable, Sendable {
    /// An empty `id` asks the server to make one.
    case create(Subscription)
    case update(Subscription)
    case delete(String)
    /// The operation cannot be carried out as written; the others can.
    case refused(subscriptionID: String, CloudError)
}

/// `subscriptions/modify`
package struct SubscriptionsModifyRequest: Hashable, Sendable {
    package var operations: [SubscriptionOperation]
    package init(operations: [SubscriptionOperation]) { self.operations = operations }
}
