import CloudClient
import CloudCore
import CloudServer
import CloudStorage
import CloudWire
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

    /// Carries out a call and closes the store, if this opened it.
    func perform<Answer: WireBody>(
        _ call: AdminCall, _ request: some WireBody, as answer: Answer.Type = EmptyBody.self
    ) async throws -> Answer {
        switch self {
        case .running(let service):
            return try Answer.decode(try await service.post(call.rawValue, request.encode()))
        case .store(let store):
            let body: [UInt8]
            do {
                body = try await AdminCalls(store: store).perform(call, request.encode())
            } catch {
                await store.close()
                throw error
            }
            await store.close()
            return try Answer.decode(body)
        }
    }
}

/// A service that this machine's user administers over its loopback address.
struct RunningService: Sendable {
    let key: AdminKey

    /// Posts an administrative call and gives the answer's body. The removal of an account takes as long as there is to
    /// erase.
    func post(_ name: String, _ body: [UInt8]) async throws -> [UInt8] {
        let request = HTTPRequest(
            method: "POST", target: key.url + "/cumulet/1/admin/" + name,
            headers: ["Content-Type": "application/json; charset=UTF-8", "X-Cumulet-Admin": key.secret], body: body)
        let response = try await Transport.make().send(request, timeout: .seconds(600))
        guard (200..<300).contains(response.status) else { throw Refusal.error(of: response) }
        return response.body
    }
}

/// What the commands of the administrator share.
enum Administration {
    static let data = OptionDefinition.option(
        "data", "DIR", help: "the service's folder (default: $CUMULET_DATA, else cumulet in the user's data folder)")
    static let placeNote =
        " Opens the database of --store; of --data it opens the folder, or talks to the service that runs on it."
    static let environment = OptionDefinition.option(
        "environment", "E", help: "development (the default) or production",
        choices: CloudEnvironment.allCases.map(\.rawValue))

    static func access(_ values: ArgumentValues) throws -> AdminAccess {
        try AdminAccess(StorePlace.ofAdministration(values))
    }

    static func environment(_ values: ArgumentValues) -> CloudEnvironment {
        values.option("environment").flatMap(CloudEnvironment.init(rawValue:)) ?? .development
    }
}
