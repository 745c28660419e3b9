import HTTPCore
import Synchronization

/// Stands before a service and holds requests back until it is opened or their clients leave.
package final class RequestGate: Sendable {
    private struct State {
        /// What the targets of the requests that are held back contain.
        var text: String?
        var held: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Requests that are held back now.
    package var held: Int { state.withLock { $0.held.count } }

    package func close(for text: String) { state.withLock { $0.text = text } }

    package func open() {
        let waiting = state.withLock { state in
            defer { state = State(last: state.last) }
            return state.held.values
        }
        for waiter in waiting { waiter.resume() }
    }

    fileprivate func pass(_ request: HTTPRequest) async {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let isFree = state.withLock { state in
                    guard let text = state.text, request.target.contains(text), !Task.isCancelled else { return true }
                    state.held[number] = waiter
                    return false
                }
                if isFree { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.held.removeValue(forKey: number) }?.resume()
        }
    }
}

/// A service behind a gate.
struct GatedResponder: HTTPResponder {
    let gate: RequestGate
    let service: any HTTPResponder

    func streamsBody(of head: HTTPRequest) -> Bool { service.streamsBody(of: head) }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        await gate.pass(request)
        return await service.respond(to: request)
    }
}
