import CloudCore
import CloudWire
import HTTPCore
import SQLCore

/// Makes answers: headers that every one has, error bodies, what is told and what only logged.
enum ServiceReply {
    static let exposedHeaders =
        "X-Apple-Request-UUID,X-Apple-CloudKit-Web-Auth-Token,X-Apple-CloudKit-Session,X-Responding-Instance,"
        + "X-Cumulet-Push-Sequence,Retry-After,Via"

    static func json(_ body: [UInt8], status: Int = 200, uuid: String) -> HTTPResponse {
        var headers = common(uuid)
        headers.append("Content-Type", "application/json; charset=UTF-8")
        return HTTPResponse(status: status, headers: headers, body: body)
    }

    /// The headers of an asset's content, which browsers must neither guess the type of nor run.
    static func assetHeaders(uuid: String) -> HTTPHeaders {
        var headers = common(uuid)
        headers["Cache-Control"] = "private, no-cache"
        headers["Access-Control-Expose-Headers"] = exposedHeaders + ",ETag,Accept-Ranges,Content-Range"
        headers.append("Content-Type", "application/octet-stream")
        headers.append("Content-Disposition", "attachment")
        headers.append("X-Content-Type-Options", "nosniff")
        headers.append("Content-Security-Policy", "default-src 'none'; sandbox")
        return headers
    }

    static func empty(uuid: String) -> HTTPResponse { HTTPResponse(status: 200, headers: common(uuid)) }

    static func failure(_ error: CloudError, uuid: String) -> HTTPResponse {
        var error = error
        if error.isTemporary { error.retryAfter = error.retryAfter ?? 1 }
        var response = json(ErrorBody(error, uuid: uuid).encode(), status: error.code.httpStatus, uuid: uuid)
        response.headers.advise(error)
        return response
    }

    /// The answer to a browser that asks first.
    static func options(uuid: String) -> HTTPResponse {
        var response = empty(uuid: uuid)
        response.headers.append("Allow", "GET, POST, PUT, DELETE")
        response.headers.append("Access-Control-Allow-Methods", "GET, POST, OPTIONS")
        response.headers.append(
            "Access-Control-Allow-Headers",
            "*, Content-Type, X-Apple-CloudKit-Request-KeyID, X-Apple-CloudKit-Request-ISO8601Date, "
                + "X-Apple-CloudKit-Request-SignatureV1")
        response.headers.append("Access-Control-Max-Age", "86400")
        return response
    }

    static func wrongMethod(allowed: [String], uuid: String) -> HTTPResponse {
        let error = CloudError(
            .badRequest, "method not allowed; allowed: \(allowed.joined(separator: ", "))", nativeCode: 12)
        var response = json(ErrorBody(error, uuid: uuid).encode(), status: 405, uuid: uuid)
        response.headers.append("Allow", (allowed + ["OPTIONS"]).joined(separator: ", "))
        return response
    }

    private static func common(_ uuid: String) -> HTTPHeaders {
        [
            "X-Apple-Request-UUID": uuid, "X-Apple-CloudKit-Version": "1.0", "Cache-Control": "no-store",
            "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": exposedHeaders,
        ]
    }
}

extension CloudError {
    /// Whether the same request may succeed later, with nothing changed.
    fileprivate var isTemporary: Bool { code == .throttled || code == .tryAgainLater }
}

extension HTTPHeaders {
    /// Says when to try again, where the error is one that passes: every answer that tells an error, in whatever form, goes
    /// through here.
    mutating func advise(_ error: CloudError) {
        guard error.isTemporary else { return }
        append("Retry-After", String(Int(min(max(error.retryAfter ?? 1, 0), 86_400).rounded(.up))))
    }
}

/// A failure as a stranger may read it, and what the operator may read besides.
struct Refusal {
    var error: CloudError
    var detail: String?
    /// The status where the code does not tell it.
    var status: Int?

    init(_ error: any Error) {
        switch error {
        case let refusal as StatusRefusal:
            self.error = refusal.error
            status = refusal.status
        case let error as CloudError: self.error = error
        case let error as WireError: self.error = error.cloudError
        case let error as SQLError:
            detail = "\(error.kind): \(error.message)"
            switch error.kind {
            case .full:
                self.error = CloudError(.tryAgainLater, "the service's disk is full", nativeCode: 6, retryAfter: 60)
            case .connectionLost:
                self.error = CloudError(
                    .tryAgainLater, "the service's database cannot be reached", nativeCode: 6, retryAfter: 5)
            case .busy, .interrupted, .serialization, .timeout:
                self.error = CloudError(.tryAgainLater, "the service's database is busy", nativeCode: 6, retryAfter: 1)
            case .unstorableText:
                self.error = CloudError(
                    .badRequest, "a name or address in the request has the character U+0000, which none can have",
                    nativeCode: 12)
            default: self.error = CloudError(.internalError, "internal error", nativeCode: 1)
            }
        case is CancellationError:
            self.error = CloudError(.tryAgainLater, "the request was cancelled", nativeCode: 6, retryAfter: 1)
        default:
            detail = String(describing: error)
            self.error = CloudError(.internalError, "internal error", nativeCode: 1)
        }
    }
}
