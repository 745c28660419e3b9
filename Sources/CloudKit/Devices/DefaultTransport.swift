import HTTPCore

/// Says that no transport is there yet.
struct URLSessionTransport: HTTPTransport {
    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        throw HTTPTransportError(.unreachable, "the network transport is not part of this build")
    }
}
