import CPostgres
import SQLCore

/// What was sent to the server and has not been answered yet, in order.
///
/// libpq runs in pipeline mode and without blocking: sending fills its buffer, and only ``finish()`` waits, reading answers
/// while it still sends, so that neither side can block the other however much is under way.
final class PostgresPipeline {
    private enum Awaited {
        case preparation(PostgresStatement)
        /// A statement's rows; `wasPrepared` tells that its preparation was answered before it was sent.
        case answer(sql: String, PostgresStatement?, wasPrepared: Bool, isKept: Bool)
        case commit(sql: String)
        /// A rollback, whole or to a savepoint; when it succeeds, what failed before it has been undone.
        case rollback(sql: String)
        case savepoint(name: String, sql: String)
        case release(name: String)
        case sync
    }

    private(set) var handle: OpaquePointer?
    private var awaited: [Awaited] = []
    private var sentBytes = 0
    /// Where the transaction will stand when all that was sent has succeeded.
    private(set) var transaction = TransactionState.none
    /// Savepoints that the server never made, since something failed before: nothing can be rolled back to them, though an
    /// older one may have the same name.
    private var missingSavepoints: Set<String> = []
    /// Why the connection is gone.
    var loss: SQLError?
    var statements = PostgresStatements()
    let patience: Duration?
    let canceller: PostgresCanceller?

