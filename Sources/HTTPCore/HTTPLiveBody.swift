import Synchronization

/// The body of an answer that goes on: who has it adds bytes, from any thread, until one of both sides ends it.
///
/// It belongs to one connection. When that is over the body is over, under its lock, so nothing that is sent late can come to
/// another connection that got the same descriptor.
package final class HTTPLiveBody: Sendable {
    /// What there is to send.
    package enum Piece: Equatable {
        case bytes(Int)
        /// Nothing now; ``carry(wake:)``'s closure is called when there is something.
        case nothing
        /// All was sent and no more comes.
        case end
        /// Nobody is to get any more: the reader was too slow, or left.
        case gone
    }

    private struct State {
        var bytes: [UInt8] = []
        /// How many of them were sent.
        var sent = 0
        var isEnded = false
        var isGone = false
        var wake: (@Sendable () -> Void)?
        var leaving: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())
    private let limit: Int
    private let beat: [UInt8]

    /// - Parameters:
    ///   - limit: Bytes that wait for a slow reader at most. With more the body is over, and the connection is ended.
    ///   - beat: What the server sends now and then when there is nothing else, so that a peer that is dead is found out.
    package init(limit: Int = 1 << 20, beat: [UInt8] = []) {
        self.limit = limit
        self.beat = beat
    }

    /// Adds bytes.
    /// - Returns: `false` when they reach nobody.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        let (isTaken, calls) = state.withLock { state -> (Bool, [@Sendable () -> Void]) in
            guard !state.isGone, !state.isEnded else { return (false, []) }
            guard state.bytes.count - state.sent + bytes.count <= limit else { return (false, Self.leave(&state)) }
            state.bytes.removeFirst(state.sent)
            state.sent = 0
            state.bytes += bytes
            return (true, state.wake.map { [$0] } ?? [])
        }
        for call in calls { call() }
        return isTaken
    }

    /// Ends the body after what was added.
    package func end() {
        let wake = state.withLock { state in
            state.isEnded = true
            return state.wake
        }
        wake?()
    }

    /// Calls `body` when the connection is over, once, on any thread; now, if it is over already.
    package func whenOver(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if !state.isGone { state.leaving.append(body) }
            return state.isGone
        }
        if isOver { body() }
    }

    /// Whether the connection is over.
    package var isOver: Bool { state.withLock(\.isGone) }

    // MARK: - For the server

    /// - Parameter wake: Called, on any thread, when ``take(into:)`` has something to say again.
    package func carry(wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Moves bytes to where they are sent from.
    package func take(into buffer: UnsafeMutableRawBufferPointer) -> Piece {
        state.withLock { state in
            if state.isGone { return .gone }
            guard !state.bytes.isEmpty else { return state.isEnded ? .end : .nothing }
            let count = min(buffer.count, state.bytes.count - state.sent)
            let part = state.sent..<(state.sent + count)
            state.bytes.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part])) }
            state.sent += count
            // A window's first message is large, and the stream stays open for hours: it must not stay as large.
            if state.sent == state.bytes.count { (state.bytes, state.sent) = ([], 0) }
            return .bytes(count)
        }
    }

    /// Adds what says that the connection lives, where nothing else waits.
    package func keepAlive() {
        let isIdle = state.withLock { $0.bytes.isEmpty && !$0.isGone && !$0.isEnded }
        if isIdle, !beat.isEmpty { send(beat) }
    }

    /// The connection is over.
    package func drop() {
        for call in state.withLock({ Self.leave(&$0) }) { call() }
    }

    /// What is to be called after the lock is left: the server first.
    private static func leave(_ state: inout State) -> [@Sendable () -> Void] {
        guard !state.isGone else { return [] }
        defer {
            state.isGone = true
            state.bytes = []
            state.leaving = []
            state.wake = nil
        }
        return (state.wake.map { [$0] } ?? []) + state.leaving
    }
}
