import HTTPCore
import Synchronization

/// Carries requests to a service, counts those that carry an asset's bytes, and can refuse them.
final class AssetTraffic: HTTPTransport {
    struct Counts: Equatable {
        var uploads = 0
        var downloads = 0
        /// Requests for URLs to upload to.
        var tokens = 0
    }

    private struct State {
        var counts = Counts()
        /// Answers to the next requests that carry bytes, in place of the service's.
        var answers: [HTTPResponse] = []
    }

    private let base: any HTTPTransport
    private let state = Mutex(State())

    init(_ base: any HTTPTransport) { self.base = base }

    /// What was counted since the last call.
    func take() -> Counts {
        state.withLock { state in
            defer { state.counts = Counts() }
            return state.counts
        }
    }

    func answerNext(_ status: Int, times: Int = 1, body: [UInt8] = []) {
        state.withLock { $0.answers += (0..<times).map { _ in HTTPResponse(status: status, body: body) } }
    }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        let isUpload = request.target.contains("/asset/1/upload/")
        let isDownload = request.target.contains("/asset/1/download/")
        let answer = state.withLock { state -> HTTPResponse? in
            if isUpload { state.counts.uploads += 1 }
            if isDownload { state.counts.downloads += 1 }
            if request.target.contains("/assets/upload?") { state.counts.tokens += 1 }
            return (isUpload || isDownload) && !state.answers.isEmpty ? state.answers.removeFirst() : nil
        }
        if let answer { return answer }
        return try await base.send(request, timeout: timeout)
    }
}