    /// - Parameters:
    ///   - handle: A connection that nobody else uses or closes.
    ///   - patience: How long the server may send nothing while it owes an answer.
    init(_ handle: OpaquePointer, patience: Duration?) throws(SQLError) {
        self.handle = handle
        self.patience = patience
        canceller = PostgresCanceller(handle)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw SQLError(.other, firstLine(PQerrorMessage(handle)))
        }
    }

    deinit { close() }

    func close() {
        PQfinish(handle)
        handle = nil
        loss = loss ?? SQLError(.misuse, "the connection is closed")
    }

    var isIdle: Bool {
        if case .none = transaction { return awaited.isEmpty }
        return false
    }

    /// Enough is under way that its answers should be read.
    var isFull: Bool { awaited.count >= 2048 || sentBytes >= 4 << 20 }

    // MARK: Sending

    /// Queues a statement.
    func send(_ sql: String, _ word: TransactionWord, _ parameters: PostgresParameters, isKept: Bool) throws(SQLError) {
        let handle = try usable(sql, word)
        sentBytes += parameters.byteCount
        switch word {
        case .none: try sendPrepared(sql, parameters, isKept: isKept, handle)
        case .begin:
            missingSavepoints = []
            try sync()
            try sendPlain(sql, .answer(sql: sql, nil, wasPrepared: false, isKept: isKept), handle)
            transaction = .open
        case .savepoint:
            try sendPlain(sql, .savepoint(name: TransactionWord.savepointName(sql), sql: sql), handle)
        case .release:
            try sendPlain(sql, .answer(sql: sql, nil, wasPrepared: false, isKept: isKept), handle)
        case .commit:
            try sendPlain(sql, .commit(sql: sql), handle)
            transaction = .none
        case .rollback, .rollbackTo:
            if word == .rollbackTo { try requireSavepoint(sql) } else { missingSavepoints = [] }
            // Behind a statement that fails everything is skipped up to the next synchronisation.
            try sync()
            try sendPlain(sql, .rollback(sql: sql), handle)
            transaction = word == .rollback ? .none : .open
        }
    }

    /// Waits for what is under way, as only then it is known whether the savepoint was made after what failed.
    /// - Throws: The failure that came before the savepoint, which rolling back to an older one would hide.
    private func requireSavepoint(_ sql: String) throws(SQLError) {
        do {
            if !awaited.isEmpty { _ = try finish() }
        } catch {
            if loss != nil { throw error }
        }
        if case .failed(let error) = transaction, missingSavepoints.contains(TransactionWord.savepointName(sql)) {
            throw error
        }
    }

    /// Ends a stretch: a failure before it no longer skips what follows.
    func sync() throws(SQLError) {
        if case .sync = awaited.last { return }
        guard !awaited.isEmpty, let handle else { return }
        guard PQpipelineSync(handle) == 1 else { throw refused("") }
        awaited.append(.sync)
    }

    /// Hands what is queued to the network without waiting for anything.
    func flush() throws(SQLError) {
        try sync()
        guard let handle, PQflush(handle) >= 0 else { throw lost() }
    }

    /// Hands the network what it takes of what is queued. No answer comes before ``finish()`` asks for it.
    func push() {
        // Whether the connection is lost shows when the answers are read, which may say why.
        if let handle, !awaited.isEmpty { _ = PQflush(handle) }
    }

    func usable(_ sql: String, _ word: TransactionWord) throws(SQLError) -> OpaquePointer {
        if var loss {
            loss.statement = sql
            throw loss
        }
        guard let handle else { throw SQLError(.misuse, "the connection is closed", statement: sql) }
        switch (transaction, word) {
        case (.failed, .rollback), (.failed, .rollbackTo): break
        case (.failed(let error), _): throw error
        case (.open, .begin): throw SQLError(.misuse, "a transaction is open already", statement: sql)
        case (.none, .commit): throw SQLError(.misuse, "no transaction is open", statement: sql)
        default: break
        }
        return handle
    }

    private func sendPrepared(
        _ sql: String, _ parameters: PostgresParameters, isKept: Bool, _ handle: OpaquePointer
    ) throws(SQLError) {
        try releaseAbandoned(handle)
        let statement = statements.statement(sql, parameters.types)
        let wasPrepared = statement.state == .prepared
        if statement.state == .new {
            let types = statement.types
            guard PQsendPrepare(handle, statement.name, statement.text, Int32(types.count), types) == 1 else {
                throw refused(sql)
            }
            statement.state = .sent
            awaited.append(.preparation(statement))
        }
        let count = Int32(parameters.types.count)
        let sent = parameters.withPointers { values, lengths, formats in
            PQsendQueryPrepared(handle, statement.name, count, values, lengths, formats, 1)
        }
        guard sent == 1 else { throw refused(sql) }
        awaited.append(.answer(sql: sql, statement, wasPrepared: wasPrepared, isKept: isKept))
    }

    private func sendPlain(_ sql: String, _ awaiting: Awaited, _ handle: OpaquePointer) throws(SQLError) {
        guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw refused(sql) }
        awaited.append(awaiting)
    }

    private func releaseAbandoned(_ handle: OpaquePointer) throws(SQLError) {
        guard !statements.abandoned.isEmpty else { return }
        let names = statements.abandoned
        statements.abandoned = []
        for name in names { try sendPlain("DEALLOCATE \(name)", .release(name: name), handle) }
        // Outside a transaction they must not become the first part of the next statement's.
        if case .none = transaction { try sync() }
    }

    /// libpq did not take a message.
    private func refused(_ sql: String) -> SQLError {
        guard let handle, PQstatus(handle) == CONNECTION_OK else { return lost() }
        return SQLError(.misuse, firstLine(PQerrorMessage(handle)), statement: sql)
    }

    // MARK: Waiting

    /// Sends what is queued and waits until everything is answered.
    /// - Returns: The results of the statements that were sent to be kept, in order.
    /// - Throws: The first failure since the last call that waited, unless a rollback has undone it.
    func finish() throws(SQLError) -> [PostgresResult] {
        try sync()
        var kept: [PostgresResult] = []
        var failure: SQLError?
        var index = 0
        while index < awaited.count {
            guard let result = try nextResult() else {
                index += 1  // the statement's answers are complete
                continue
            }
            let item = awaited[index]
            let status = PQresultStatus(result.pointer)
            switch status {
            case PGRES_PIPELINE_SYNC:
                index += 1
                continue
            case PGRES_PIPELINE_ABORTED: skipped(item)
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                if let error = succeeded(item, result, &kept) { failure = failure ?? error }
                if case .rollback = item { failure = nil }
            case PGRES_FATAL_ERROR:
                let error = try failed(item, result)
                failure = failure ?? error
            default:
                failure = failure ?? SQLError(.misuse, "COPY is not supported", statement: sql(of: item))
            }
        }
        awaited.removeAll(keepingCapacity: true)
        sentBytes = 0
        settle(failure)
        if let failure { throw failure }
        return kept
    }

    /// Notes where the server says that the transaction stands.
    func settle(_ failure: SQLError?) {
        switch PQtransactionStatus(handle) {
        case PQTRANS_IDLE: transaction = .none
        case PQTRANS_INERROR:
            transaction = .failed(failure ?? SQLError(.other, "the transaction has failed"))
        default: transaction = .open
        }
    }

    private func skipped(_ item: Awaited) {
        switch item {
        case .preparation(let statement): statement.state = .new
        case .savepoint(let name, _): missingSavepoints.insert(name)
        case .release(let name): statements.abandoned.append(name)
        case .answer, .commit, .rollback, .sync: break
        }
    }

    private func succeeded(_ item: Awaited, _ result: PostgresResult, _ kept: inout [PostgresResult]) -> SQLError? {
        switch item {
        case .preparation(let statement): statement.state = .prepared
        case .savepoint(let name, _): missingSavepoints.remove(name)
        case .answer(_, _, _, isKept: true): kept.append(result)
        case .commit(let sql):
            // A transaction that failed unseen answers its commit with a rollback.
            if PQcmdStatus(result.pointer).map({ String(cString: $0) }) == "ROLLBACK" {
                return SQLError(.other, "the transaction had failed and was rolled back", statement: sql)
            }
        case .answer, .rollback, .release, .sync: break
        }
        return nil
    }

    private func failed(_ item: Awaited, _ result: PostgresResult) throws(SQLError) -> SQLError {
        let failure = PostgresFailure(result.pointer)
        let isCancelled = failure.sqlState == "57014" && canceller?.takeRequest() == true
        var error = failure.error(sql(of: item), isCancelled: isCancelled)
        if error.kind == .connectionLost { throw lost(error) }
        switch item {
        case .preparation(let statement):
            statement.state = .new
            statements.drop(statement)
        case .answer(_, let statement?, wasPrepared: true, _):
            // The tables changed under a kept statement, or the server forgot it: prepared again it works.
            if failure.sqlState == "0A000" {
                statements.drop(statement)
                error.kind = .serialization
            } else if failure.sqlState == "26000" {
                statements.forgetAll()
                error.kind = .serialization
            }
        case .savepoint(let name, _): missingSavepoints.insert(name)
        case .answer, .commit, .rollback, .release, .sync: break
        }
        return error
    }

    private func sql(of item: Awaited) -> String {
        switch item {
        case .preparation(let statement): statement.sql
        case .savepoint(_, let sql): sql
        case .answer(let sql, _, _, _), .commit(let sql), .rollback(let sql): sql
        case .release(let name): "DEALLOCATE \(name)"
        case .sync: ""
        }
    }
}
