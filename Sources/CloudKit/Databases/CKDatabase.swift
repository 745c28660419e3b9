public import Foundation

/// One of a container's databases.
///
/// The convenience methods work as for a waiting user: a failing network is reported at once. Methods that take many
/// items throw only when the request failed as a whole; each item has a result of its own.
public final class CKDatabase: NSObject, Sendable {
    let context: CloudContext
    private let settings: CallSettings
    public let databaseScope: Scope

    init(context: CloudContext, scope: Scope, settings: CallSettings = CallSettings()) {
        self.context = context
        self.databaseScope = scope
        self.settings = settings
    }

    /// For a call that begins now.
    var client: DatabaseClient { DatabaseClient(context: context, scope: databaseScope, settings: settings) }

    var container: CKContainer { CKContainer(context: context) }

    /// Gives the operation this database and starts it on a concurrent background queue.
    public func add(_ operation: CKDatabaseOperation) {
        operation.database = self
        OperationRunner.shared.addOperation(operation)
    }

    /// Runs `body` with a database whose convenience calls use the configuration and the group.
    @discardableResult
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) throws -> R
    ) rethrows -> R {
        try body(configured(configuration, group))
    }

    @discardableResult
    @preconcurrency
    public func configuredWith<R>(
        configuration: CKOperation.Configuration? = nil, group: CKOperationGroup? = nil,
        body: (CKDatabase) async throws -> R
    ) async rethrows -> R {
        try await body(configured(configuration, group))
    }

    private func configured(_ configuration: CKOperation.Configuration?, _ group: CKOperationGroup?) -> CKDatabase {
        guard configuration != nil || group != nil else { return self }
        return CKDatabase(
            context: context, scope: databaseScope, settings: CallSettings(configuration ?? .init(), group: group))
    }
}

enum OperationRunner {
    /// Runs what is added to databases and containers.
    static let shared: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "cloudkit.operations"
        return queue
    }()
}
