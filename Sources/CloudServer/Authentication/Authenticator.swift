import CloudCore
import CloudCrypto
import CloudStorage
import HTTPCore
import Synchronization

/// Finds out who asks. What it found it remembers, so that a request by a known caller reads nothing.
final class Authenticator: Sendable {
    private struct Binding: Hashable {
        let container: ContainerID
        let environment: CloudEnvironment
    }

    private struct APIToken {
        let binding: Binding
        let origins: [WebOrigin]
    }

    private struct Memory {
        var secret: [UInt8]?
        var apiTokens: [String: APIToken] = [:]
        var sessions: [[UInt8]: WebSession] = [:]
        var serverKeys: [String: (ServerKey, P256PublicKey)] = [:]
        /// Rises when all is forgotten, so that what was read before is not remembered after.
        var generation = 0
    }

    /// The refusal of a credential, which `why` names.
    static func failed(_ why: String) -> CloudError {
        CloudError(.authenticationFailed, "Authentication failed: \(why)", nativeCode: 9)
    }

    private static let remembered = 20_000

    private let store: CloudStore
    private let configuration: ServiceConfiguration
    private let memory = Mutex(Memory())

    init(store: CloudStore, configuration: ServiceConfiguration) {
        self.store = store
        self.configuration = configuration
    }

    /// Judges what the head of a request shows of who sends it; its body need not have come yet.
    /// - Throws: `BAD_REQUEST` for no credentials at all; `AUTHENTICATION_FAILED` for wrong ones;
    ///   `AUTHENTICATION_REQUIRED` with the sign-in page for a session that is over; `ACCESS_DENIED` where a key opens
    ///   nothing.
    func admit(_ head: RequestHead, to route: DatabaseRoute) async throws -> Admission {
        let target = head.target
        guard let signature = try RequestSignature(head.headers) else {
            return try await admitByTokens(head, to: route)
        }
        for name in ["ckAPIToken", "ckWebAuthToken", "ckSession"] where target[name] != nil {
            throw Self.failed("the request has a signature and the query parameter \(name): send one of them")
        }
        try signature.requireTimely(now: configuration.clock(), window: store.limits.signatureSeconds)
        let (key, publicKey) = try await serverKey(signature.keyID, for: route)
        guard route.scope ?? .public == .public else {
            throw CloudError(
                .accessDenied, "a server-to-server key opens the public database only", nativeCode: 10)
        }
        let actor = Caller.User(
            account: key.account, name: key.userRecordName, sessionID: key.id, deviceSession: nil)
        return Admission(
            caller: .serverKey(actor), freshToken: nil, rateKey: .account(key.account),
            claim: SignatureClaim(
                signature: signature, key: publicKey, target: head.rawTarget, prefix: configuration.pathPrefix,
                allowsUnhashed: configuration.allowsUnhashedBodies))
    }

    /// By query parameters. The web token that the request carried stays good until its session ends, unless web tokens
    /// are strict: then the fresh one replaces it.
    private func admitByTokens(_ head: RequestHead, to route: DatabaseRoute) async throws -> Admission {
        let (target, origin) = (head.target, head.headers["Origin"])
        guard let apiToken = target.token("ckAPIToken"), !apiToken.isEmpty else {
            throw CloudError(
                .badRequest,
                "no credentials: the query parameter ckAPIToken is missing, and so are a server-to-server key's headers",
                nativeCode: 9)
        }
        let origins = try await authorize(apiToken, container: route.container, environment: route.environment)
        if let origin, !origins.isEmpty {
            guard let page = WebOrigin(of: origin), allows(page, origins) else {
                throw Self.failed("the origin '\(origin)' is not one of ckAPIToken's")
            }
        }
        guard let text = target.token("ckWebAuthToken") ?? target.token("ckSession"), !text.isEmpty else {
            return Admission(caller: .anonymous, freshToken: nil, rateKey: .apiToken(apiToken), claim: nil)
        }
        let key = try await secret()
        guard let token = WebAuthToken(text, key: key) else {
            throw Self.failed("ckWebAuthToken was not made by this service or has been altered")
        }
        guard let session = try await configuration.strictWebTokens ? replacing(token, for: route) : session(of: token)
        else {
            throw SignInPage.required(for: route, target: target, origin: origin, serviceURL: head.address.url)
        }
        guard session.container == route.container, session.environment == route.environment else {
            throw Self.failed("ckWebAuthToken is of another container or environment")
        }
        let fresh = WebAuthToken(
            sessionID: session.id, secret: session.secret, issued: configuration.clock()
        ).encoded(key: key)
        let user = Caller.User(
            account: session.account, name: session.userName, sessionID: Hex.encode(session.id),
            deviceSession: session.deviceSession)
        return Admission(
            caller: .user(user), freshToken: fresh, rateKey: .account(session.account), claim: nil)
    }

