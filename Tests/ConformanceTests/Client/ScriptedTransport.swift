import HTTPCore
import Synchronization

/// Answers each request from a script and keeps what was asked.
final class ScriptedTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) throws(HTTPTransportError) -> HTTPResponse

    private let state: Mutex<(requests: [HTTPRequest], answers: [Answer])>

    init(_ answers: [Answer]) { state = Mutex(([], answers)) }

    var requests: [HTTPRequest] { state.withLock { $0.requests } }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        let answer = state.withLock { state -> Answer? in
            state.requests.append(request)
            return state.answers.isEmpty ? nil : state.answers.removeFirst()
        }
        guard let answer else { throw HTTPTransportError(.unreachable, "the script has ended") }
        return try answer(request)
    }

    static func json(
        _ text: String, status: Int = 200, headers: HTTPHeaders = HTTPHeaders()
    ) -> Answer {
        { _ throws(HTTPTransportError) in HTTPResponse(status: status, headers: headers, body: [UInt8](text.utf8)) }
    }

    static func failure(_ code: HTTPTransportError.Code) -> Answer {
        { _ throws(HTTPTransportError) in throw HTTPTransportError(code, "scripted") }
    }
}
