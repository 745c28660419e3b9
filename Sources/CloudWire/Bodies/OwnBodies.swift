package import CloudCore

/// `/cumulet/1/sign-in`
package struct SignInRequest: Hashable, Sendable {
    package var emailAddress: String
    package var password: String?
    package var deviceID: String
    package var deviceName: String

    package init(emailAddress: String, password: String? = nil, deviceID: String, deviceName: String) {
        self.emailAddress = emailAddress
        self.password = password
        self.deviceID = deviceID
        self.deviceName = deviceName
    }
}

package struct SignInResponse: Hashable, Sendable {
    package var deviceSession: String
    package var accountName: String

    package init(deviceSession: String, accountName: String) {
        self.deviceSession = deviceSession
        self.accountName = accountName
    }
}

/// `/cumulet/1/web-token`
package struct WebTokenRequest: Hashable, Sendable {
    package var deviceSession: String
    package var container: ContainerID
    package var environment: CloudEnvironment
    package var ckAPIToken: String?

    package init(
        deviceSession: String, container: ContainerID, environment: CloudEnvironment, ckAPIToken: String? = nil
    ) {
        self.deviceSession = deviceSession
        self.container = container
        self.environment = environment
        self.ckAPIToken = ckAPIToken
    }
}

package struct WebTokenResponse: Hashable, Sendable {
    package var ckWebAuthToken: String
    package var userRecordName: String

    package init(ckWebAuthToken: String, userRecordName: String) {
        self.ckWebAuthToken = ckWebAuthToken
        self.userRecordName = userRecordName
    }
}

/// `/cumulet/1/sign-out`
package struct SignOutRequest: Hashable, Sendable {
    package var deviceSession: String
    package init(deviceSession: String) { self.deviceSession = deviceSession }
}

/// `/cumulet/1/admin/account-add`
package struct AdminAccountAddRequest: Hashable, Sendable {
    package var emailAddress: String
    package var password: String?
    package var phoneNumber: String?
    package var nameComponents: NameComponents
    /// Whether others may find the person by address or number.
    package var isDiscoverable: Bool

    package init(
        emailAddress: String, password: String? = nil, phoneNumber: String? = nil,
        nameComponents: NameComponents = NameComponents(), isDiscoverable: Bool = false
    ) {
        self.emailAddress = emailAddress
        self.password = password
        self.phoneNumber = phoneNumber
        self.nameComponents = nameComponents
        self.isDiscoverable = isDiscoverable
    }
}

/// `/cumulet/1/admin/container-create`
package struct AdminContainerCreateRequest: Hashable, Sendable {
    package var container: ContainerID
    package init(container: ContainerID) { self.container = container }
}

/// `/cumulet/1/admin/token-create`
package struct AdminTokenCreateRequest: Hashable, Sendable {
    package var container: ContainerID
    package var environment: CloudEnvironment
    package var name: String
    /// Where pages that use the token come from.
    package var allowedOrigins: [String]

    package init(
        container: ContainerID, environment: CloudEnvironment, name: String, allowedOrigins: [String] = []
    ) {
        self.container = container
        self.environment = environment
        self.name = name
        self.allowedOrigins = allowedOrigins
    }
}

package struct AdminTokenCreateResponse: Hashable, Sendable {
    package var ckAPIToken: String
    package init(ckAPIToken: String) { self.ckAPIToken = ckAPIToken }
}

/// `/cumulet/1/admin/token-revoke`
package struct AdminTokenRevokeRequest: Hashable, Sendable {
    package var ckAPIToken: String
    package init(ckAPIToken: String) { self.ckAPIToken = ckAPIToken }
}

/// An answer or request that says nothing: `{}`.
package struct EmptyBody: Hashable, Sendable {
    package init() {}
}
