import CloudCore
import CloudCrypto
package import CloudStorage
package import HTTPCore
import Synchronization

/// The service: answers the requests of the protocol from a store.
package final class CloudService: HTTPResponder {
    private let store: CloudStore
    private let configuration: ServiceConfiguration
    private let authenticator: Authenticator
    private let accounts: AccountCalls
    private let admin: AdminCalls
    private let page: SignInPage
    private let sharePage: SharePage
    private let bodies: RequestBodies
    private let rates: RateLimiter
    private let courier = Courier()
    private let courierCalls: CourierCalls
    private let assets: AssetCalls
    private let following: Task<Void, Never>
    private let collecting: Task<Void, Never>?

    /// - Parameter assets: Where files are kept; without a folder of its own a temporary one.
    package init(store: CloudStore, configuration: ServiceConfiguration, assets: AssetHome = AssetHome()) {
        let authenticator = Authenticator(store: store, configuration: configuration)
        let guardian = SignInGuard(store: store, configuration: configuration)
        self.store = store
        self.configuration = configuration
        self.authenticator = authenticator
        let rates = RateLimiter(limits: store.limits)
        self.rates = rates
        self.assets = AssetCalls(store: store, home: assets, rates: rates)
        bodies = RequestBodies(limit: store.limits.requestBytes)
        accounts = AccountCalls(
            store: store, configuration: configuration, authenticator: authenticator, guardian: guardian)
        admin = AdminCalls(store: store) { authenticator.forget() }
        page = SignInPage(
            store: store, configuration: configuration, authenticator: authenticator, guardian: guardian)
        sharePage = SharePage(store: store, configuration: configuration, guardian: guardian)
        courierCalls = CourierCalls(store: store, configuration: configuration, courier: courier)
        let follower = NewsFollower(store: store, courier: courier, authenticator: authenticator) { detail in
            configuration.log(
                RequestLogEntry(
                    time: configuration.clock(), caller: "-", operation: "push", status: 500, milliseconds: 0,
                    reason: "INTERNAL_ERROR: pushes wait in the outbox", detail: detail))
        }
        following = Task {
            await follower.finishErasures()
            await follower.run()
        }
        collecting = configuration.collectsAssetsEvery.map { interval in
            let sweeper = AssetSweeper(
                store: store, home: assets, interval: interval, clock: configuration.clock
            ) { detail in
                configuration.log(
                    RequestLogEntry(
                        time: configuration.clock(), caller: "-", operation: "asset/collection", status: 500,
                        milliseconds: 0, reason: "INTERNAL_ERROR: files of assets wait for their collection",
                        detail: detail))
            }
            return Task { await sweeper.run() }
        }
    }

    deinit {
        following.cancel()
        collecting?.cancel()
    }

    /// Answers all parked polls, now and from now on, and ends the delivery of pushes and the collection of files. Other
    /// requests are still served.
    package func drain() async {
        courier.drain()
        following.cancel()
        collecting?.cancel()
        await following.value
        await collecting?.value
    }

    /// The number of polls that wait for a push.
    package var parkedPolls: Int { courier.parked }

    package func streamsBody(of head: HTTPRequest) -> Bool {
        // Most requests, told without taking their target apart twice.
        if head.target.hasPrefix(configuration.pathPrefix + "/database/") { return RequestBodies.areStreamed(of: head) }
        do {
            switch try Router.match(RequestTarget(head.target, without: configuration.pathPrefix)) {
            case .assetUpload: return Route.uploadMethods.contains(head.method)
            case .operation: return RequestBodies.areStreamed(of: head)
            default: return false
            }
        } catch {
            return RequestBodies.areStreamed(of: head)  // no such operation: it is refused, body unread
        }
    }

    package func respond(to request: HTTPRequest) async -> HTTPResponse {
        let start = ContinuousClock.now
        let uuid = UniqueID.make()
        let target = RequestTarget(request.target, without: configuration.pathPrefix)
        var entry = RequestLogEntry(
            time: configuration.clock(), caller: "-", operation: "", status: 0, milliseconds: 0)
        var freshToken: String?
        var response: HTTPResponse
        do {
            response = try await answer(request, target, uuid: uuid, entry: &entry, freshToken: &freshToken)
        } catch {
            let refusal = Refusal(error)
            entry.reason = refusal.error.description
            entry.detail = refusal.detail
            response = ServiceReply.failure(refusal.error, uuid: uuid)
            if let status = refusal.status { response.status = status }
        }
        if entry.operation.isEmpty {  // no route: tell the path
            entry.operation = "\(request.method.prefix(20)) /\(RequestTarget.shown(target.segments))"
        }
        if let freshToken {
            response.headers.append("X-Apple-CloudKit-Web-Auth-Token", freshToken)
            response.headers.append("X-Apple-CloudKit-Session", freshToken)
        }
        let duration = (ContinuousClock.now - start).components
        entry.milliseconds = Double(duration.seconds) * 1000 + Double(duration.attoseconds) / 1e15
        entry.status = response.status
        configuration.log(entry)
        return response
    }

    /// route → caller → decode → perform and commit → encode
    private func answer(
        _ request: HTTPRequest, _ target: RequestTarget, uuid: String, entry: inout RequestLogEntry,
        freshToken: inout String?
    ) async throws -> HTTPResponse {
        let route = try Router.match(target)
        entry.operation = route.name
        if request.method == "OPTIONS" { return ServiceReply.options(uuid: uuid) }
        guard route.methods.contains(request.method) else {
            entry.reason = "method \(request.method) not allowed"
            return ServiceReply.wrongMethod(allowed: route.methods, uuid: uuid)
        }
        guard request.body.count <= store.limits.requestBytes else { return tooLarge() }
        switch route {
        case .health: return ServiceReply.json(Array(#"{"status":"ok"}"#.utf8), uuid: uuid)
        case .courier: return try await courierCalls.poll(target, uuid: uuid)
        case .assetUpload(let token): return try await assets.upload(token, request, uuid: uuid, entry: &entry)
        case .assetDownload(let token): return try await assets.download(token, request, uuid: uuid, entry: &entry)
        case .signInPage: return try await page.respond(to: request, target: target)
        case .sharePage(let wanted): return try await sharePage.respond(wanted, to: request, target: target)
        case .account(let call):
            return ServiceReply.json(try await accounts.perform(call, request.body), uuid: uuid)
        case .admin(let call):
            try requireAdmin(request.headers["X-Cumulet-Admin"])
            entry.caller = "admin"
            return ServiceReply.json(try await admin.perform(call, request.body), uuid: uuid)
        case .operation(let route):
            return try await perform(
                route, request, target, uuid: uuid, entry: &entry, freshToken: &freshToken)
        }
    }

    /// Whoever asks is judged by the head, before a body of any size is taken in.
    private func perform(
        _ route: DatabaseRoute, _ request: HTTPRequest, _ target: RequestTarget, uuid: String,
        entry: inout RequestLogEntry, freshToken: inout String?
    ) async throws -> HTTPResponse {
        let head = RequestHead(
            target: target, rawTarget: request.target, headers: request.headers,
            address: configuration.clientAddress(host: request.headers["Host"]))
        let admission = try await authenticator.admit(head, to: route)
        freshToken = admission.freshToken
        if admission.claim == nil {
            entry.caller = admission.caller.logName
            try rates.count(admission.rateKey, now: configuration.clock())
        }
        let call = try Call(route, caller: admission.caller, head: head)
        guard var body = try await bodies.whole(of: request) else { return tooLarge() }
        if let claim = admission.claim {
            try claim.verify(body)
            entry.caller = admission.caller.logName
            try rates.count(admission.rateKey, now: configuration.clock())
        }
        if request.method == "GET" || body.isEmpty { body = Array("{}".utf8) }
        return ServiceReply.json(try await route.operation.run(body, call, store), uuid: uuid)
    }

    /// - Throws: `ACCESS_DENIED` unless the secret is the configured one.
    private func requireAdmin(_ secret: String?) throws(CloudError) {
        guard let secret, let wanted = configuration.adminSecret, !wanted.isEmpty,
            Crypto.equal(Array(secret.utf8), Array(wanted.utf8))
        else { throw CloudError(.accessDenied, "the administrator's secret is needed", nativeCode: 10) }
    }

    private func tooLarge() -> HTTPResponse {
        Self.transportFailure(
            status: 413,
            reason: "the request's body is over the limit of \(store.limits.requestBytes) bytes (requestBytes)")
    }
}
