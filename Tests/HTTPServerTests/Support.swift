import Glibc
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

/// A bare TCP client, for what a well-behaved one would not send.
struct RawClient {
    let descriptor: Int32
    private(set) var isConnected = false

    init(port: UInt16) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let descriptor = descriptor
        isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        var patience = timeval(tv_sec: 15, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

    /// The next bytes as text; empty when the server closed the connection.
    func receive() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Whether the server ends the connection, in order or by reset, within our patience.
    func isEnded() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = recv(descriptor, &byte, 1, 0)
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN }
        }
    }

    static func canConnect(port: UInt16) -> Bool {
        let client = RawClient(port: port)
        defer { client.leave() }
        return client.isConnected
    }

    func leave() { close(descriptor) }
}
