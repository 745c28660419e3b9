package import HTTPCore
import Synchronization

/// HTTP/1.1 by libcurl.
///
/// It keeps no cookies and follows redirects, never from https to http. Proxies are those of the environment's `http_proxy`,
/// `https_proxy`, `all_proxy` and `no_proxy`, but none stands before this machine itself. Connections are kept, at most
/// ``keptConnections``, and end with this object. A request other than GET and HEAD is sent once: libcurl's
/// own second attempt, on a connection that was lost before an answer, could carry it out twice.
package final class CurlTransport: HTTPTransport {
    /// Requests beyond wait for a connection. Requests that are parked for long, as those for pushes are, have one each: the limit is
    /// far from what an app needs, and keeps one that asks for thousands at once from all of its descriptors.
    package static let connectionsPerHost = 256
    /// Connections and handles that wait for the next request.
    package static let keptConnections = 16

    private let loop = Mutex<CurlLoop?>(nil)

    package init() {}

    // Nobody waits for an answer any more: who does has this object.
    deinit { loop.withLock { $0 }?.finish() }

    package func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        guard let authority = request.address?.authority else {
            throw HTTPTransportError(.invalidURL, "'\(request.target)' is not an absolute URL")
        }
        guard let loop = running() else {
            throw HTTPTransportError(.unreachable, "the system has no thread or file descriptor left for a request")
        }
        let transfer = Transfer(request, authority: authority, timeout: timeout)
        let result = await withTaskCancellationHandler {
            loop.begin(transfer)
            return await transfer.result()
        } onCancel: {
            loop.cancel(transfer)
        }
        return try result.get()
    }

    /// The loop, started by the first request.
    private func running() -> CurlLoop? {
        loop.withLock { loop in
            if loop == nil { loop = CurlLoop.start() }
            return loop
        }
    }
}
