import CloudClient
import CloudCore
import CloudStorage
import HTTPClient
import HTTPCore

/// The way to a service's data: through the service that has the folder open, or the folder or database itself.
enum AdminAccess {
    case running(RunningService)
    case store(CloudStore)

    init(_ place: StorePlace) throws {
        do {
            self = .store(try ServiceStore.open(place, policy: .strict))
        } catch let error as CloudError where error.code == .tryAgainLater {
            guard case .folder(let path) = place else { throw error }
            self = .running(RunningService(key: try AdminKey.read(from: DataPath.adminKey(in: path))))
        }
    }
}

/// A service that this machine's user administers over its loopback address.
struct RunningService: Sendable {
    let key: AdminKey

    /// Posts an administrative call and gives the answer's body.
    func post(_ name: String, _ body: [UInt8]) async throws -> [UInt8] {
        let request = HTTPRequest(
            method: "POST", target: key.url + "/cumulet/1/admin/" + name,
            headers: ["Content-Type": "application/json; charset=UTF-8", "X-Cumulet-Admin": key.secret], body: body)
        let response = try await Transport.make().send(request, timeout: .seconds(30))
        guard (200..<300).contains(response.status) else { throw Refusal.error(of: response) }
        return response.body
    }
}
