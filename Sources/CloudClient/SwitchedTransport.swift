package import HTTPCore
import Synchronization

/// A transport that can be cut off, as a device's network can.
package final class SwitchedTransport: HTTPTransport {
    private struct State {
        var isOffline = false
        var running: [Int: Task<HTTPResponse, any Error>] = [:]
        var last = 0
    }

    private let base: any HTTPTransport
    private let state = Mutex(State())

    package init(_ base: any HTTPTransport) { self.base = base }

    /// While it is on, nothing reaches the service. Turning it on ends what is under way.
    package var isOffline: Bool {
        get { state.withLock(\.isOffline) }
        set {
            let ended = state.withLock { state in
                state.isOffline = newValue
                return newValue ? Array(state.running.values) : []
            }
            for task in ended { task.cancel() }
        }
    }

    package func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        let (number, task) = try begin(request, timeout)
        defer { state.withLock { _ = $0.running.removeValue(forKey: number) } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch let error as HTTPTransportError {
            // What the switch ended was not given up by the caller: the request may have been carried out.
            if error.code == .cancelled, !Task.isCancelled {
                throw HTTPTransportError(.connectionLost, "the device went offline")
            }
            throw error
        } catch {
            throw HTTPTransportError(.cancelled, "cancelled")
        }
    }

    private func begin(
        _ request: HTTPRequest, _ timeout: Duration
    ) throws(HTTPTransportError) -> (Int, Task<HTTPResponse, any Error>) {
        let begun = state.withLock { state -> (Int, Task<HTTPResponse, any Error>)? in
            guard !state.isOffline else { return nil }
            state.last += 1
            let task = Task { [base] in try await base.send(request, timeout: timeout) }
            state.running[state.last] = task
            return (state.last, task)
        }
        guard let begun else { throw HTTPTransportError(.unreachable, "the device is offline") }
        return begun
    }
}
