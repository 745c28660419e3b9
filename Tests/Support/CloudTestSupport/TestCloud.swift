package import CloudCore
import CloudCrypto
package import CloudServer
package import CloudStorage
import CloudWire
package import HTTPCore
import SQLiteDriver
import Synchronization

/// The real service in this process, on a database in memory.
package final class TestCloud: Sendable {
    package static let container = "iCloud.org.example.notes"
    /// What absolute addresses begin with.
    package static let url = "http://cloud.test"

    package let clock: ManualClock
    package let store: CloudStore
    package let service: CloudService
    private let entries: EntryLog

    /// - Parameter prepare: Changes the configuration before the service starts.
    package init(
        mode: ServiceConfiguration.Mode = .dev, limits: CloudLimits = CloudLimits(), clock: ManualClock = ManualClock(),
        prepare: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        let entries = EntryLog()
        self.clock = clock
        self.entries = entries
        store = try CloudStore(
            SQLiteDatabase(path: nil), limits: limits, policy: mode == .dev ? .dev : .strict, clock: { clock.now })
        var configuration = ServiceConfiguration(
            mode: mode, publicURL: Self.url, adminSecret: "test-secret", clock: { clock.now },
            log: { entries.append($0) })
        prepare(&configuration)
        service = CloudService(store: store, configuration: configuration)
    }

    /// Carries requests to the service without sockets.
    package var transport: any HTTPTransport { ResponderTransport(service) }

    /// What the service has logged.
    package var log: [RequestLogEntry] { entries.all }

    package func close() async {
        await service.drain()
        await store.close()
    }

    // MARK: - Requests

    package func send(
        _ method: String, _ path: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
    ) async -> HTTPResponse {
        await service.respond(to: HTTPRequest(method: method, target: path, headers: headers, body: body))
    }

    package func request(_ method: String, _ path: String, json: String = "") async -> (status: Int, body: String) {
        let response = await send(method, path, body: Array(json.utf8))
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    // MARK: - Users

    /// The API token that clients of a container use in development.
    package static func apiToken(_ container: String = container) -> String {
        Hex.encode(Crypto.sha256(Array("cumulet development API token\n\(container)\ndevelopment".utf8)))
    }

    /// Signs a device of an account in, in a service of mode `dev`.
    package func signIn(_ email: String, device: String = "device", container: String = container) async throws
        -> TestUser
    {
        let session = try SignInResponse.decode(
            await send(
                "POST", "/cumulet/1/sign-in",
                body: SignInRequest(emailAddress: email, deviceID: device, deviceName: device).encode()
            ).body
        ).deviceSession
        let grant = try WebTokenResponse.decode(
            await send(
                "POST", "/cumulet/1/web-token",
                body: WebTokenRequest(
                    deviceSession: session, container: ContainerID(container), environment: .development,
                    ckAPIToken: Self.apiToken(container)
                ).encode()
            ).body)
        return TestUser(
            cloud: self, container: container, deviceSession: session, webToken: grant.ckWebAuthToken,
            name: grant.userRecordName, clientID: device)
    }
}

/// A signed-in user on a device, speaking the protocol's JSON.
package struct TestUser: Sendable {
    package let cloud: TestCloud
    package let container: String
    package let deviceSession: String
    package let webToken: String
    /// The user record name.
    package let name: String
    package let clientID: String

    package var query: String {
        let token = webToken.map { $0 == "+" ? "%2B" : String($0) }.joined()
        return "ckAPIToken=\(TestCloud.apiToken(container))&ckWebAuthToken=\(token)&clientId=\(clientID)"
    }

    /// - Parameter operation: Database and operation, for example `private/records/query`.
    package func path(_ operation: String) -> String {
        let module = operation.hasPrefix("tokens/") ? "device" : "database"
        return "/\(module)/1/\(container)/development/\(operation)?\(query)"
    }

    package func post(_ operation: String, _ json: String = "{}") async -> (status: Int, body: String) {
        await cloud.request("POST", path(operation), json: json)
    }
}

private final class EntryLog: Sendable {
    private let entries = Mutex<[RequestLogEntry]>([])

    func append(_ entry: RequestLogEntry) { entries.withLock { $0.append(entry) } }
    var all: [RequestLogEntry] { entries.withLock { $0 } }
}
