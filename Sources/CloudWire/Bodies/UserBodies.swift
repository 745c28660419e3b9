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

/// The answer of `users/current`
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
