package import CloudCore

/// A body that is not what the protocol asks for.
package struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For people: names the key path and what is wrong with it.
    package var reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { reason }

    /// The refusal to answer with.
    package var cloudError: CloudError { CloudError(.badRequest, reason, nativeCode: 12) }
}

/// An error at the level of a whole request.
package struct ErrorBody: Hashable, Sendable {
    package var error: CloudError
    /// Equal to the answer's `X-Apple-Request-UUID`.
    package var uuid: String

    package init(_ error: CloudError, uuid: String) {
        self.error = error
        self.uuid = uuid
    }
}
