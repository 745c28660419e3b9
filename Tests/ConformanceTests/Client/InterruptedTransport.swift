import HTTPCore
import Synchronization

/// Carries requests to a service, and lets something happen before or after one of them.
final class InterruptedTransport: HTTPTransport {
    enum Moment { case before, after }

    private struct Event {
        let text: String
        let moment: Moment
        var skipped: Int
        let isLost: Bool
        let run: @Sendable () async -> Void
    }

    private let base: any HTTPTransport
    private let event = Mutex<Event?>(nil)

    init(_ base: any HTTPTransport) { self.base = base }

    /// Runs `body` once, at the request whose target holds `text`.
    /// - Parameters:
    ///   - skipping: How many such requests pass before it.
    ///   - losing: Whether the request does not reach the service.
    func once(
        _ moment: Moment, _ text: String, skipping: Int = 0, losing: Bool = false,
        _ body: @escaping @Sendable () async -> Void
    ) {
        event.withLock { $0 = Event(text: text, moment: moment, skipped: skipping, isLost: losing, run: body) }
    }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        let due = event.withLock { event -> Event? in
            guard let next = event, request.target.contains(next.text) else { return nil }
            if next.skipped > 0 {
                event?.skipped -= 1
                return nil
            }
            event = nil
            return next
        }
        if let due, due.moment == .before { await due.run() }
        if due?.isLost == true { throw HTTPTransportError(.unreachable, "interrupted") }
        let answer = try await base.send(request, timeout: timeout)
        if let due, due.moment == .after { await due.run() }
        return answer
    }
}
