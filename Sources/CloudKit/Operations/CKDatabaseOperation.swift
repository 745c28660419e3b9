import Foundation

/// Work on one database. Without one: the private database of the operation's container, or of the default container.
///
/// Unchecked: as its superclass; its inputs and blocks follow the same rule.
open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
    private var assignedDatabase: CKDatabase?

    /// Setting it sets the container.
    open var database: CKDatabase? {
        get { assignedDatabase }
        set {
            assignedDatabase = newValue
            if let newValue { assignedContainer = newValue.container }
        }
    }

    /// The database to work on, with the operation's own settings.
    final var target: DatabaseClient {
        let database = assignedDatabase ?? (assignedContainer ?? .default()).privateCloudDatabase
        return DatabaseClient(context: database.context, scope: database.databaseScope, settings: callOptions)
    }

    override final var device: CloudDevice { assignedDatabase?.context.device ?? super.device }
}
