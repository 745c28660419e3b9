import Synchronization

/// A request's body, handed over piece by piece to one reader. The sender is held up while the reader is busy.
package protocol HTTPBodyStream: Sendable {
    /// The next piece, never empty; `nil` when the body is whole.
    /// - Throws: ``HTTPBodyError`` when no more comes though the body is not whole.
    func next() async throws(HTTPBodyError) -> [UInt8]?
}

/// The sender went away, or was too slow, before the body was whole.
package struct HTTPBodyError: Error, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// A body that is there already.
package final class WholeBody: HTTPBodyStream {
    private let rest: Mutex<[UInt8]>

    package init(_ bytes: [UInt8]) { rest = Mutex(bytes) }

    package func next() async throws(HTTPBodyError) -> [UInt8]? {
        let bytes = rest.withLock { rest in
            defer { rest = [] }
            return rest
        }
        return bytes.isEmpty ? nil : bytes
    }
}
