import CloudCore
import CloudStorage
import CloudWire

enum SubscriptionsLookup: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: SubscriptionsLookupRequest, for call: Call, in transaction: CloudTransaction) throws
        -> SubscriptionsLookupResponse
    {
        try ItemCount.check(body.subscriptionIDs.count, of: "subscriptions", in: transaction)
        let user = try call.actor.name
        return SubscriptionsLookupResponse(
            subscriptions: try body.subscriptionIDs.map { id in
                if let found = try transaction.subscription(id, in: call.database, of: user) {
                    return .subscription(found)
                }
                let error = CloudError(.notFound, "Subscription '\(id)' does not exist", nativeCode: 11)
                return .failure(subscriptionID: id, error, uuid: UniqueID.make())
            })
    }
}
