package import CloudCore
package import SQLCore

/// A view of the store inside one transaction; valid only in the closure it is handed to.
package final class CloudTransaction {
    package let connection: any SQLConnection
    /// Milliseconds since 1970, the same for the whole transaction.
    package let now: Int64
    package let limits: CloudLimits
    package let policy: StorePolicy
    /// The key of the store's authentication codes.
    package let secret: [UInt8]
    package let isWritable: Bool
    /// The writer's own in a write; in a read a fresh one, so that it is never stale.
    package let schemaCache: SchemaCache
    /// Whether the outbox may hold rows after the commit.
    var leavesPushes = false

    /// Whether this transaction has changed the schema: what it sees may then be undone.
    private(set) var changesSchema = false

    private var undos: [() -> Void] = []
    private var depth = 0

    init(_ connection: any SQLConnection, _ settings: StoreSettings, cache: SchemaCache, isWritable: Bool) {
        self.connection = connection
        self.now = settings.clock()
        self.limits = settings.limits
        self.policy = settings.policy
        self.secret = settings.secret
        self.isWritable = isWritable
        self.schemaCache = cache
    }

    /// Runs `body` in a savepoint: when it throws, only its own changes are undone.
    package func savepoint<T>(_ body: () throws -> T) throws -> T {
        let name = "nested\(depth)"
        let mark = undos.count
        try connection.execute("SAVEPOINT \(name)")
        depth += 1
        defer { depth -= 1 }
        do {
            let result = try body()
            try connection.execute("RELEASE \(name)")
            return result
        } catch {
            undo(downTo: mark)
            try connection.execute("ROLLBACK TO \(name)")
            try connection.execute("RELEASE \(name)")
            throw error
        }
    }

    /// Registers what restores a value in memory if the changes made so far in this savepoint are undone, be it by a
    /// thrown error or by a commit that fails. Called on the writer's thread, newest first.
    package func onRollback(_ undo: @escaping () -> Void) { undos.append(undo) }

    func willChangeSchema() {
        changesSchema = true
        schemaCache.forget()
    }

    func undo(downTo mark: Int = 0) {
        while undos.count > mark { undos.removeLast()() }
    }
}
