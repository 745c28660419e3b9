import CloudClient
import CloudCore
import CloudWire
import Foundation

/// Whose container: a device and a container's identifier. While one is held, by a container, a database or a running
/// operation, the process is told of sign-ins by others.
struct CloudContext: Sendable {
    let device: CloudDevice
    let container: ContainerID
    private let use: DeviceUse

    init(device: CloudDevice, container: ContainerID) {
        self.device = device
        self.container = container
        use = device.startUse()
    }
}

/// The one asynchronous implementation behind the convenience methods and the operations of a database.
///
/// Every function plans, sends and sorts the answer by item. It throws a `CKError` when the request failed as a whole.
/// All that one client does is for whoever was signed in when it was made; it fails with `notAuthenticated` once that
/// account has gone.
struct DatabaseClient: Sendable {
    let context: CloudContext
    let scope: CKDatabase.Scope
    let settings: CallSettings
    let principal: Principal

    init(context: CloudContext, scope: CKDatabase.Scope, settings: CallSettings) {
        self.context = context
        self.scope = scope
        self.settings = settings
        principal = settings.principal ?? context.device.store.settings.principal
    }

    /// The same work in another container or database.
    func moved(to context: CloudContext, scope: CKDatabase.Scope) -> DatabaseClient {
        var settings = settings
        settings.principal = principal
        return DatabaseClient(context: context, scope: scope, settings: settings)
    }

    var core: DatabaseScope { scope.core }

    var api: CloudAPI {
        context.device.noticeAccount()
        return CloudAPI(
            connection: context.device.connection, target: CloudTarget(container: context.container, scope: core),
            options: settings.callOptions(for: principal))
    }

    /// Turns what `body` throws into a `CKError`.
    func call<T>(isRead: Bool, _ body: () async throws -> T) async throws -> T {
        do {
            try Task.checkCancellation()
            return try await body()
        } catch {
            throw CKError(failure: error, scope: core, isRead: isRead)
        }
    }

    /// The signed-in user's record name in this container.
    func currentUser() async throws -> String? {
        try await context.device.connection.userRecordName(in: context.container, for: principal)
    }

    func error(_ error: CloudError) -> CKError { CKError(error, scope: core) }
}

extension CallSettings {
    /// Work that a person waits for fails at once; utility and background work is tried again.
    func callOptions(for principal: Principal) -> CallOptions {
        let isPatient = qualityOfService == .utility || qualityOfService == .background
        return CallOptions(
            retry: isPatient ? .patient : .failFast,
            requestTimeout: .milliseconds(milliseconds(timeoutIntervalForRequest)),
            resourceTimeout: timeoutIntervalForResource.isFinite
                ? .milliseconds(milliseconds(timeoutIntervalForResource)) : nil,
            principal: principal, allowsCellularAccess: allowsCellularAccess)
    }

    private func milliseconds(_ seconds: TimeInterval) -> Int64 {
        Int64(min(max(seconds, 0.001), 30 * 24 * 3600) * 1000)
    }
}
