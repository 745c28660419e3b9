import CloudClient
import CloudCore
import CloudWire
import Foundation

/// Whose container: a device and a container's identifier. While one is held, by a container, a database or a running
/// operation, the process is told of sign-ins by others.
struct CloudContext: Sendable {
    let device: CloudDevice
    let container: ContainerID
    private let watch: FolderWatch?

    init(device: CloudDevice, container: ContainerID) {
        self.device = device
        self.container = container
        watch = device.watchAccount()
    }
}

/// The one asynchronous implementation behind the convenience methods and the operations of a database.
///
/// Every function plans, sends and sorts the answer by item. It throws a `CKError` when the request failed as a whole.
struct DatabaseClient: Sendable {
    let context: CloudContext
    let scope: CKDatabase.Scope
    let settings: CallSettings

    var core: DatabaseScope { scope.core }

    var api: CloudAPI {
        context.device.noticeAccount()
        return CloudAPI(
            connection: context.device.connection, target: CloudTarget(container: context.container, scope: core),
            options: settings.callOptions)
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
        try await context.device.connection.userRecordName(in: context.container)
    }

    func error(_ error: CloudError) -> CKError { CKError(error, scope: core) }
}

extension CallSettings {
    /// Work that a person waits for fails at once; utility and background work is tried again.
    var callOptions: CallOptions {
        let isPatient = qualityOfService == .utility || qualityOfService == .background
        return CallOptions(
            retry: isPatient ? .patient : .failFast,
            requestTimeout: .milliseconds(milliseconds(timeoutIntervalForRequest)),
            resourceTimeout: timeoutIntervalForResource.isFinite
                ? .milliseconds(milliseconds(timeoutIntervalForResource)) : nil)
    }

    private func milliseconds(_ seconds: TimeInterval) -> Int64 {
        Int64(min(max(seconds, 0.001), 30 * 24 * 3600) * 1000)
    }
}
