import CMicroHTTPD
import Glibc
import HTTPCore
import Synchronization

/// A body on its way from the loop's thread to the one task that reads it.
final class StreamedBody: HTTPBodyStream {
    private struct State {
        var bytes: [UInt8] = []
        var isWanted = false
        var isEnded = false
        var failure: String?
        var reader: CheckedContinuation<Void, Never>?

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader
        }
    }

    /// Bytes that are worth a change of thread, unless they are the last.
    private let piece: Int
    private let capacity: Int
    private let state = Mutex(State())
    /// Tells the loop that the reader wants more; from any thread.
    private let wants: @Sendable () -> Void

    init(capacity: Int, wants: @escaping @Sendable () -> Void) {
        self.capacity = capacity
        piece = max(1, capacity / 2)
        self.wants = wants
    }

    /// Whether the reader has asked for the body at all.
    var isWanted: Bool { state.withLock { $0.isWanted } }

    /// Takes as many bytes as there is room for.
    /// - Returns: Their number, and whether there is room for more.
    func offer(_ data: UnsafePointer<CChar>?, _ size: Int) -> (taken: Int, hasRoom: Bool) {
        let (taken, hasRoom, reader) = state.withLock { state in
            let taken = min(size, capacity - state.bytes.count)
            if state.bytes.isEmpty { state.bytes.reserveCapacity(capacity) }
            state.bytes.append(contentsOf: UnsafeRawBufferPointer(start: data, count: taken))
            return (taken, state.bytes.count < capacity, state.bytes.count >= piece ? state.takeReader() : nil)
        }
        reader?.resume()
        return (taken, hasRoom)
    }

    func end() {
        state.withLock { state in
            state.isEnded = true
            return state.takeReader()
        }?.resume()
    }

    /// Nothing more comes. No change when the body is whole.
    func fail(_ reason: String) {
        state.withLock { state in
            if !state.isEnded { state.failure = reason }
            return state.takeReader()
        }?.resume()
    }

    func next() async throws(HTTPBodyError) -> [UInt8]? {
        await withCheckedContinuation { reader in
            let isReady = state.withLock { state in
                state.isWanted = true
                if state.isEnded || state.failure != nil || state.bytes.count >= piece { return true }
                state.reader = reader
                return false
            }
            if isReady { reader.resume() } else { wants() }
        }
        let (bytes, failure) = state.withLock { state in
            defer { state.bytes = [] }
            return (state.bytes, state.failure)
        }
        if let failure { throw HTTPBodyError(failure) }
        wants()
        return bytes.isEmpty ? nil : bytes
    }
}

// What libmicrohttpd's access calls mean for a request whose body is streamed: first with the head, perhaps several times
// while the responder makes up its mind; then with the body; then once more at the end.
extension Exchange {
    /// Starts the responder before the body has come, so that a refusal spares the client sending it.
    func beginStream(_ head: HTTPRequest) -> MHD_Result {
        let loop = connection.loop
        let configuration = loop.configuration
        if loop.isClosed { return queue(configuration.errorBody(503, "the service is stopping"), closing: true) }
        // Weak: the exchange has the stream.
        let stream = StreamedBody(capacity: configuration.streamBufferBytes) { [weak self] in
            guard let exchange = self else { return }
            exchange.connection.loop.perform { exchange.resumeBody() }
        }
        self.stream = stream
        isAtHead = true
        streamStart = EventLoop.now()
        var request = head
        request.stream = stream
        run(request)
        return waitForReader(stream)
    }

    /// One access call after the first.
    func take(_ data: UnsafePointer<CChar>?, _ size: UnsafeMutablePointer<Int>, into stream: StreamedBody) -> MHD_Result
    {
        if isAtHead { return waitForReader(stream) }
        if size.pointee > 0 {
            guard response == nil else { return drop(size) }
            let (taken, hasRoom) = stream.offer(data, size.pointee)
            received += taken
            size.pointee -= taken
            renewDeadline()
            if !hasRoom { holdUp() }
            return .YES
        }
        isWhole = true
        connection.deadline = nil
        stream.end()
        if let response { return queue(response) }
        suspend()
        return .YES
    }

    /// Lets the body come once the responder asks for it. The answer of one that does not is sent at once only to a client
    /// that waits to be asked for the body: another is sending it, and would lose an answer that ends the connection.
    private func waitForReader(_ stream: StreamedBody) -> MHD_Result {
        if response == nil, stream.isWanted, !reserve() {
            // The reader finds that the body has ended; this answer counts, not his.
            response = connection.loop.configuration.errorBody(
                503, "too many large requests are under way; try again")
            stream.fail("there is no room for it")
        }
        if let response, headers["Expect"] != nil { return queue(response, closing: true) }
        if stream.isWanted || response != nil {
            isAtHead = false
            renewDeadline()
        } else {
            holdUp()
        }
        return .YES
    }

    /// Takes room for a body that somebody wants: one that nobody has asked for yet costs others nothing.
    private func reserve() -> Bool {
        let loop = connection.loop
        let size = loop.configuration.streamBufferBytes
        guard loop.bufferedBytes + size <= loop.configuration.maximumBufferedBytes else { return false }
        buffered = size
        loop.bufferedBytes += size
        return true
    }

    private func renewDeadline() {
        let configuration = connection.loop.configuration
        connection.deadline = streamStart + configuration.requestSeconds + received / configuration.slowestRate
    }

    /// Stops reading from the client; it is not to blame for the time that passes.
    private func holdUp() {
        heldSince = EventLoop.now()
        connection.deadline = nil
        suspend()
    }

    private func resumeBody() {
        guard stream != nil, !isWhole, isSuspended else { return }
        streamStart += EventLoop.now() - heldSince
        renewDeadline()
        resume()
    }

    /// The answer is there before the body is whole: the rest is read, as most clients listen only after they have sent
    /// everything, but not without end.
    private func drop(_ size: UnsafeMutablePointer<Int>) -> MHD_Result {
        dropped += size.pointee
        received += size.pointee
        size.pointee = 0
        renewDeadline()
        return dropped > connection.loop.configuration.maximumBodyBytes * 4 ? .NO : .YES
    }
}
