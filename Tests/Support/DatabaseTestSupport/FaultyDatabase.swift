package import SQLCore
import Synchronization

/// A database whose connections fail one call, to see what the callers make of it.
///
/// Every `execute`, `query`, `post`, `insert`, `change`, `find` and `script` of every connection counts as one call, from 1 since the last
/// ``arm(_:)``. Inside a transaction a failure of whatever kind makes every later call fail too, as PostgreSQL does, until the
/// caller rolls back, to a savepoint or entirely. After `connectionLost` the connection is closed and stays so.
package final class FaultyDatabase: SQLDatabase {
    package struct Fault: Hashable, Sendable {
        package enum Moment: Hashable, CaseIterable, Sendable {
            /// The call does nothing.
            case before
            /// The call does its work, a COMMIT its own too, and only its answer is lost.
            case after
        }

        package var call: Int
        package var moment: Moment
        package var kind: SQLError.Kind

        package init(call: Int, _ moment: Moment, _ kind: SQLError.Kind) {
            self.call = call
            self.moment = moment
            self.kind = kind
        }
    }

    private struct State {
        var fault: Fault?
        var calls = 0
        var rows = 0
        var statements: [String] = []
        var statement: String?
    }

    private let base: any SQLDatabase
    private let state = Mutex(State())

    package let writers: Int

    /// - Parameters:
    ///   - base: The database that does the work. A private one in memory is gone with its connection, so it cannot lose
    ///     its connection and be found again.
    ///   - writers: Connections that write at once; `nil` for as many as `base` takes. Who compares the calls of two
    ///     writes wants one: each connection asks for the schema once, and which of several serves a write is chance.
    package init(_ base: any SQLDatabase, writers: Int? = nil) {
        self.base = base
        self.writers = writers ?? base.writers
    }

    /// Counts from 0 again and fails as told, once; `nil` only counts.
    package func arm(_ fault: Fault?) { state.withLock { $0 = State(fault: fault) } }

    /// The calls since the last ``arm(_:)``.
    package var calls: Int { state.withLock(\.calls) }

    /// The rows that were handed over or inserted in bulk since the last ``arm(_:)``.
    package var rows: Int { state.withLock(\.rows) }

    /// The statements since the last ``arm(_:)``.
    package var statements: [String] { state.withLock(\.statements) }

    func count(rows: Int) { state.withLock { $0.rows += rows } }

    /// The statement that was failed; `nil` while none was.
    package var failedStatement: String? { state.withLock(\.statement) }

    package var hasConcurrentReaders: Bool { base.hasConcurrentReaders }
    package var readers: Int { base.readers }

    package func connect() throws(SQLError) -> any SQLConnection { FaultyConnection(try base.connect(), self) }

    /// Counts a call.
    /// - Returns: The fault, if it is this call's.
    func fault(_ sql: String) -> Fault? {
        state.withLock { state in
            state.calls += 1
            state.statements.append(sql)
            guard let fault = state.fault, fault.call == state.calls else { return nil }
            state.fault = nil
            state.statement = sql
            return fault
        }
    }
}
