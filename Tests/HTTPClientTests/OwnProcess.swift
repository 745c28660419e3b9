import Foundation
import Glibc

/// What this process has open and running, as the system tells it.
enum OwnProcess {
    /// Descriptors of the clients' ends of connections to a port of this machine.
    static func connections(to port: UInt16) throws -> [Int32] {
        try all().filter { Self.port($0, getpeername) == port }
    }

    /// Descriptors of the server's ends, the one that listens among them.
    static func sockets(at port: UInt16) throws -> [Int32] { try all().filter { Self.port($0, getsockname) == port } }

    private static func port(
        _ descriptor: Int32,
        _ end: (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32
    ) -> UInt16? {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { end(descriptor, $0, &size) }
        }
        return code == 0 && address.sin_family == AF_INET ? UInt16(bigEndian: address.sin_port) : nil
    }

    /// Descriptors of sockets and of files on a disk. What else there is, Swift's own run time opens when it likes.
    static func descriptors() throws -> [Int32] {
        try all().filter { descriptor in
            var info = stat()
            guard fstat(descriptor, &info) == 0 else { return false }
            return [S_IFSOCK, S_IFREG].contains(info.st_mode & S_IFMT)
        }
    }

    private static func all() throws -> [Int32] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    }

    static func isInherited(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 }

    /// Threads that drive the transfers of a transport.
    static func transportThreads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count { thread in
            // One that ends meanwhile is none.
            (try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)) == "cumulet.http\n"
        }
    }
}
