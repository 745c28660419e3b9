/// The fourteen codes that may appear on the wire.
package enum ServerErrorCode: String, Hashable, Sendable, CaseIterable {
    case accessDenied = "ACCESS_DENIED"
    case atomicError = "ATOMIC_ERROR"
    case authenticationFailed = "AUTHENTICATION_FAILED"
    case authenticationRequired = "AUTHENTICATION_REQUIRED"
    case badRequest = "BAD_REQUEST"
    case conflict = "CONFLICT"
    case exists = "EXISTS"
    case internalError = "INTERNAL_ERROR"
    case notFound = "NOT_FOUND"
    case quotaExceeded = "QUOTA_EXCEEDED"
    case throttled = "THROTTLED"
    case tryAgainLater = "TRY_AGAIN_LATER"
    case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
    case zoneNotFound = "ZONE_NOT_FOUND"

    /// The HTTP status of an answer that fails as a whole with this code.
    package var httpStatus: Int {
        switch self {
        case .badRequest, .atomicError: 400
        case .authenticationFailed: 401
        case .accessDenied: 403
        case .notFound, .zoneNotFound: 404
        case .conflict, .exists: 409
        case .validatingReferenceError: 412
        case .quotaExceeded: 413
        case .authenticationRequired: 421
        case .throttled: 429
        case .internalError: 500
        case .tryAgainLater: 503
        }
    }
}

/// A refusal or failure of the service, of a whole request or of one item.
package struct CloudError: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: ServerErrorCode
    /// For people: names the field, type, token or limit at fault.
    package var reason: String
    /// The native `CKError` code where `code` alone does not tell it; our addition to the wire (`ckErrorCode`).
    package var nativeCode: Int?
    /// Seconds to wait before trying again; `nil` means do not retry.
    package var retryAfter: Double?
    /// The sign-in page, with `authenticationRequired`.
    package var redirectURL: String?
    /// The server's record, with `conflict` and `exists`; our addition to the wire (`serverRecord`).
    @Apart package var serverRecord: Record?

    package init(
        _ code: ServerErrorCode, _ reason: String, nativeCode: Int? = nil, retryAfter: Double? = nil,
        redirectURL: String? = nil, serverRecord: Record? = nil
    ) {
        self.code = code
        self.reason = reason
        self.nativeCode = nativeCode
        self.retryAfter = retryAfter
        self.redirectURL = redirectURL
        self.serverRecord = serverRecord
    }

    package var description: String { "\(code.rawValue): \(reason)" }
}
