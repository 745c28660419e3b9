import Glibc
package import HTTPCore
import Synchronization

/// Where a server listens and what it puts up with.
package struct HTTPServerConfiguration: Sendable {
    package var host = "127.0.0.1"
    /// 0 takes a free port.
    package var port: UInt16 = 8787
    /// Bytes of a request's body; a larger one is answered 413.
    package var maximumBodyBytes = 16 * 1_048_576
    /// Bytes of all bodies that a loop holds at a time; a request that brings more is answered 503.
    package var maximumBufferedBytes = 256 * 1_048_576
    /// Memory of a connection: bounds the request line and the headers together.
    package var headerBytes = 32 * 1024
    /// Seconds without a byte after which a connection is closed.
    package var idleSeconds: UInt32 = 90
    /// Seconds in which a whole request must have arrived, however slowly its bytes come. A streamed body, and a file that
    /// is sent, have a second more for each ``slowestRate`` bytes.
    package var requestSeconds = 60
    /// Bytes a second that a client must take or send on average.
    package var slowestRate = 4096
    /// Bytes of a streamed body that wait for their reader at most; they count towards ``maximumBufferedBytes``.
    package var streamBufferBytes = 1_048_576
    /// Seconds of silence after which an answer that goes on says that it lives.
    package var beatSeconds = 15
    package var connectionLimit: UInt32 = 16_384
    /// Event loops, a thread each.
    package var loops = 1
    /// The body of an answer that this layer gives itself, in the protocol's form.
    package var errorBody: @Sendable (_ status: Int, _ reason: String) -> HTTPResponse = { status, reason in
        HTTPResponse(status: status, headers: ["Content-Type": "text/plain"], body: Array(reason.utf8))
    }

    package init() {}
}

/// An HTTP/1.1 server: libmicrohttpd driven by our own loops.
package final class HTTPServer: Sendable {
    private let configuration: HTTPServerConfiguration
    private let responder: any HTTPResponder
    private let loops = Mutex<[EventLoop]>([])

    package init(configuration: HTTPServerConfiguration, responder: any HTTPResponder) {
        self.configuration = configuration
        self.responder = responder
    }

    /// Binds, starts the loops and returns the port.
    /// - Throws: ``HTTPServerError`` naming the address that cannot be had.
    package func start() throws(HTTPServerError) -> UInt16 {
        let (socket, port) = try ListeningSocket.open(host: configuration.host, port: configuration.port)
        var started: [EventLoop] = []
        for _ in 0..<max(1, configuration.loops) {
            let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            guard own >= 0, let loop = EventLoop(socket: own, configuration: configuration, responder: responder) else {
                Glibc.close(socket)
                throw HTTPServerError("cannot start an HTTP loop on \(configuration.host):\(port)")
            }
            started.append(loop)
        }
        Glibc.close(socket)
        for loop in started { loop.start() }
        loops.withLock { $0 = started }
        return port
    }

    /// Connections that are open now, with or without a request.
    package var openConnections: Int {
        loops.withLock { $0.reduce(0) { $0 + $1.openConnections.load(ordering: .relaxed) } }
    }

    /// Accepts no more connections, answers the requests in flight, then ends.
    /// - Parameter seconds: Longest wait for answers; what is unanswered then gets 503.
    package func stop(within seconds: Int = 20) async {
        let running = loops.withLock { loops in
            defer { loops = [] }
            return loops
        }
        // Together: they share one listening socket.
        await withTaskGroup(of: Void.self) { group in
            for loop in running { group.addTask { await loop.stop(within: seconds) } }
        }
    }
}

/// Why a server cannot listen.
package struct HTTPServerError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether another listens there.
    package let isTaken: Bool

    init(_ description: String, isTaken: Bool = false) {
        self.description = description
        self.isTaken = isTaken
    }
}