    /// Whether a page of that origin may ask with an API token and be handed a web token. This machine is always allowed
    /// in `dev`.
    func allows(_ origin: WebOrigin, _ listed: [WebOrigin]) -> Bool {
        listed.contains(origin) || configuration.mode == .dev && origin.isLoopback
    }

    /// - Returns: The origins that the API token was made for.
    /// - Throws: `AUTHENTICATION_FAILED` unless the API token is for that container and environment.
    @discardableResult
    func authorize(_ apiToken: String, container: ContainerID, environment: CloudEnvironment) async throws
        -> [WebOrigin]
    {
        let wanted = Binding(container: container, environment: environment)
        let (known, generation) = memory.withLock { ($0.apiTokens[apiToken], $0.generation) }
        if let known {
            guard known.binding == wanted else { throw Self.notFor(wanted) }
            return known.origins
        }
        guard apiToken.utf8.count == 64 else { throw Self.failed("ckAPIToken is not 64 hexadecimal digits") }
        let found = try await store.read { transaction in
            try transaction.apiToken(apiToken).map { found in
                APIToken(
                    binding: Binding(container: found.container, environment: found.environment),
                    origins: try transaction.origins(ofAPIToken: apiToken).compactMap { WebOrigin(of: $0) })
            }
        }
        if let found {
            guard found.binding == wanted else { throw Self.notFor(wanted) }
        } else {
            guard configuration.mode == .dev else { throw Self.notFor(wanted) }
            try await store.write { transaction in
                try ContainerUse.require(container, in: transaction)
                try transaction.adoptAPIToken(apiToken, container: container, environment: environment)
            }
        }
        let token = found ?? APIToken(binding: wanted, origins: [])
        memory.withLock {
            guard $0.generation == generation else { return }
            if $0.apiTokens.count >= Self.remembered { $0.apiTokens.removeAll() }
            $0.apiTokens[apiToken] = token
        }
        return token.origins
    }

    /// One reason for unknown tokens, those of others and unknown containers: nobody learns which containers exist.
    private static func notFor(_ binding: Binding) -> CloudError {
        failed("ckAPIToken is not one of container '\(binding.container)' in \(binding.environment)")
    }

    /// Forgets all callers: sessions or API tokens ended.
    func forget() {
        memory.withLock {
            $0.apiTokens.removeAll()
            $0.sessions.removeAll()
            $0.serverKeys.removeAll()
            $0.generation += 1
        }
    }

    /// A key of the route's container and environment. One reason for keys that are unknown, revoked and of others.
    private func serverKey(_ id: String, for route: DatabaseRoute) async throws -> (ServerKey, P256PublicKey) {
        let (known, generation) = memory.withLock { ($0.serverKeys[id], $0.generation) }
        var found = known
        if found == nil, let key = try await store.read({ try $0.serverKey(id) }) {
            guard let publicKey = P256PublicKey(der: key.publicKey) else {
                throw CloudError(.internalError, "the server-to-server key '\(key.id)' is damaged")
            }
            found = (key, publicKey)
            memory.withLock {
                guard $0.generation == generation else { return }
                if $0.serverKeys.count >= Self.remembered { $0.serverKeys.removeAll() }
                $0.serverKeys[id] = (key, publicKey)
            }
        }
        guard let found, found.0.container == route.container, found.0.environment == route.environment else {
            throw Self.failed(
                "the server-to-server key '\(id.prefix(64))' is not one of container '\(route.container)' in "
                    + "\(route.environment)")
        }
        return found
    }

    private func session(of token: WebAuthToken) async throws -> WebSession? {
        let (known, generation) = memory.withLock { ($0.sessions[token.sessionID], $0.generation) }
        if let known {
            guard Crypto.equal(known.secret, token.secret), known.expires > configuration.clock() else { return nil }
            return known
        }
        let found = try await store.read { try $0.webSession(id: token.sessionID, secret: token.secret) }
        guard let found else { return nil }
        memory.withLock {
            guard $0.generation == generation else { return }
            if $0.sessions.count >= Self.remembered { $0.sessions.removeAll() }
            $0.sessions[found.id] = found
        }
        return found
    }

    /// The session of a token, which is spent with this where it is for the route; `nil` when the session is over.
    private func replacing(_ token: WebAuthToken, for route: DatabaseRoute) async throws -> WebSession? {
        try await store.write { transaction in
            if let session = try transaction.webSession(id: token.sessionID, secret: token.secret) {
                guard session.container == route.container, session.environment == route.environment else {
                    return session
                }
                return try transaction.rotateWebSession(id: token.sessionID, secret: token.secret)
            }
            guard try transaction.isWebSessionLive(id: token.sessionID) else { return nil }
            throw Self.failed("ckWebAuthToken is spent: the answer to the request that carried it brought the next one")
        }
    }

    private func secret() async throws -> [UInt8] {
        if let secret = memory.withLock({ $0.secret }) { return secret }
        let secret = try await store.read { $0.secret }
        memory.withLock { $0.secret = secret }
        return secret
    }
}
