import Glibc
package import HTTPCore

/// A bare TCP client, for what a well-behaved one would not send.
package struct RawClient: Sendable {
    private let descriptor: Int32
    package let isConnected: Bool

    package init(port: UInt16) {
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

    package func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends all bytes, or as many as the server takes before it ends the connection.
    package func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// The status, headers and body of the next answer; `nil` when the server ends the connection without one.
    package func answer() -> HTTPResponse? {
        var bytes: [UInt8] = []
        var response: HTTPResponse?
        var length = 0
        while true {
            if let response, bytes.count >= length {
                return HTTPResponse(
                    status: response.status, headers: response.headers, body: Array(bytes.prefix(length)))
            }
            if response == nil, let end = bytes.firstRange(of: [13, 10, 13, 10]) {
                let head = Self.head(String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
                length = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
                bytes.removeSubrange(..<end.upperBound)
                response = head
                continue
            }
            var piece = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            bytes += piece.prefix(count)
        }
    }

    private static func head(_ text: String) -> HTTPResponse {
        let lines = text.split(separator: "\r\n")
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            headers.append(String(parts[0]), parts.count > 1 ? String(parts[1].drop { $0 == " " }) : "")
        }
        return HTTPResponse(status: status, headers: headers)
    }

    /// Whether the server has sent something or ended the connection, waiting at most `milliseconds`.
    package func hasNews(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    /// The next bytes as text; empty when the server closed the connection.
    package func receive() -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    /// Whether the server ends the connection, in order or by reset, within our patience.
    package func isEnded() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = recv(descriptor, &byte, 1, 0)
            if count == 0 { return true }
            if count < 0 { return errno != EAGAIN }
        }
    }

    package static func canConnect(port: UInt16) -> Bool {
        let client = RawClient(port: port)
        defer { client.leave() }
        return client.isConnected
    }

    package func leave() { close(descriptor) }
}
