import CloudCore
import CloudStorage
import CloudWire

/// `users/lookup/email` and `users/lookup/id`, each of which takes what the other does.
enum UsersLookup: ServiceOperation {
    /// Who is found gets a user record name in the container.
    static let isWrite = true

    static func changedDatabase(_ body: UsersLookupRequest, for call: Call) -> DatabaseID? { nil }

    static func perform(_ body: UsersLookupRequest, for call: Call, in transaction: CloudTransaction) throws
        -> UsersLookupResponse
    {
        UsersLookupResponse(users: try Discovery.users(body.users, for: call, in: transaction))
    }
}

/// The service keeps no address books, so that nobody is in the caller's.
enum UsersLookupContacts: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: EmptyBody, for call: Call, in transaction: CloudTransaction) throws
        -> UsersLookupContactsResponse
    {
        _ = try call.actor
        return UsersLookupContactsResponse(users: [])
    }
}
