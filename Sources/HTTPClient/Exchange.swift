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
        var isOver = false
        /// Why it is over, be it before anybody waited.
        var failure: (any Error)?
    }

    private let session: URLSession
    private let state = Mutex(State())

    init(_ session: URLSession) {
        self.session = session
    }

    /// - Parameter timeout: Longest wait for the whole answer.
    /// - Throws: `CancellationError`, `URLError`, or an ``HTTPTransportError`` for the time-out.
    func answer(to request: URLRequest, within timeout: Duration) async throws -> Answer {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                start(request, timeout, waiter)
            }
        } onCancel: {
            abandon(CancellationError())
        }
    }

    private func start(
        _ request: URLRequest, _ timeout: Duration, _ waiter: CheckedContinuation<Answer, any Error>
    ) {
        let task = session.dataTask(with: request) { [self] data, response, error in
            if let response, error == nil {
                end(.success((data ?? Data(), response)))
            } else {
                end(.failure(error ?? URLError(.badServerResponse)))
            }
        }
        let timer = Task { [self] in
            try await Task.sleep(for: timeout)
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

    /// Ends the wait now and takes the request back.
    private func abandon(_ error: any Error) {
        if let task = end(.failure(error)) { cancel(task) }
    }

    private func cancel(_ task: URLSessionDataTask) {
        session.delegateQueue.addOperation { task.cancel() }
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
