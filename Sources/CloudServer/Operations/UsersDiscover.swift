import CloudCore
import CloudStorage
import CloudWire

/// Finds people who may be found. Whoever is not there, or does not want to be found, is left out.
enum UsersDiscover: ServiceOperation {
    /// Who is found gets a user record name in the container.
    static let isWrite = true

    static func changedDatabase(_ body: UsersDiscoverRequest, for call: Call) -> DatabaseID? { nil }

    static func perform(_ body: UsersDiscoverRequest, for call: Call, in transaction: CloudTransaction) throws
        -> UsersDiscoverResponse
    {
        _ = try call.user
        return UsersDiscoverResponse(
            users: try Discovery.people(body.lookups, hidden: body.forSharing, for: call, in: transaction).map {
                lookup, user in user.identity(foundBy: lookup)
            })
    }
}

/// What the operations that find people share.
enum Discovery {
    /// The people that lookups mean, in the order of the lookups. One's own name finds oneself in any case.
    /// - Parameter hidden: Whether also those who are not discoverable.
    static func people(
        _ lookups: [UserLookup], hidden: Bool = false, for call: Call, in transaction: CloudTransaction
    ) throws -> [(UserLookup, KnownUser)] {
        try ItemCount.check(lookups.count, of: "users", in: transaction)
        let own = try call.actor.name
        return try lookups.compactMap { lookup in
            guard let user = try transaction.user(matching: lookup, in: call.container), !user.account.isDisabled,
                hidden || user.isDiscoverable || user.userRecordName == own
            else { return nil }
            return (lookup, user)
        }
    }

    static func users(_ lookups: [UserLookup], for call: Call, in transaction: CloudTransaction) throws
        -> [UsersCurrentResponse]
    {
        try people(lookups, for: call, in: transaction).map { _, user in
            user.isDiscoverable
                ? UsersCurrentResponse(user) : UsersCurrentResponse(userRecordName: user.userRecordName)
        }
    }
}
