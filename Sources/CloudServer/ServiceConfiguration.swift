/// How a service behaves and whom it tells.
package struct ServiceConfiguration: Sendable {
    package enum Mode: Sendable {
        /// For one developer: containers, API tokens and accounts come with their first use.
        case dev
        /// For people: an administrator makes everything.
        case serve
    }

    package var mode: Mode
    /// The address that clients reach the service at; `nil` takes it from each request.
    package var publicAddress: PublicAddress?
    /// What administrative calls must show; `nil` refuses them all.
    package var adminSecret: String?
    /// The longest wait of a poll.
    package var longestPoll: Duration = .seconds(55)
    /// How long a web session lives, in milliseconds.
    package var webSessionLifetime: Int64 = 14 * 86_400_000
    /// Whether each answer's web token replaces the one that the request carried, at the price of a write a request.
    /// Else a session's tokens are good until it ends, so that a client may send several requests at once.
    package var strictWebTokens = false
    /// How often files of assets that nobody needs are removed; `nil`: never.
    package var collectsAssetsEvery: Duration?
    /// Whether a server-to-server key may sign a request with an empty hash though it has a body, as some clients do with
    /// large ones. The signature does not protect such a body.
    package var allowsUnhashedBodies = false
    /// Milliseconds since 1970.
    package var clock: @Sendable () -> Int64
    package var log: @Sendable (RequestLogEntry) -> Void

    package init(
        mode: Mode, publicAddress: PublicAddress? = nil, adminSecret: String? = nil,
        clock: @escaping @Sendable () -> Int64 = SystemTime.milliseconds,
        log: @escaping @Sendable (RequestLogEntry) -> Void = { _ in }
    ) {
        self.mode = mode
        self.publicAddress = publicAddress
        self.adminSecret = adminSecret
        self.clock = clock
        self.log = log
    }
}

extension ServiceConfiguration {
    /// What the service's address has before the protocol's paths; mostly empty.
    var pathPrefix: String { publicAddress?.pathPrefix ?? "" }

    /// - Parameter host: What the request says in `Host`.
    func clientAddress(host: String?) -> ClientAddress { ClientAddress(configured: publicAddress, host: host) }
}

/// The address that a client reaches the service at. It is made when it is asked for: few answers have it.
struct ClientAddress: Sendable {
    /// Counts before all else.
    let configured: PublicAddress?
    /// What the client says; what can be no host counts as absent.
    let host: String?

    var url: String {
        if let configured { return configured.description }
        if let host, host.utf8.count <= 255, let address = PublicAddress("http://" + host), address.pathPrefix.isEmpty,
            !host.contains("/")
        {
            return address.description
        }
        return "http://127.0.0.1:8787"
    }
}

/// What the log tells of one request. It holds no token, password or body.
package struct RequestLogEntry: Hashable, Sendable {
    /// Milliseconds since 1970, when the request came.
    package var time: Int64
    /// The user record name, `admin`, or `-` for nobody.
    package var caller: String
    /// The operation with its database, for example `private/records/query`; the method and path where none matched.
    package var operation: String
    package var status: Int
    package var milliseconds: Double
    /// Code and reason of the answer, if the request was refused.
    package var reason: String?
    /// What only the operator may read, such as the database's own words.
    package var detail: String?

    package init(
        time: Int64, caller: String, operation: String, status: Int, milliseconds: Double, reason: String? = nil,
        detail: String? = nil
    ) {
        self.time = time
        self.caller = caller
        self.operation = operation
        self.status = status
        self.milliseconds = milliseconds
        self.reason = reason
        self.detail = detail
    }
}
