import CloudCore
import CloudStorage
import CloudWire

enum SubscriptionsList: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: EmptyBody, for call: Call, in transaction: CloudTransaction) throws
        -> SubscriptionsListResponse
    {
        let subscriptions = try transaction.subscriptions(in: call.database, of: call.actor.name)
        return SubscriptionsListResponse(subscriptions: subscriptions.map { .subscription($0) })
    }
}
