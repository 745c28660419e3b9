package import CloudCore

/// A person who can sign in.
package struct Account: Hashable, Sendable {
    package let id: Int64
    /// Lower case.
    package let email: String
    /// Digits only.
    package let phone: String?
    package let name: NameComponents
    /// Whether others may find him by address or number, in containers where nothing else is set.
    package let isDiscoverable: Bool
    /// Whether he may not sign in.
    package let isDisabled: Bool
    package let passwordHash: String?
    /// Milliseconds since 1970.
    package let created: Int64
}

/// What an account is good for. People have those up to ``disabled``.
enum AccountState: Int64 {
    case active = 0
    /// Signs in nowhere; everything is kept.
    case disabled = 1
    /// Removed: what is left of it is only its number, which no other account may get.
    case erased = 2
    /// Acts for a server-to-server key.
    case serverKey = 3
}

/// Somebody with an account, as a container knows him.
package struct KnownUser: Hashable, Sendable {
    package let account: Account
    /// His user record name in the container.
    package let userRecordName: String
    /// Whether others may find him in the container, and know his name there.
    package let isDiscoverable: Bool

    /// How the container shows him to others.
    /// - Parameter lookup: What he was found by.
    package func identity(foundBy lookup: UserLookup?) -> UserIdentity {
        UserIdentity(
            userRecordName: userRecordName, nameComponents: isDiscoverable ? account.name : nil, lookup: lookup)
    }
}

/// A signed-in device.
package struct DeviceSession: Hashable, Sendable {
    package let id: Int64
    package let account: Int64
    package let deviceID: String
}

/// A user's session with one container; what a web auth token stands for.
package struct WebSession: Hashable, Sendable {
    package let id: [UInt8]
    package let secret: [UInt8]
    package let account: Int64
    package let container: ContainerID
    package let environment: CloudEnvironment
    package let userName: String
    /// The signed-in device that it was made from, if any.
    package let deviceSession: Int64?
    /// Milliseconds since 1970.
    package let expires: Int64
}
