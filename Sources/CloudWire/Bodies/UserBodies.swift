package import CloudCore

/// The answer of `users/caller`: the caller's identity at the top level.
package struct UsersCallerResponse: Hashable, Sendable {
    package var userRecordName: String
    /// Name and address only when the user is discoverable.
    package var nameComponents: NameComponents?
    package var lookup: UserLookup?

    package init(userRecordName: String, nameComponents: NameComponents? = nil, lookup: UserLookup? = nil) {
        self.userRecordName = userRecordName
        self.nameComponents = nameComponents
        self.lookup = lookup
    }
}

/// `users/discover`, and in their own spelling `users/lookup/email` and `users/lookup/id`.
package struct UsersDiscoverRequest: Hashable, Sendable {
    package var lookups: [UserLookup]
    /// Our addition: whether people are sought to share with, who need not be discoverable then. Their names are not told.
    package var forSharing: Bool

    package init(lookups: [UserLookup], forSharing: Bool = false) {
        self.lookups = lookups
        self.forSharing = forSharing
    }
}

package struct UsersDiscoverResponse: Hashable, Sendable {
    package var users: [UserIdentity]
    package init(users: [UserIdentity]) { self.users = users }
}

/// `users/lookup/email` and `users/lookup/id`
package struct UsersLookupRequest: Hashable, Sendable {
    package var users: [UserLookup]
    package init(users: [UserLookup]) { self.users = users }
}

package struct UsersLookupResponse: Hashable, Sendable {
    package var users: [UsersCurrentResponse]
    package init(users: [UsersCurrentResponse]) { self.users = users }
}

/// The answer of `users/lookup/contacts`, whose list clients know by two names.
package struct UsersLookupContactsResponse: Hashable, Sendable {
    package var users: [UsersCurrentResponse]
    package init(users: [UsersCurrentResponse]) { self.users = users }
}

/// A user of the older operations; the answer of `users/current`.
package struct UsersCurrentResponse: Hashable, Sendable {
    package var userRecordName: String
    package var firstName: String?
    package var lastName: String?
    package var emailAddress: String?

    package init(
        userRecordName: String, firstName: String? = nil, lastName: String? = nil, emailAddress: String? = nil
    ) {
        self.userRecordName = userRecordName
        self.firstName = firstName
        self.lastName = lastName
        self.emailAddress = emailAddress
    }
}

/// `tokens/create`
package struct TokensCreateRequest: Hashable, Sendable {
    package var apnsEnvironment: CloudEnvironment
    package var clientID: String?

    package init(apnsEnvironment: CloudEnvironment, clientID: String? = nil) {
        self.apnsEnvironment = apnsEnvironment
        self.clientID = clientID
    }
}

/// `tokens/register`
package struct TokensRegisterRequest: Hashable, Sendable {
    package var apnsEnvironment: CloudEnvironment
    package var apnsToken: String
    package var clientID: String?

    package init(apnsEnvironment: CloudEnvironment, apnsToken: String, clientID: String? = nil) {
        self.apnsEnvironment = apnsEnvironment
        self.apnsToken = apnsToken
        self.clientID = clientID
    }
}

/// The answer of `tokens/create` and `tokens/register`.
package struct TokensResponse: Hashable, Sendable {
    package var apnsEnvironment: CloudEnvironment
    package var apnsToken: String
    package var webcourierURL: String
    /// The end of the token's log; our addition.
    package var pushSequence: Int64?

    package init(
        apnsEnvironment: CloudEnvironment, apnsToken: String, webcourierURL: String, pushSequence: Int64? = nil
    ) {
        self.apnsEnvironment = apnsEnvironment
        self.apnsToken = apnsToken
        self.webcourierURL = webcourierURL
        self.pushSequence = pushSequence
    }
}

package typealias TokensCreateResponse = TokensResponse
package typealias TokensRegisterResponse = TokensResponse
