import CloudClient
import CloudWire
import Foundation

extension CKContainer {
    /// What an app may ask its user for.
    public struct ApplicationPermissions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// To be found by others who know the user's address or number.
        @available(*, deprecated, message: "no longer supported; share with people by address")
        public static var userDiscoverability: ApplicationPermissions { ApplicationPermissions(rawValue: 1) }
    }

    /// Whether the user has given a permission.
    public enum ApplicationPermissionStatus: Int, Hashable, Sendable {
        case initialState = 0
        case couldNotComplete = 1
        case denied = 2
        case granted = 3
    }

    public typealias ApplicationPermissionBlock = (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void

    /// The older names.
    public enum Application {
        public typealias Permissions = CKContainer.ApplicationPermissions
        public typealias PermissionStatus = CKContainer.ApplicationPermissionStatus
        public typealias PermissionBlock = CKContainer.ApplicationPermissionBlock
    }

    /// Whether others can find the user in this container. That is a setting of his account, which whoever runs the service
    /// makes (`cumulet account set --discoverable`).
    @available(*, deprecated, message: "no longer supported; share with people by address")
    public func applicationPermissionStatus(
        for applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        let client = client
        return try await client.call(isRead: true) {
            guard context.device.isSignedIn else {
                throw CKError(.notAuthenticated, reason: "nobody is signed in on this device")
            }
            guard applicationPermission == ApplicationPermissions(rawValue: 1) else {
                throw CKError(
                    .invalidArguments,
                    reason: "there is no permission \(applicationPermission.rawValue) but userDiscoverability, 1")
            }
            return try await client.api.caller().lookup == nil ? .denied : .granted
        }
    }

    /// Asks for a permission. Nobody is asked here: the answer is as the account is set.
    @available(*, deprecated, message: "no longer supported; share with people by address")
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions
    ) async throws -> CKContainer.ApplicationPermissionStatus {
        try await applicationPermissionStatus(for: applicationPermission)
    }

    @available(*, deprecated, message: "no longer supported; share with people by address")
    public func status(
        forApplicationPermission applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        tell(applicationPermission, completionHandler)
    }

    @available(*, deprecated, message: "no longer supported; share with people by address")
    public func requestApplicationPermission(
        _ applicationPermission: CKContainer.ApplicationPermissions,
        completionHandler: @escaping (CKContainer.ApplicationPermissionStatus, (any Error)?) -> Void
    ) {
        tell(applicationPermission, completionHandler)
    }

    @available(*, deprecated)
    private func tell(_ permission: ApplicationPermissions, _ handler: @escaping ApplicationPermissionBlock) {
        deliver({ try await self.applicationPermissionStatus(for: permission) }) {
            (result: Result<ApplicationPermissionStatus, any Error>) in
            handler(result.value ?? .couldNotComplete, result.error)
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
public typealias CKContainer_Application_Permissions = CKContainer.ApplicationPermissions
// swift-format-ignore: AlwaysUseLowerCamelCase
public typealias CKContainer_Application_PermissionStatus = CKContainer.ApplicationPermissionStatus
// swift-format-ignore: AlwaysUseLowerCamelCase
public typealias CKContainer_Application_PermissionBlock = CKContainer.ApplicationPermissionBlock
