import CloudCore
import CloudStorage
import CloudWire

enum SubscriptionsModify: ServiceOperation {
    static let isWrite = true

    static func perform(_ body: SubscriptionsModifyRequest, for call: Call, in transaction: CloudTransaction) throws
        -> SubscriptionsModifyResponse
    {
        try ItemCount.check(body.operations.count, of: "operations", in: transaction)
        let user = try call.actor.name
        return SubscriptionsModifyResponse(
            subscriptions: try body.operations.map { operation in
                switch operation {
                case .create(var subscription), .update(var subscription):
                    if subscription.id.isEmpty, case .create = operation { subscription.id = UniqueID.make() }
                    let resolved = subscription.resolvingOwner(call.owner)
                    return try item(resolved.id, in: transaction) {
                        try transaction.saveSubscription(resolved, in: call.database, of: user)
                        return .subscription(resolved)
                    }
                case .delete(let id):
                    return try item(id, in: transaction) {
                        try transaction.deleteSubscription(id, in: call.database, of: user)
                        return .deleted(id)
                    }
                case .refused(let id, let error):
                    return .failure(subscriptionID: id, error, uuid: UniqueID.make())
                }
            })
    }

    private static func item(
        _ id: String, in transaction: CloudTransaction, _ body: () throws -> SubscriptionItem
    ) throws -> SubscriptionItem {
        do {
            return try transaction.savepoint(body)
        } catch let error as CloudError {
            return .failure(subscriptionID: id, error, uuid: UniqueID.make())
        }
    }
}
