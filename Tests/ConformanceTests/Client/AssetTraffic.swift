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
        /// Called with the bytes of an upload that have been sent, before more are.
        var afterPart: (@Sendable (Int64) -> Void)?
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

    /// In process nothing more of an upload is sent while `wait` runs; over sockets it goes on.
    func afterEachPart(_ wait: @escaping @Sendable (Int64) -> Void) { state.withLock { $0.afterPart = wait } }

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
        guard let upload = request.upload, let wait = state.withLock({ $0.afterPart }) else {
            return try await base.send(request, timeout: timeout)
        }
        var held = request
        held.upload = HTTPUpload(path: upload.path, size: upload.size) { sent in
            upload.progress(sent)
            wait(sent)
        }
        return try await base.send(held, timeout: timeout)
    }
}
