import HTTPCore
import Synchronization

/// Carries requests to a service and loses what it is told to lose.
final class FaultyTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let replyLost = Mutex<String?>(nil)

    init(_ base: any HTTPTransport) { self.base = base }

    /// Loses the reply to the next request whose target holds `text`; the service carries the request out.
    func loseReply(to text: String) { replyLost.withLock { $0 = text } }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        let answer = try await base.send(request, timeout: timeout)
        let isLost = replyLost.withLock { text in
            guard let wanted = text, request.target.contains(wanted) else { return false }
            text = nil
            return true
        }
        if isLost { throw HTTPTransportError(.connectionLost, "the reply was lost") }
        return answer
    }
}
