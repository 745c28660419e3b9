import CPostgres
import Synchronization

/// Stops what a connection is running, from any thread.
///
/// A request that arrives when the statement has ended may hit the connection's next one.
package final class PostgresCanceller: @unchecked Sendable {
    // Unchecked because of the pointer alone: libpq never changes what it points at and lets any thread use it, and it is
    // freed with the last reference.
    private let pointer: OpaquePointer
    private let isRequested = Mutex(false)

    init?(_ handle: OpaquePointer) {
        guard let pointer = PQgetCancel(handle) else { return nil }
        self.pointer = pointer
    }

    deinit { PQfreeCancel(pointer) }

    /// Asks the server, over a connection of its own, to end the running statement with an error of kind `interrupted`.
    /// - Returns: Whether the request was delivered.
    package func cancel() -> Bool {
        isRequested.withLock { $0 = true }
        var reason = [CChar](repeating: 0, count: 256)
        return PQcancel(pointer, &reason, Int32(reason.count)) == 1
    }

    /// Whether a cancellation was asked for since the last call.
    func takeRequest() -> Bool {
        isRequested.withLock { requested in
            defer { requested = false }
            return requested
        }
    }
}
