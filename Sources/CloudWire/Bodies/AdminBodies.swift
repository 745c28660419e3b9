package import CloudCore

/// `/cumulet/1/admin/account-list`: accounts by address, a page at a time.
package struct AdminAccountListRequest: Hashable, Sendable {
    /// The address that the last page ended with.
    package var after: String?
    package init(after: String? = nil) { self.after = after }
}

package struct AdminAccountListResponse: Hashable, Sendable {
    package var accounts: [AdminAccount]
    package var moreComing: Bool

    package init(accounts: [AdminAccount], moreComing: Bool) {
        self.accounts = accounts
        self.moreComing = moreComing
    }
}

package struct AdminAccount: Hashable, Sendable {
    package var emailAddress: String
    package var phoneNumber: String?
    package var nameComponents: NameComponents
    package var isDiscoverable: Bool
    package var isDisabled: Bool
    /// Milliseconds since 1970.
    package var created: Int64

    package init(
        emailAddress: String, phoneNumber: String?, nameComponents: NameComponents, isDiscoverable: Bool,
        isDisabled: Bool, created: Int64
    ) {
        self.emailAddress = emailAddress
        self.phoneNumber = phoneNumber
        self.nameComponents = nameComponents
        self.isDiscoverable = isDiscoverable
        self.isDisabled = isDisabled
        self.created = created
    }
}

/// `/cumulet/1/admin/account-set`: what is not named stays; an empty number or part of a name is taken away.
package struct AdminAccountSetRequest: Hashable, Sendable {
    package var emailAddress: String
    package var newEmailAddress: String?
    package var password: String?
    package var phoneNumber: String?
    package var nameComponents: NameComponents
    package var isDiscoverable: Bool?
    /// With a container, `isDiscoverable` is for that one alone.
    package var container: ContainerID?

    package init(
        emailAddress: String, newEmailAddress: String? = nil, password: String? = nil, phoneNumber: String? = nil,
        nameComponents: NameComponents = NameComponents(), isDiscoverable: Bool? = nil, container: ContainerID? = nil
    ) {
        self.emailAddress = emailAddress
        self.newEmailAddress = newEmailAddress
        self.password = password
        self.phoneNumber = phoneNumber
        self.nameComponents = nameComponents
        self.isDiscoverable = isDiscoverable
        self.container = container
    }
}

/// `/cumulet/1/admin/account-disable`, `account-enable` and `account-remove`
package struct AdminAccountRequest: Hashable, Sendable {
    package var emailAddress: String
    package init(emailAddress: String) { self.emailAddress = emailAddress }
}

/// `/cumulet/1/admin/account-purge`
package struct AdminAccountPurgeRequest: Hashable, Sendable {
    package var emailAddress: String
    package var container: ContainerID
    package var environment: CloudEnvironment

    package init(emailAddress: String, container: ContainerID, environment: CloudEnvironment) {
        self.emailAddress = emailAddress
        self.container = container
        self.environment = environment
    }
}

/// `/cumulet/1/admin/key-add`
package struct AdminKeyAddRequest: Hashable, Sendable {
    package var container: ContainerID
    package var environment: CloudEnvironment
    package var name: String
    /// PEM, `SubjectPublicKeyInfo` on P-256.
    package var publicKey: String

    package init(container: ContainerID, environment: CloudEnvironment, name: String = "", publicKey: String) {
        self.container = container
        self.environment = environment
        self.name = name
        self.publicKey = publicKey
    }
}

/// A server-to-server key; the answer of `key-add`.
package struct AdminServerKey: Hashable, Sendable {
    package var keyID: String
    package var container: ContainerID
    package var environment: CloudEnvironment
    package var name: String
    /// Whom the key acts as.
    package var userRecordName: String
    /// Milliseconds since 1970.
    package var created: Int64

    package init(
        keyID: String, container: ContainerID, environment: CloudEnvironment, name: String, userRecordName: String,
        created: Int64
    ) {
        self.keyID = keyID
        self.container = container
        self.environment = environment
        self.name = name
        self.userRecordName = userRecordName
        self.created = created
    }
}

/// `/cumulet/1/admin/key-list`
package struct AdminKeyListRequest: Hashable, Sendable {
    /// `nil` for those of all containers.
    package var container: ContainerID?
    package init(container: ContainerID? = nil) { self.container = container }
}

package struct AdminKeyListResponse: Hashable, Sendable {
    package var keys: [AdminServerKey]
    package init(keys: [AdminServerKey]) { self.keys = keys }
}

/// `/cumulet/1/admin/key-revoke`
package struct AdminKeyRevokeRequest: Hashable, Sendable {
    package var keyID: String
    package init(keyID: String) { self.keyID = keyID }
}
