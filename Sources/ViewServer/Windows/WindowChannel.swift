import HTTPCore
import Synchronization
import ViewGraph

/// A window's way to its browser tab: the stream, if there is one, and the last messages for a tab that comes back.
///
/// It can be used from any thread, so a stream begins, is superseded and is missed while the app's own thread is busy.
final class WindowChannel: Sendable {
    static let keptMessages = 32
    static let keptBytes = 1 << 20
    /// Events that wait for the app at most.
    static let eventLimit = 1000

    let identifier: String
    /// Tells this window from an earlier one of the same tab: numbers of elements and messages are of no use to another.
    let life: String

    private struct State {
        var stream: HTTPLiveBody?
        var revision = 0
        var kept: [(revision: Int, message: [UInt8])] = []
        var keptBytes = 0
        var aloneSince: Int
        var waiting = 0
        var received = 0
    }

    private let state: Mutex<State>

    init(_ identifier: String, life: String, now: Int) {
        self.identifier = identifier
        self.life = life
        state = Mutex(State(aloneSince: now))
    }

    // MARK: - Messages

    private func name(_ revision: Int) -> String { "\(life)-\(revision)" }

    /// Sends a message with the next number, and keeps it.
    func publish(_ body: [UInt8]) {
        let number = state.withLock { state in
            state.revision += 1
            return state.revision
        }
        let message = MessageWriter.event(name(number), body)
        let stream = state.withLock { state in
            state.kept.append((number, message))
            state.keptBytes += message.count
            while state.kept.count > Self.keptMessages || state.keptBytes > Self.keptBytes {
                state.keptBytes -= state.kept.removeFirst().message.count
            }
            return state.stream
        }
        stream?.send(message)
    }

    /// What a tab that has seen the message `last` must be told; `nil` if that is too long ago, or of another window.
    private func missed(since last: Substring?) -> [UInt8]? {
        guard let last, last.hasPrefix("\(life)-"), let seen = Int(last.dropFirst(life.count + 1)) else { return nil }
        return state.withLock { state in
            guard seen <= state.revision, seen + 1 >= state.kept.first?.revision ?? state.revision + 1 else {
                return nil
            }
            return Array(state.kept.drop { $0.revision <= seen }.map(\.message).joined())
        }
    }

    /// Makes the stream the window's one. Called where nothing is published meanwhile.
    func attach(
        _ stream: HTTPLiveBody, since last: Substring?, snapshot: (_ received: Int) -> [UInt8]
    ) {
        let (older, revision, received) = state.withLock { state in
            defer { state.stream = stream }
            return (state.stream, state.revision, state.received)
        }
        // Another tab took the name over; it would fight for it if it were only cut off.
        if let older, older !== stream {
            older.send(Array("event: moved\ndata:\n\n".utf8))
            older.end()
        }
        stream.send(missed(since: last) ?? MessageWriter.event(name(revision), snapshot(received)))
    }

    func detach(_ stream: HTTPLiveBody, at now: Int) {
        state.withLock { state in
            guard state.stream === stream else { return }
            state.stream = nil
            state.aloneSince = now
        }
    }

    /// A stream is on its way: the window has company from now on.
    func expect(at now: Int) { state.withLock { $0.aloneSince = now } }

    func isAlone(since time: Int) -> Bool { state.withLock { $0.stream == nil && $0.aloneSince <= time } }

    func close() {
        state.withLock { state in
            defer { state.stream = nil }
            return state.stream
        }?.end()
    }

    // MARK: - Events

    /// Takes events that have not come before: a browser that got no answer sends them again.
    /// - Returns: The new ones; `nil` when too many wait.
    func receive(_ events: [WindowEvent]) -> [WindowEvent]? {
        state.withLock { state in
            let new = events.filter { $0.number == 0 || $0.number > state.received }
            guard state.waiting + new.count <= Self.eventLimit else { return nil }
            state.waiting += new.count
            state.received = max(state.received, new.map(\.number).max() ?? 0)
            return new
        }
    }

    func handledOne() { state.withLock { $0.waiting -= 1 } }
}
