/// A person's name in parts.
package struct NameComponents: Hashable, Sendable {
    package var namePrefix: String?
    package var givenName: String?
    package var middleName: String?
    package var familyName: String?
    package var nameSuffix: String?
    package var nickname: String?

    package init(
        namePrefix: String? = nil, givenName: String? = nil, middleName: String? = nil, familyName: String? = nil,
        nameSuffix: String? = nil, nickname: String? = nil
    ) {
        self.namePrefix = namePrefix
        self.givenName = givenName
        self.middleName = middleName
        self.familyName = familyName
        self.nameSuffix = nameSuffix
        self.nickname = nickname
    }
}

/// What a person is looked up by.
package enum UserLookup: Hashable, Sendable {
    case emailAddress(String)
    case phoneNumber(String)
    case userRecordName(String)
}

/// A person as others see him.
package struct UserIdentity: Hashable, Sendable {
    /// The user record name in the container; `nil` for somebody without an account.
    package var userRecordName: String?
    package var nameComponents: NameComponents?
    /// What the person was looked up or invited by.
    package var lookup: UserLookup?

    package init(userRecordName: String? = nil, nameComponents: NameComponents? = nil, lookup: UserLookup? = nil) {
        self.userRecordName = userRecordName
        self.nameComponents = nameComponents
        self.lookup = lookup
    }
}
