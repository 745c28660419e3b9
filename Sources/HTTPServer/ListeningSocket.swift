import Glibc

enum ListeningSocket {
    /// Opens a non-blocking listening socket; `port` 0 takes a free one.
    static func open(host: String, port: UInt16) throws(HTTPServerError) -> (socket: Int32, port: UInt16) {
        var hints = addrinfo()
        hints.ai_flags = AI_PASSIVE
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let address = found else {
            throw HTTPServerError("'\(host)' is not an address to listen on")
        }
        defer { freeaddrinfo(found) }
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.pointee.ai_family, kind, 0)
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        guard descriptor >= 0, bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0,
            listen(descriptor, 4096) == 0
        else {
            let code = errno
            if descriptor >= 0 { close(descriptor) }
            throw HTTPServerError(
                "cannot listen on \(host):\(port): \(String(cString: strerror(code)))", isTaken: code == EADDRINUSE)
        }
        var bound = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let taken = withUnsafeMutablePointer(to: &bound) { storage in
            _ = storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            return storage.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: $0.pointee.sin_port)
            }
        }
        return (descriptor, taken)
    }
}
