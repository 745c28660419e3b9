package import CloudCore
package import HTTPCore
import Synchronization

/// Where a container is found and with what it is opened.
package struct CloudAddress: Hashable, Sendable {
    package var server: String
    package var container: ContainerID
    package var environment: CloudEnvironment
    package var apiToken: String

    package init(server: String, container: ContainerID, environment: CloudEnvironment, apiToken: String) {
        self.server = server
        self.container = container
        self.environment = environment
        self.apiToken = apiToken
    }
}

/// Sends one request after the other: signs it, renews the web token, repeats what is safe to repeat.
package final class CloudConnection: Sendable {
    package let store: DeviceStore
    package let transport: any HTTPTransport
    private let sessions = WebSessions()
    private let interfaces: NetworkInterfaces
    private let overrides: @Sendable (ContainerID) -> AddressOverride
    private let environment: @Sendable (String) -> String?
    private let pause: Pause
    private let refusal = Mutex(SessionRefusal())

    /// - Parameters:
    ///   - overrides: What code has set for a container; stronger than the environment and the device's settings.
    ///   - environment: Reads an environment variable.
    package init(
        store: DeviceStore, transport: any HTTPTransport,
        overrides: @escaping @Sendable (ContainerID) -> AddressOverride = { _ in AddressOverride() },
        environment: @escaping @Sendable (String) -> String?, pause: Pause = .system,
        interfaces: NetworkInterfaces = .system
    ) {
        self.store = store
        self.transport = transport
        self.overrides = overrides
        self.environment = environment
        self.pause = pause
        self.interfaces = interfaces
    }

    /// Where `container` is, by code, environment and settings, in this order.
    /// - Throws: `badRequest` when what is set is not the name of an environment.
    package func address(of container: ContainerID) throws(CloudError) -> CloudAddress {
        let settings = store.settings
        let kept = settings.containers[container.rawValue]
        let set = overrides(container)
        let named =
            environment("CUMULET_ENVIRONMENT").map { (name: $0, place: "CUMULET_ENVIRONMENT") }
            ?? kept?.environment.map { (name: $0, place: "the environment in the device's settings") }
        var chosen = set.environment ?? .development
        if set.environment == nil, let named {
            guard let known = CloudEnvironment(rawValue: named.name) else {
                throw CloudError(
                    .badRequest, "\(named.place) is '\(named.name)': expected development or production",
                    nativeCode: 12)
            }
            chosen = known
        }
        let token = set.apiToken ?? environment("CUMULET_API_TOKEN") ?? kept?.apiToken
        return CloudAddress(
            server: server(settings, set), container: container, environment: chosen,
            apiToken: token ?? DevelopmentToken.make(container: container, environment: chosen))
    }

    /// The service's base URL for `container`, without a slash at the end.
    package func server(of container: ContainerID) -> String { server(store.settings, overrides(container)) }

    private func server(_ settings: DeviceSettings, _ set: AddressOverride) -> String {
        let kept =
            settings.isSignedIn
            ? settings.server ?? environment("CUMULET_SERVER") : environment("CUMULET_SERVER") ?? settings.server
        let server = set.server ?? kept ?? ServiceAddress.default
        return server.last == "/" ? String(server.dropLast()) : server
    }

    /// Posts `body` to an operation of a container and gives the answer's body. A read that was answered after another
    /// account had signed in fails, so that nobody is shown what another one asked for.
    /// - Parameters:
    ///   - path: What follows the environment, for example `private/records/query`.
    ///   - module: `database` or `device`.
    /// - Throws: `CloudError` for a refusal, `HTTPTransportError` when no answer came.
    package func post(
        _ path: String, of container: ContainerID, module: String = "database", body: [UInt8], isRead: Bool,
        options: CallOptions
    ) async throws -> [UInt8] {
        try await attempts(of: container, isRead: isRead, options: options) { timeout in
            let answer = try await postOnce(
                path, of: container, module: module, body: body, principal: options.principal, timeout: timeout)
            if isRead { _ = try account(for: options.principal) }
            return answer
        }
    }

    /// Runs `attempt` until it succeeds, cannot be repeated, or the time is up.
    /// - Parameter attempt: Is given what tells the longest wait for an answer from then on.
    func attempts<Answer>(
        of container: ContainerID, isRead: Bool, options: CallOptions,
        _ attempt: (() -> Duration) async throws -> Answer
    ) async throws -> Answer {
        let start = pause.now()
        let left = { [pause] in options.resourceTimeout.map { max(.zero, $0 - (pause.now() - start)) } }
        var count = 0
        while true {
            count += 1
            do {
                try await requireNetwork(to: container, options)
                return try await attempt { min(options.requestTimeout, left() ?? options.requestTimeout) }
            } catch {
                try Task.checkCancellation()
                guard let delay = options.retry.delay(after: error, isRead: isRead, attempt: count) else {
                    throw error
                }
                if let left = left(), .seconds(delay) >= left { throw error }
                if delay > 0 { try await pause.sleep(.seconds(delay)) }
            }
        }
    }

    /// - Throws: For work that may not go over a cellular network, while the way to the service does.
    private func requireNetwork(to container: ContainerID, _ options: CallOptions) async throws {
        guard !options.allowsCellularAccess, await interfaces.isCellular(to: server(of: container)) else { return }
        throw CloudError(
            .tryAgainLater, "the way to the service is a cellular network, which this may not use",
            nativeCode: NativeCode.networkUnavailable)
    }

    /// One attempt; a web token that the service no longer takes is renewed once, because a refused request did
    /// nothing.
    private func postOnce(
        _ path: String, of container: ContainerID, module: String, body: [UInt8], principal: Principal,
        timeout: () -> Duration
    ) async throws -> [UInt8] {
        var renewed = false
        while true {
            let address = try address(of: container)
            let session = try await webSession(for: address, principal)
            let response = try await send(path, module: module, at: address, token: session?.token, body, timeout())
            if let session, let fresh = response.headers["X-Apple-CloudKit-Web-Auth-Token"], fresh != session.token {
                await sessions.rotate(session.key, from: session.token, to: fresh)
            }
            if (200..<300).contains(response.status) { return response.body }
            let error = Refusal.error(of: response)
            if let session, !renewed, response.status == 401 || response.status == 421 {
                renewed = true
                await sessions.forget(session.key, session.token)
                continue
            }
            throw error
        }
    }

    private func send(
        _ path: String, module: String, at address: CloudAddress, token: String?, _ body: [UInt8], _ timeout: Duration
    ) async throws -> HTTPResponse {
        var target = address.server + "/" + module + "/1/" + PercentEncoding.encode(address.container.rawValue)
        target += "/" + address.environment.rawValue + "/" + path
        target += "?ckAPIToken=" + PercentEncoding.encode(address.apiToken)
        if let token { target += "&ckWebAuthToken=" + PercentEncoding.encode(token) }
        target += "&clientId=" + PercentEncoding.encode(store.settings.deviceID)
        let request = HTTPRequest(
            method: "POST", target: target, headers: ["Content-Type": "application/json; charset=UTF-8"], body: body)
        return try await transport.send(request, timeout: timeout)
    }

    // MARK: - Who asks

    /// The user record name of the signed-in account in a container, or `nil` when nobody is signed in.
    package func userRecordName(
        in container: ContainerID, for principal: Principal = .anybody
    ) async throws -> String? {
        try await webSession(for: try address(of: container), principal)?.userRecordName
    }

    /// The account to work for, as long as it is signed in; `nil` for work of nobody.
    /// - Throws: `authenticationFailed` when it is not any more.
    package func account(for principal: Principal) throws(CloudError) -> DeviceSettings.Account? {
        let current = store.settings.account
        switch principal {
        case .anybody: return current
        case .nobody: return nil
        case .account(let account):
            if account == current { return account }
            let event = current == nil ? "the device was signed out" : "somebody else signed in on the device"
            throw CloudError(.authenticationFailed, "\(event) before this work was done", nativeCode: 9)
        }
    }

    private func webSession(for address: CloudAddress, _ principal: Principal) async throws -> WebSession? {
        guard let account = try account(for: principal) else { return nil }
        let key = WebSessions.Key(address: address, deviceSession: account.session)
        return try await sessions.session(key) { [self] in
            try await startWebSession(key)
        }
    }

    private func startWebSession(_ key: WebSessions.Key) async throws -> WebSession {
        do {
            let grant = try await CumuletCalls.webToken(
                server: key.address.server, deviceSession: key.deviceSession, container: key.address.container,
                environment: key.address.environment, apiToken: key.address.apiToken, transport: transport)
            noteSession(key.deviceSession, isRefused: false)
            return WebSession(key: key, token: grant.token, userRecordName: grant.userRecordName)
        } catch let error as CloudError where error.nativeCode == NativeCode.accountTemporarilyUnavailable {
            noteSession(key.deviceSession, isRefused: true)
            throw error
        }
    }

    // MARK: - A session that has ended

    /// Whether the service does not take the signed-in device's session any more, as far as this process has learned.
    package var isSessionRefused: Bool {
        guard let session = store.settings.deviceSession else { return false }
        return refusal.withLock { $0.session == session }
    }

    /// Calls `handler` whenever ``isSessionRefused`` may have changed.
    package func onRefusal(_ handler: @escaping @Sendable () -> Void) { refusal.withLock { $0.handler = handler } }

    private func noteSession(_ session: String, isRefused: Bool) {
        let handler = refusal.withLock { refusal -> (@Sendable () -> Void)? in
            guard isRefused != (refusal.session == session) else { return nil }
            refusal.session = isRefused ? session : nil
            return refusal.handler
        }
        handler?()
    }
}

/// The device session that the service refused last.
private struct SessionRefusal {
    var session: String?
    var handler: (@Sendable () -> Void)?
}

/// Codes that the service tells besides its own.
package enum NativeCode {
    /// The device's session has ended: its owner has to sign in again.
    package static let accountTemporarilyUnavailable = 36
    /// No network that the work may use leads to the service.
    package static let networkUnavailable = 3
}

/// What code has set for a container.
package struct AddressOverride: Hashable, Sendable {
    package var server: String?
    package var apiToken: String?
    package var environment: CloudEnvironment?

    package init(server: String? = nil, apiToken: String? = nil, environment: CloudEnvironment? = nil) {
        self.server = server
        self.apiToken = apiToken
        self.environment = environment
    }
}

package enum ServiceAddress {
    /// Where `cumulet dev` listens.
    package static let `default` = "http://127.0.0.1:8787"
}
