import CMicroHTTPD
import Glibc
import HTTPCore

/// A connection from accept to close.
///
/// Unchecked: libmicrohttpd calls back, and tasks of the loop run, on the loop's thread alone.
final class Connection: @unchecked Sendable {
    let loop: EventLoop
    /// When the peer must have done its part, in seconds of the monotonic clock; `nil` while the answer is being made.
    var deadline: Int?
    let socket: Int32
    /// The exchange that the peer is in.
    weak var current: Exchange?

    init(loop: EventLoop, socket: Int32) {
        self.loop = loop
        self.socket = socket
    }

    /// Ends the connection of a peer whose time is over; one that is in the middle of its request is told why.
    func endLate() {
        if let current, !current.isWhole, !current.isQueued {
            let seconds = loop.configuration.requestSeconds
            // Refused already, it was only to be told when it had sent everything.
            let answer =
                current.response
                ?? loop.configuration.errorBody(408, "the request did not arrive within \(seconds) s")
            refuse(answer)
        }
        deadline = nil
        shutdown(socket, Int32(SHUT_RDWR))
    }

    /// Answers a request that libmicrohttpd has not read, or does not hand over, and ends the connection: nothing else is on
    /// its way to the peer, and nothing more will be.
    func refuse(_ answer: HTTPResponse) {
        let bytes = answer.lastMessage()
        _ = send(socket, bytes, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        shutdown(socket, Int32(SHUT_WR))
    }
}

/// A request and its answer, from the request line to the last byte sent.
///
/// Unchecked: as ``Connection``; `handle` is cleared when libmicrohttpd says that the exchange is over, so that a late
/// answer touches nothing.
final class Exchange: @unchecked Sendable {
    let connection: Connection
    let target: String
    var handle: OpaquePointer?
    var method = ""
    var headers = HTTPHeaders()
    var body: [UInt8] = []
    var isBegun = false
    /// The body is over the limit: the rest is read and dropped.
    var isTooLarge = false
    var dropped = 0
    /// Bytes of the body that count towards the loop's.
    var buffered = 0
    /// The loop has no room for the body.
    var isRefused = false
    var isRunning = false
    /// All of the request has come.
    var isWhole = false
    /// The body, where the responder takes it as it comes.
    var stream: StreamedBody?
    /// The body is not read yet: the responder has not asked for it.
    var isAtHead = false
    /// When the streamed body began to come, in seconds of the monotonic clock, later by the time that it was held up.
    var streamStart = 0
    var heldSince = 0
    /// Bytes of the streamed body so far.
    var received = 0
    var isSuspended = false
    /// Has been suspended for a second or so.
    var isLong = false
    /// When an answer that goes on last sent something, in seconds of the monotonic clock.
    var lastSent = 0
    /// The answer is being sent.
    var isQueued = false
    var response: HTTPResponse?
    var task: Task<Void, Never>?

    init(connection: Connection, target: String) {
        self.connection = connection
        self.target = target
    }

    /// Gives the body's room back.
    func dropBody() {
        body = []
        stream = nil
        connection.loop.bufferedBytes -= buffered
        buffered = 0
    }

    /// Gives the answer and, where the connection was parked, wakes it.
    func finish(_ response: HTTPResponse) {
        guard self.response == nil, handle != nil else {
            response.live?.drop()
            return
        }
        self.response = response
        resume()
    }

    /// Takes the connection out of libmicrohttpd's sight until ``resume()``.
    func suspend() {
        guard let handle, !isSuspended else { return }
        isSuspended = true
        MHD_suspend_connection(handle)
    }

    func resume() {
        guard let handle, isSuspended else { return }
        isSuspended = false
        isLong = false
        connection.loop.unwatch(self)
        MHD_resume_connection(handle)
        connection.loop.wake()
    }

    /// Starts the responder on this thread, at once; where it waits, it comes back here.
    func run(_ request: HTTPRequest) {
        isRunning = true
        let loop = connection.loop
        loop.runningTasks += 1
        task = Task.immediate(executorPreference: loop) { [self] in
            let answer = await loop.responder.respond(to: request)
            finish(ContentCoding.apply(to: answer, for: request))
            loop.runningTasks -= 1
        }
    }

    /// Hands the answer to libmicrohttpd, which copies it.
    func queue(_ response: HTTPResponse, closing: Bool = false) -> MHD_Result {
        guard let handle, let message = message(response) else {
            response.live?.drop()
            return .NO
        }
        for entry in response.headers.entries { MHD_add_response_header(message, entry.name, entry.value) }
        if closing || connection.loop.isDraining { MHD_add_response_header(message, "Connection", "close") }
        defer { MHD_destroy_response(message) }
        // A client that takes its answer a byte at a time must not hold the connection for ever either.
        let configuration = connection.loop.configuration
        connection.deadline =
            EventLoop.now() + Int(configuration.idleSeconds) + configuration.requestSeconds
            + Int(response.file?.count ?? 0) / configuration.slowestRate
        if response.live != nil { connection.deadline = nil }
        isQueued = true
        return MHD_queue_response(handle, UInt32(response.status), message)
    }

    private func message(_ response: HTTPResponse) -> OpaquePointer? {
        if let live = response.live { return liveMessage(live) }
        if let file = response.file {
            // libmicrohttpd closes what it is given, and sends with sendfile.
            let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard own >= 0 else { return nil }
            let message = MHD_create_response_from_fd_at_offset64(UInt64(file.count), own, UInt64(file.offset))
            if message == nil { close(own) }
            return message
        }
        return response.body.withUnsafeBufferPointer { bytes in
            MHD_create_response_from_buffer(
                bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? emptyBody), .RESPMEM_MUST_COPY)
        }
    }
}

/// Stands for the bytes of an empty body, whose buffer may have no address. Unsafe: a constant address, never read or
/// written through.
nonisolated(unsafe) private let emptyBody = UnsafePointer<UInt8>(UnsafeMutablePointer<UInt8>.allocate(capacity: 1))

extension HTTPResponse {
    /// The bytes of an answer after which the connection ends.
    fileprivate func lastMessage() -> [UInt8] {
        var head = "HTTP/1.1 \(status) Refused\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
        for entry in headers.entries { head += "\(entry.name): \(entry.value)\r\n" }
        return Array(head.utf8) + [13, 10] + body
    }
}
