import CPostgres
import Glibc
import SQLCore

extension PostgresPipeline {
    /// The next part of the server's answers; `nil` where one statement's end.
    func nextResult() throws(SQLError) -> PostgresResult? {
        guard let handle else { throw loss ?? SQLError(.misuse, "the connection is closed") }
        while true {
            let unsent = PQflush(handle)
            // What the server said before it hung up is read before the failure to send counts.
            if PQisBusy(handle) == 0 {
                let result = PQgetResult(handle).map { PostgresResult($0) }
                if let result, PQresultStatus(result.pointer) == PGRES_FATAL_ERROR { return result }
                guard PQstatus(handle) == CONNECTION_OK else { throw lost() }
                return result
            }
            let events = try wait(writing: unsent == 1, for: patience)
            guard events != 0 else { throw lost(SQLError(.connectionLost, "PostgreSQL sends no answer")) }
            guard PQconsumeInput(handle) == 1 || PQisBusy(handle) == 0 else { throw lost() }
        }
    }

    /// Waits until the network has something, or may take something.
    /// - Returns: What `poll` found; 0 when the time is over.
    func wait(writing: Bool, for time: Duration?) throws(SQLError) -> Int16 {
        let clock = ContinuousClock()
        let end = time.map { clock.now.advanced(by: $0) }
        while true {
            var descriptor = pollfd(
                fd: PQsocket(handle), events: Int16(POLLIN) | (writing ? Int16(POLLOUT) : 0), revents: 0)
            guard descriptor.fd >= 0 else { throw lost() }
            var milliseconds: Int32 = -1
            if let end {
                milliseconds = Int32(min(max(clock.now.duration(to: end) / .milliseconds(1), 0), 1e9).rounded(.up))
            }
            let count = poll(&descriptor, 1, milliseconds)
            if count > 0 { return descriptor.revents }
            if count == 0 { return 0 }
            guard errno == EINTR else { throw lost(SQLError(.connectionLost, "poll failed: \(errno)")) }
        }
    }

    /// Marks the connection as gone: every later call says so too.
    func lost(_ reason: SQLError? = nil) -> SQLError {
        if let loss { return loss }
        let error = reason ?? SQLError(.connectionLost, firstLine(PQerrorMessage(handle)))
        close()
        loss = error
        return error
    }

    /// Runs several statements at once, outside the pipeline, whose protocol takes them one by one. A migration may take
    /// any time, so the limit of a statement's time is lifted up to the end of the transaction.
    func script(_ sql: String) throws(SQLError) {
        _ = try usable(sql, .none)
        _ = try finish()
        let unlimited = "SET LOCAL statement_timeout = 0;\n" + sql
        guard let handle, PQexitPipelineMode(handle) == 1, PQsendQuery(handle, unlimited) == 1 else { throw lost() }
        var failure: SQLError?
        while let result = try scriptResult() {
            switch PQresultStatus(result.pointer) {
            case PGRES_FATAL_ERROR: break
            case PGRES_COPY_IN, PGRES_COPY_OUT: throw lost(SQLError(.misuse, "COPY is not supported", statement: sql))
            default: continue
            }
            let error = PostgresFailure(result.pointer).error(sql, isCancelled: canceller?.takeRequest() == true)
            if error.kind == .connectionLost { throw lost(error) }
            failure = failure ?? error
        }
        guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        settle(failure)
        if let failure { throw failure }
    }

    /// The next result of a script, which may take any time.
    private func scriptResult() throws(SQLError) -> PostgresResult? {
        guard let handle else { throw loss ?? SQLError(.misuse, "the connection is closed") }
        while true {
            let unsent = PQflush(handle)
            if PQisBusy(handle) == 0 { return PQgetResult(handle).map { PostgresResult($0) } }
            _ = try wait(writing: unsent == 1, for: nil)
            guard PQconsumeInput(handle) == 1 || PQisBusy(handle) == 0 else { throw lost() }
        }
    }
}
