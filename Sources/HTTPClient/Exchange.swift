import Foundation
import FoundationNetworking
import HTTPCore
import Synchronization

/// One request on its way. It ends once: by its answer, its time-out or the cancelling of the task that waits for it.
///
/// Two faults of `URLSession` on Linux shape this class. `URLSession.data(for:)` deadlocks when its task is cancelled
/// while the answer comes. And `URLSessionTask.cancel()` traps when the task completes between its own check and the
/// work that it posts. A task completes on the session's delegate queue only, which is serial: so a cancel that runs
/// there comes wholly before the completion, whose clean-up is then posted behind it, or wholly after, and does nothing.
final class Exchange: Sendable {
    typealias Answer = (Data, URLResponse)

    private struct State {
        var waiter: CheckedContinuation<Answer, any Error>?
        var task: URLSessionDataTask?
        var timer: Task<Void, any Error>?
        /// When something of the request last got away.
        var lastSign: ContinuousClock.Instant?
        var isOver = false
        /// Why it is over, be it before anybody waited.
        var failure: (any Error)?
    }

    private let sessions: URLSessions
    private let state = Mutex(State())

    init(_ sessions: URLSessions) {
        self.sessions = sessions
    }

    /// - Parameters:
    ///   - upload: What is sent as the body, if it is a file.
    ///   - timeout: Longest wait for the whole answer; of an upload, longest time without a byte that gets away.
    /// - Throws: `CancellationError`, `URLError`, or an ``HTTPTransportError`` for the time-out.
    func answer(
        to request: URLRequest, sending upload: HTTPUpload? = nil, within timeout: Duration
    ) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                start(request, upload, timeout, waiter)
            }
        } onCancel: {
            abandon(CancellationError())
        }
    }

    private func start(
        _ request: URLRequest, _ upload: HTTPUpload?, _ timeout: Duration,
        _ waiter: CheckedContinuation<Answer, any Error>
    ) {
        let task = makeTask(request, upload)
        let timer = Task { [self] in
            var left = timeout
            while left > .zero {
                try await Task.sleep(for: left)
                let last = state.withLock { $0.lastSign }
                left = last.map { $0 + timeout - ContinuousClock.now } ?? .zero
            }
            abandon(HTTPTransportError(.timedOut, "\(request.url?.host ?? ""): no answer within \(timeout)"))
        }
        let early = state.withLock { state -> (any Error)? in
            if state.isOver { return state.failure ?? CancellationError() }
            state.waiter = waiter
            state.task = task
            state.timer = timer
            return nil
        }
        if let early {
            timer.cancel()
            cancel(task)
            return waiter.resume(throwing: early)
        }
        task.resume()
    }

    private func makeTask(_ request: URLRequest, _ upload: HTTPUpload?) -> URLSessionDataTask {
        let completion: @Sendable (Data?, URLResponse?, (any Error)?) -> Void = { [self] data, response, error in
            if let response, error == nil {
                end(.success((data ?? Data(), response)))
            } else {
                end(.failure(error ?? URLError(.badServerResponse)))
            }
        }
        guard let upload else { return sessions.plain.dataTask(with: request, completionHandler: completion) }
        return sessions.uploadTask(with: request, upload) { [self] sent in
            state.withLock { $0.lastSign = .now }
            upload.progress(sent)
        } completion: {
            completion($0, $1, $2)
        }
    }

    /// Ends the wait now and takes the request back.
    private func abandon(_ error: any Error) {
        if let task = end(.failure(error)) { cancel(task) }
    }

    private func cancel(_ task: URLSessionDataTask) {
        sessions.queue.addOperation { task.cancel() }
    }

    /// Tells the waiter, the first time. Returns the task it waited for.
    @discardableResult
    private func end(_ result: Result<Answer, any Error>) -> URLSessionDataTask? {
        var failure: (any Error)?
        if case .failure(let error) = result { failure = error }
        let last = state.withLock { [failure] state in
            defer { if !state.isOver { state = State(isOver: true, failure: failure) } }
            return state
        }
        last.timer?.cancel()
        last.waiter?.resume(with: result)
        return last.task
    }
}
