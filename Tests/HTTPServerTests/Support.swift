import HTTPCore
import Synchronization

/// Echoes bodies; `/park` answers when released.
final class EchoResponder: HTTPResponder {
    let parked = Mutex<[CheckedContinuation<Void, Never>]>([])
    let arrivals = AsyncStream<Void>.makeStream()

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        if request.target.hasPrefix("/park") {
            await withCheckedContinuation { waiter in
                parked.withLock { $0.append(waiter) }
                arrivals.continuation.yield()
            }
        }
        return HTTPResponse(
            status: 200,
            headers: [
                "X-Method": request.method, "X-Target": request.target, "X-Seen": request.headers["X-Sent"] ?? "none",
            ],
            body: request.body)
    }

    func release() {
        let waiters = parked.withLock { parked in
            defer { parked = [] }
            return parked
        }
        for waiter in waiters { waiter.resume() }
    }
}
