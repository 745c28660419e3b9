import CloudCore
import CloudCrypto
import Foundation

/// What a device knows of itself and of its account: the content of `device.json`.
package struct DeviceSettings: Codable, Hashable, Sendable {
    /// What an app's container needs on this device.
    package struct Container: Codable, Hashable, Sendable {
        package var apiToken: String?
        /// `development` or `production`.
        package var environment: String?

        package init(apiToken: String? = nil, environment: String? = nil) {
            self.apiToken = apiToken
            self.environment = environment
        }
    }

    /// Made once, sent as `clientId`: the device is not told of its own changes.
    package var deviceID: String
    /// The service's base URL, without a trailing slash.
    package var server: String?
    package var emailAddress: String?
    /// The secret of the signed-in device; `nil` when nobody is signed in.
    package var deviceSession: String?
    package var containers: [String: Container]
    /// Bytes of assets that the device keeps; `nil` for ``AssetCache/defaultLimit``.
    package var assetCacheBytes: Int64?

    package init(
        deviceID: String = UUID().uuidString, server: String? = nil, emailAddress: String? = nil,
        deviceSession: String? = nil, containers: [String: Container] = [:]
    ) {
        self.deviceID = deviceID
        self.server = server
        self.emailAddress = emailAddress
        self.deviceSession = deviceSession
        self.containers = containers
    }

    /// What tells accounts apart in the device's folder, without their secrets.
    package var accountHash: String {
        Hex.encode(Array(Crypto.sha256(Array((deviceSession ?? "nobody").utf8)).prefix(8)))
    }

    package var isSignedIn: Bool { deviceSession != nil }

    /// What tells two signed-in accounts apart.
    package var account: Account? { deviceSession.map { Account(emailAddress: emailAddress, session: $0) } }

    package struct Account: Hashable, Sendable {
        package let emailAddress: String?
        package let session: String
    }
}

/// How far an app has read the push log of a device's token.
package struct PushCursor: Codable, Hashable, Sendable {
    package var token: String
    package var after: Int64

    package init(token: String, after: Int64) {
        self.token = token
        self.after = after
    }
}
