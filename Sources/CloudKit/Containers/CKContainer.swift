import CloudClient
import CloudCore
import CloudWire
public import Foundation

/// An app's container on the current device.
///
/// Nothing is asked of the service when it is made; a wrong identifier shows when the container is used.
public final class CKContainer: NSObject, Sendable {
    let context: CloudContext
    private let settings: CallSettings
    public let containerIdentifier: String?
    public let privateCloudDatabase: CKDatabase
    public let publicCloudDatabase: CKDatabase
    public let sharedCloudDatabase: CKDatabase

    public convenience init(identifier containerIdentifier: String) {
        self.init(context: CloudContext(device: .current, container: ContainerID(containerIdentifier)))
    }

    init(context: CloudContext, settings: CallSettings = CallSettings()) {
        self.context = context
        self.settings = settings
        containerIdentifier = context.container.rawValue
        privateCloudDatabase = CKDatabase(context: context, scope: .private, settings: settings)
        publicCloudDatabase = CKDatabase(context: context, scope: .public, settings: settings)
        sharedCloudDatabase = CKDatabase(context: context, scope: .shared, settings: settings)
        super.init()
        context.device.use(context.container)
    }

    /// The container named after the app: `iCloud.` and the bundle's identifier, or the executable's name without one.
    public class func `default`() -> CKContainer {
        CKContainer(identifier: defaultIdentifier)
    }

    static var defaultIdentifier: String {
        "iCloud." + (Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName)
    }

    public func database(with databaseScope: CKDatabase.Scope) -> CKDatabase {
        switch databaseScope {
        case .public: publicCloudDatabase
        case .private: privateCloudDatabase
        case .shared: sharedCloudDatabase
        }
    }

    /// What is asked of the service without a database: by way of the public one.
    var client: DatabaseClient { DatabaseClient(context: context, scope: .public, settings: settings) }

    /// Gives the operation this container and starts it on a concurrent background queue.
    public func add(_ operation: CKOperation) {
        operation.assignedContainer = self
        OperationRunner.shared.addOperation(operation)
    }

    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKContainer) throws -> R
    ) rethrows -> R {
        try body(configured(configuration, group))
    }

    @discardableResult
    @preconcurrency
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKContainer) async throws -> R
    ) async rethrows -> R {
        try await body(configured(configuration, group))
    }

    private func configured(_ configuration: CKOperation.Configuration?, _ group: CKOperationGroup?) -> CKContainer {
        guard configuration != nil || group != nil else { return self }
        return CKContainer(context: context, settings: CallSettings(configuration ?? .init(), group: group))
    }
}

extension CKContainer {
    /// Whether somebody is signed in on the device; asks nothing of the service. It is `temporarilyUnavailable` once the
    /// service has refused the device's session: its owner has to sign in again.
    @discardableResult
    public func accountStatus() async throws -> CKAccountStatus {
        context.device.noticeAccount()
        if let problem = context.device.store.problem { throw CKError(.internalError, reason: problem.description) }
        return context.device.accountStatus
    }

    public func accountStatus(completionHandler: @escaping (CKAccountStatus, (any Error)?) -> Void) {
        deliver({ try await self.accountStatus() }) { (result: Result<CKAccountStatus, any Error>) in
            completionHandler(result.value ?? .couldNotDetermine, result.error)
        }
    }

    /// The signed-in user's record in this container, by the name that only this container knows.
    @discardableResult
    public func userRecordID() async throws -> CKRecord.ID {
        let client = client
        return try await client.call(isRead: true) {
            guard context.device.isSignedIn else {
                throw CKError(.notAuthenticated, reason: "nobody is signed in on this device")
            }
            return CKRecord.ID(recordName: try await client.api.caller().userRecordName)
        }
    }

    public func fetchUserRecordID(completionHandler: @escaping (CKRecord.ID?, (any Error)?) -> Void) {
        deliver({ try await self.userRecordID() }, to: completionHandler)
    }
}

extension NSNotification.Name {
    /// Posted when somebody signed in or out on a device that a container of this process uses, or when the service takes
    /// its session no longer; ask the status again. What was begun for an account fails once another one has come.
    public static let CKAccountChanged = NSNotification.Name("CKAccountChangedNotification")
}
