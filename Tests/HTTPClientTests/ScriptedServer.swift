import Glibc
import Synchronization

/// A server that does with each request, whichever connection it comes by, what is next in its script. One connection at a
/// time, in a thread of its own.
final class ScriptedServer: Sendable {
    enum Act: Sendable {
        case answer(String)
        /// Answers and ends the connection.
        case last(String)
        /// Reads the request and ends the connection.
        case leave
        /// The same, and takes no connection any more.
        case vanish
    }

    let port: UInt16
    private let listener: Int32
    private let isSpeakingFirst: Bool
    private let state: Mutex<(script: [Act], requests: [String])>

    /// The requests that came, bodies included.
    var requests: [String] { state.withLock { $0.requests } }

    /// - Parameter isSpeakingFirst: Whether it waits for no request.
    init(_ script: [Act], isSpeakingFirst: Bool = false) {
        self.isSpeakingFirst = isSpeakingFirst
        state = Mutex((script, []))
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let isListening = bind(descriptor, address, size) == 0 && listen(descriptor, 16) == 0
                precondition(isListening && getsockname(descriptor, address, &size) == 0)
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        var thread = pthread_t()
        pthread_create(&thread, nil, runServer, Unmanaged.passRetained(self).toOpaque())
        pthread_detach(thread)
    }

    deinit { close(listener) }

    fileprivate func run() {
        while hasMore {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            serve(connection)
            close(connection)
        }
    }

    private var hasMore: Bool { state.withLock { !$0.script.isEmpty } }

    private func serve(_ connection: Int32) {
        while hasMore, let request = isSpeakingFirst ? "" : Self.request(connection) {
            let act = state.withLock { state in
                state.requests.append(request)
                return state.script.removeFirst()
            }
            switch act {
            case .answer(let text): Self.send(text, connection)
            case .last(let text): return Self.send(text, connection)
            case .leave: return
            case .vanish:
                shutdown(listener, Int32(SHUT_RDWR))
                return
            }
        }
    }

    private static func send(_ text: String, _ connection: Int32) {
        text.withCString { _ = Glibc.send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
    }

    /// A whole request; `nil` when the client leaves.
    private static func request(_ connection: Int32) -> String? {
        var text = ""
        while true {
            if let head = text.firstRange(of: "\r\n\r\n") {
                let length = text[..<head.lowerBound].split(separator: "\r\n").lazy
                    .first { $0.lowercased().hasPrefix("content-length:") }.flatMap { Int($0.drop { !$0.isNumber }) }
                if text[head.upperBound...].utf8.count >= length ?? 0 { return text }
            }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = recv(connection, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            text += String(decoding: piece.prefix(count), as: UTF8.self)
        }
    }
}

private func runServer(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ScriptedServer>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
