package import CloudCore
import CloudWire
package import HTTPCore

/// Reads an answer that is not a success.
package enum Refusal {
    package static func error(of response: HTTPResponse) -> CloudError {
        if let body = try? ErrorBody.decode(response.body) {
            var error = body.error
            if error.retryAfter == nil, let header = response.headers["Retry-After"] {
                error.retryAfter = Double(header)
            }
            return error
        }
        let reason = "the service answered with status \(response.status) and no reason"
        let code = ServerErrorCode.allCases.first { $0.httpStatus == response.status }
        let retryAfter = response.headers["Retry-After"].flatMap { Double($0) }
        switch response.status {
        case 502, 503, 504: return CloudError(.tryAgainLater, reason, retryAfter: retryAfter)
        default: return CloudError(code ?? .internalError, reason, retryAfter: retryAfter)
        }
    }

    /// An answer that the protocol does not allow.
    static func unreadable(_ error: WireError, of path: String) -> CloudError {
        CloudError(.internalError, "the service's answer to \(path) cannot be read: \(error.reason)")
    }
}
