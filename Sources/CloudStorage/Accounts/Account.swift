package import CloudCore

/// A person who can sign in.
package struct Account: Hashable, Sendable {
    package let id: Int64
    /// Lower case.
    package let email: String
    package let givenName: String?
    package let familyName: String?
    package let passwordHash: String?
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
