import Foundation
import Glibc

/// The machine's network interfaces, as the kernel lists them.
package struct NetworkInterfaces: Sendable {
    /// A folder for each interface, in which `uevent` says of what kind it is.
    private let folder: String

    package init(folder: String) { self.folder = folder }

    package static let system = NetworkInterfaces(folder: "/sys/class/net")

    /// Whether what is sent to a server leaves by a cellular modem. The way may change with each request; false where it cannot be
    /// told.
    package func isCellular(to server: String) async -> Bool {
        let modems = cellular()
        guard !modems.isEmpty, let url = URLComponents(string: server), let host = url.host else { return false }
        let port = url.port ?? (url.scheme == "https" ? 443 : 80)
        // The names of hosts are asked for by a call that blocks.
        return await Task.detached {
            guard let own = Self.address(towards: host, port: port) else { return false }
            return modems.contains { Self.addresses(of: $0).contains(own) }
        }.value
    }

    private func cellular() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            let event = try? String(contentsOfFile: "\(folder)/\(name)/uevent", encoding: .utf8)
            return event?.split(separator: "\n").contains("DEVTYPE=wwan") ?? false
        }
    }

    /// The address of this machine that the kernel would send from; nothing is sent.
    private static func address(towards host: String, port: Int) -> String? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let literal = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        guard getaddrinfo(literal, String(port), &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let info = next?.pointee {
            next = info.ai_next
            let descriptor = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var own = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let text = withUnsafeMutableBytes(of: &own) { bytes -> String? in
                guard let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    connect(descriptor, info.ai_addr, info.ai_addrlen) == 0,
                    getsockname(descriptor, address, &size) == 0
                else { return nil }
                return Self.text(of: address, size)
            }
            if let text { return text }
        }
        return nil
    }

    private static func addresses(of interface: String) -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var texts: [String] = []
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard String(cString: entry.ifa_name) == interface, let address = entry.ifa_addr else { continue }
            let isNewer = address.pointee.sa_family == sa_family_t(AF_INET6)
            guard isNewer || address.pointee.sa_family == sa_family_t(AF_INET) else { continue }
            let size = isNewer ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            if let text = text(of: address, socklen_t(size)) { texts.append(text) }
        }
        return texts
    }

    private static func text(of address: UnsafePointer<sockaddr>, _ size: socklen_t) -> String? {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(address, size, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
