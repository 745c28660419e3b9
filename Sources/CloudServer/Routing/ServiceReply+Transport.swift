import CloudCore
package import HTTPCore

extension CloudService {
    /// The answer of the HTTP layer itself, such as a body over the limit, in the protocol's form.
    package static func transportFailure(status: Int, reason: String) -> HTTPResponse {
        let error =
            status == 503
            ? CloudError(.tryAgainLater, reason, nativeCode: 6, retryAfter: 1)
            : CloudError(.badRequest, reason, nativeCode: status == 413 ? 27 : 12)
        var response = ServiceReply.failure(error, uuid: UniqueID.make())
        response.status = status
        return response
    }
}
