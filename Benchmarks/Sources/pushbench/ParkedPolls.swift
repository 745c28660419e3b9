import FoundationNetworking
import Foundation
import Glibc

/// What many devices that wait cost the service.
struct ParkedPolls {
    let server: URL
    let process: ServiceProcess
    private static let container = "iCloud.org.cumulet.parked"
    private static let apiToken = String(repeating: "0", count: 63) + "1"

    func measure(count: Int) async throws -> String {
        let session = try await post(
            "/cumulet/1/sign-in",
            [
                "emailAddress": "parked@example.com", "deviceID": "parked", "deviceName": "parked",
            ])["deviceSession"]
        let web = try await post(
            "/cumulet/1/web-token",
            [
                "deviceSession": session ?? "", "container": Self.container, "environment": "development",
                "ckAPIToken": Self.apiToken,
            ])["ckWebAuthToken"]
        var allowed = CharacterSet.alphanumerics
        allowed.insert(charactersIn: "-._~")
        let webToken = web?.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
        var paths: [String] = []
        for client in 0..<count {
            let answer = try await post(
                "/device/1/\(Self.container)/development/tokens/create?ckAPIToken=\(Self.apiToken)&ckWebAuthToken=\(webToken)",
                ["apnsEnvironment": "development", "clientId": "client\(client)"])
            guard let text = answer["webcourierURL"], let url = URL(string: text) else { throw Refused(answer: answer) }
            paths.append("\(url.path)?\(url.query ?? "")")
        }
        let atRest = process.residentKiB
        let sockets = try paths.map(park)
        try await Task.sleep(for: .seconds(2))  // until the service has taken them all in
        let parked = process.residentKiB
        let before = process.cpuTicks
        try await Task.sleep(for: .seconds(5))
        let ticks = process.cpuTicks - before
        for socket in sockets { close(socket) }
        return """
            \(count) parked polls: \(parked) KiB resident, \(atRest) KiB before, \
            \(String(format: "%.1f", Double(parked - atRest) / Double(count))) KiB each, \(ticks * 10) ms CPU in 5 s of waiting
            """
    }

    struct Refused: Error { let answer: [String: String] }

    private func post(_ path: String, _ body: [String: String]) async throws -> [String: String] {
        guard let url = URL(string: server.absoluteString + path) else { throw Refused(answer: ["path": path]) }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(body)
        let (data, _) = try await URLSession.shared.data(for: request)
        let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
        return object.compactMapValues { $0 as? String }
    }

    /// Opens a connection and asks; nobody reads the answer.
    private func park(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(server.port ?? 80).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        guard write(descriptor, request, request.utf8.count) == request.utf8.count else { throw POSIXError(.EIO) }
        return descriptor
    }
}

/// What the system tells of the service.
struct ServiceProcess {
    let pid: String

    /// Resident memory that belongs to the process alone, in KiB.
    var residentKiB: Int {
        let lines = text("status").split(separator: "\n")
        let fields = lines.first { $0.hasPrefix("RssAnon:") }?.split(separator: " ")
        return fields.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
    }

    /// Processor time so far, in hundredths of a second.
    var cpuTicks: Int {
        let fields = text("stat").split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }

    private func text(_ name: String) -> String {
        (try? String(contentsOfFile: "/proc/\(pid)/\(name)", encoding: .utf8)) ?? ""  // an ended service shows as 0
    }
}
