package import CloudCore
import CloudCrypto
package import CloudServer
package import CloudStorage
import CloudWire
import HTTPClient
package import HTTPCore
import HTTPServer
import Synchronization

/// The real service, on an empty database of its own.
package final class TestCloud: Sendable {
    package static let container = "iCloud.org.example.notes"
    /// What absolute addresses of a service without sockets begin with.
    package static let url = "http://cloud.test"

    package let clock: ManualClock
    package let store: CloudStore
    package let service: CloudService
    /// Where the service keeps the files of assets.
    package let assets = AssetHome()
    /// What absolute addresses begin with.
    package let url: String
    private let entries: EntryLog
    private let server: HTTPServer?
    /// What ``send(_:_:headers:body:)`` goes through.
    private let ownTransport: any HTTPTransport
    private let removeDatabase: @Sendable () throws -> Void

    /// - Parameters:
    ///   - gate: What requests over sockets have to pass.
    ///   - prepare: Changes the configuration before the service starts.
    package init(
        on setUp: CloudSetUp = CloudSetUp(way: .inProcess, storage: .memory),
        mode: ServiceConfiguration.Mode = .dev, limits: CloudLimits = CloudLimits(), clock: ManualClock = ManualClock(),
        gate: RequestGate? = nil,
        prepare: (inout ServiceConfiguration) -> Void = { _ in }
    ) throws {
        let entries = EntryLog()
        let test = try setUp.storage.make()
        self.clock = clock
        self.entries = entries
        removeDatabase = test.remove
        store = try CloudStore(
            test.database, folder: test.folder, limits: limits, policy: mode == .dev ? .dev : .strict,
            clock: { clock.now })
        var configuration = ServiceConfiguration(
            mode: mode, publicAddress: setUp.way == .inProcess ? PublicAddress(Self.url) : nil,
            adminSecret: "test-secret",
            clock: { clock.now }, log: { entries.append($0) })
        prepare(&configuration)
        service = CloudService(store: store, configuration: configuration, assets: assets)
        switch setUp.way {
        case .inProcess:
            server = nil
            url = Self.url
            ownTransport = ResponderTransport(service)
        case .loopback:
            var listening = HTTPServerConfiguration()
            listening.port = 0
            listening.errorBody = CloudService.transportFailure
            var responder: any HTTPResponder = service
            if let gate { responder = GatedResponder(gate: gate, service: service) }
            let server = HTTPServer(configuration: listening, responder: responder)
            url = "http://127.0.0.1:\(try server.start())"
            self.server = server
            ownTransport = CurlTransport()
        }
    }

    /// Carries a device's requests to the service: its own connections where there are any.
    package var transport: any HTTPTransport { server == nil ? ownTransport : CurlTransport() }

    /// Connections that the service has open.
    package var openConnections: Int { server?.openConnections ?? 0 }

    /// What the service has logged.
    package var log: [RequestLogEntry] { entries.all }

    package func close() async {
        await service.drain()
        await server?.stop()
        await store.close()
        assets.close()
        do { try removeDatabase() } catch { preconditionFailure("cannot remove a test's database: \(error)") }
    }

    // MARK: - Requests

    /// - Returns: The answer; status 0 and the reason as body when none came.
    package func send(
        _ method: String, _ path: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []
    ) async -> HTTPResponse {
        let request = HTTPRequest(method: method, target: url + path, headers: headers, body: body)
        do {
            return try await ownTransport.send(request, timeout: .seconds(120))
        } catch {
            return HTTPResponse(status: 0, body: Array(error.description.utf8))
        }
    }

    package func request(_ method: String, _ path: String, json: String = "") async -> TestAnswer {
        let response = await send(method, path, body: Array(json.utf8))
        return TestAnswer(status: response.status, body: String(decoding: response.body, as: UTF8.self))
    }

    // MARK: - Users

    /// The API token that clients of a container use in development.
    package static func apiToken(_ container: String = container) -> String {
        Hex.encode(Crypto.sha256(Array("cumulet development API token\n\(container)\ndevelopment".utf8)))
    }

    /// Makes an account whose owner others can find.
    package func addDiscoverable(
        _ email: String, phone: String? = nil, name: NameComponents = NameComponents()
    ) async throws {
        try await store.write {
            _ = try $0.addAccount(email: email, phone: phone, name: name, isDiscoverable: true, passwordHash: nil)
        }
    }

    /// A service that makes nothing by accident.
    package static func strict() throws -> TestCloud { try TestCloud(mode: .serve) }

    /// Makes an account and the session of a device of it.
    package func newDeviceSession(_ email: String) async throws -> String {
        try await store.write { transaction in
            let account = try transaction.addAccount(email: email, passwordHash: nil)
            return try transaction.startDeviceSession(account: account.id, deviceID: "device", deviceName: "device")
        }
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

    /// The same user on the same device, whose requests go to another service.
    package func at(_ cloud: TestCloud) -> TestUser {
        TestUser(
            cloud: cloud, container: container, deviceSession: deviceSession, webToken: webToken, name: name,
            clientID: clientID)
    }

    /// - Parameter operation: Database and operation, for example `private/records/query`.
    package func path(_ operation: String) -> String {
        let module = operation.hasPrefix("tokens/") ? "device" : "database"
        return "/\(module)/1/\(container)/development/\(operation)?\(query)"
    }

    package func post(_ operation: String, _ json: String = "{}") async -> TestAnswer {
        await cloud.request("POST", path(operation), json: json)
    }
}

/// An answer as text.
package struct TestAnswer: Sendable {
    package let status: Int
    package let body: String

    package init(status: Int, body: String) {
        self.status = status
        self.body = body
    }

    /// Whether the request, or an item of it, was refused with that code and a reason that holds `text`.
    package func isRefusal(_ code: String, naming text: String = "") -> Bool {
        body.contains(#""serverErrorCode":"\#(code)""#) && body.contains(text)
    }
}

private final class EntryLog: Sendable {
    private let entries = Mutex<[RequestLogEntry]>([])

    func append(_ entry: RequestLogEntry) { entries.withLock { $0.append(entry) } }
    var all: [RequestLogEntry] { entries.withLock { $0 } }
}
