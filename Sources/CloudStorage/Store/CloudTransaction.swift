package import CloudCore
package import SQLCore

/// A view of the store inside one transaction; valid only in the closure it is handed to.
package final class CloudTransaction {
    package var connection: any SQLConnection { commit }
    /// The connection, which holds rows and savepoints back.
    let commit: CommitConnection
    /// Milliseconds since 1970, the same for the whole transaction.
    package let now: Int64
    package let limits: CloudLimits
    package let policy: StorePolicy
    /// The key of the store's authentication codes.
    package let secret: [UInt8]
    /// The key of ``AssetToken``s.
    package let assetKey: [UInt8]
    package let isWritable: Bool
    private let schemaCache: SchemaCache
    /// What the commit knows already, shared by its transactions.
    let memory: BatchMemory
    /// Whether somebody should look for ``StoreNews`` after the commit.
    var leavesNews = false

    /// New rows of records, entries and references.
    private(set) var addedRows = 0

    /// Schemas that this transaction has changed: what it sees of them is nobody else's yet.
    private var changedSchemas: Set<SchemaScope> = []

    /// Bytes of the records that the transaction answers so far, as they are stored.
    private var answeredBytes = 0

    private var undos: [() -> Void] = []

    init(
        _ connection: CommitConnection, _ settings: StoreSettings, cache: SchemaCache,
        memory: BatchMemory = BatchMemory(), isWritable: Bool
    ) {
        commit = connection
        self.now = settings.clock()
        self.limits = settings.limits
        self.policy = settings.policy
        self.secret = settings.secret
        self.assetKey = settings.assetKey
        self.isWritable = isWritable
        self.schemaCache = cache
        self.memory = memory
    }

    /// Runs `body` in a savepoint: when it throws, only its own changes are undone.
    package func savepoint<T>(_ body: () throws -> T) throws -> T {
        let (mark, known) = (undos.count, memory.mark)
        commit.savepoint()
        let result: T
        do { result = try body() } catch {
            undo(downTo: mark)
            memory.restore(known)
            // When the database failed, the savepoint may be gone; the first failure is the one to tell.
            do { try commit.rollBack() } catch let second { throw error is SQLError ? error : second }
            throw error
        }
        try commit.release()
        return result
    }

    /// Registers what restores a value in memory if the changes made so far in this savepoint are undone, be it by a
    /// thrown error or by a commit that fails. Called on the writer's thread, newest first.
    package func onRollback(_ undo: @escaping () -> Void) { undos.append(undo) }

    /// Whether rows that this transaction reads stay as they are while ``memory`` lasts.
    var canRemember: Bool { isWritable || memory.isSnapshot }

    /// Counts new rows for the planner's statistics.
    func added(_ rows: Int) { addedRows += rows }

    /// Counts a record towards the size of the answer.
    func answered(_ bytes: Int) { answeredBytes += bytes }

    /// Whether the answer has as many bytes as it may have.
    var isAnswerFull: Bool { answeredBytes >= limits.answerBytes }

    /// Restores what is in memory; ``memory`` is the caller's to restore.
    func undo(downTo mark: Int = 0) {
        while undos.count > mark { undos.removeLast()() }
    }
}

extension CloudTransaction {
    /// A statement's expression for the version of the schema of container `?1` and environment `?2`.
    static let schemaVersion = "(SELECT version FROM schema_version WHERE container = ?1 AND environment = ?2)"

    /// Takes note of a version that was read along with something else.
    func sees(_ version: Int64, of scope: SchemaScope) { memory.schemaVersions[scope] = version }

    /// The schema of a container and environment: the thread's copy if it is of the version seen here, else `read`.
    func schema(_ scope: SchemaScope, read: () throws -> Schema) throws -> Schema {
        guard !changedSchemas.contains(scope) else { return try read() }
        let version =
            try memory.schemaVersions[scope] ?? connection.first(
                "SELECT version FROM schema_version WHERE container = ?1 AND environment = ?2",
                .text(scope.container.rawValue), .text(scope.environment.rawValue)
            ) { $0.integer(0) } ?? 0
        sees(version, of: scope)
        if let kept = schemaCache.schema(scope, version: version) { return kept }
        let schema = try read()
        schemaCache.keep(schema, scope, version: version)
        return schema
    }

    /// Gives the schema a version of its own before each change, so that no thread and no process uses an older copy.
    func willChangeSchema(_ scope: SchemaScope) throws {
        changedSchemas.insert(scope)
        memory.schemaVersions[scope] = nil
        try connection.post(
            """
            INSERT INTO schema_version (container, environment, version) VALUES (?1, ?2, ?3)
            ON CONFLICT (container, environment) DO UPDATE SET version = excluded.version
            """, .text(scope.container.rawValue), .text(scope.environment.rawValue),
            .integer(Int64.random(in: 1...Int64.max)))
    }
}
