import CloudCore
import CloudStorage
import CloudWire
import HTTPCore

/// Who asks.
enum Caller: Hashable, Sendable {
    /// Somebody with an API token: reads of the public database.
    case anonymous
    case user(User)
    /// A server-to-server key: acts in the public database as the one user made for it.
    case serverKey(User)

    /// Who acts: a person, or what stands for a key.
    struct User: Hashable, Sendable {
        let account: Int64
        /// The user record name in the container.
        let name: String
        /// What stands for the client when it gives no `clientId`.
        let sessionID: String
        /// The sign-in of the device that asks, if it is one.
        let deviceSession: Int64?
    }

    var logName: String {
        switch self {
        case .anonymous: "-"
        case .user(let user), .serverKey(let user): user.name
        }
    }

    /// The user record name of who acts; `nil` for nobody.
    var userRecordName: String? {
        switch self {
        case .anonymous: nil
        case .user(let user), .serverKey(let user): user.name
        }
    }
}

/// One request to an operation: who asks, of which database, from which client. Its operation may be carried out.
struct Call: Sendable {
    let container: ContainerID
    let environment: CloudEnvironment
    let caller: Caller
    let database: DatabaseID
    let clientID: String?
    /// The address that the client reaches the service at.
    let address: ClientAddress
    let wantsSyncToken: Bool
    /// What somebody without an account is told when he would need one; `nil` for users.
    let signInRefusal: CloudError?

    /// - Throws: `AUTHENTICATION_REQUIRED` with the sign-in page when the operation wants a user and none asks.
    init(
        _ route: DatabaseRoute, caller: Caller, head: RequestHead
    ) throws(CloudError) {
        let target = head.target
        let scope = route.scope ?? .public
        var owner = DatabaseID.publicOwner
        switch caller {
        case .user(let user), .serverKey(let user):
            owner = user.name
            signInRefusal = nil
        case .anonymous:
            let refusal = SignInPage.required(
                for: route, target: target, origin: head.headers["Origin"], serviceURL: head.address.url)
            guard route.operation.allowsAnonymous, scope == .public else { throw refusal }
            signInRefusal = refusal
        }
        let clientID = target["clientId"].flatMap { $0.isEmpty ? nil : $0 }
        try Self.checkClientID(clientID)
        container = route.container
        environment = route.environment
        self.caller = caller
        self.clientID = clientID
        address = head.address
        wantsSyncToken = target.flag("getCurrentSyncToken")
        database = DatabaseID(container: container, environment: environment, scope: scope, owner: owner)
    }

    /// - Throws: `BAD_REQUEST` when no client can have that identifier.
    static func checkClientID(_ id: String?) throws(CloudError) {
        guard let id, let violation = NameRule.labelViolation(in: id, of: "clientId") else { return }
        throw CloudError(.badRequest, violation, nativeCode: 12)
    }

    /// The client that a push token is for: the one the body names, the request's, or the session.
    func client(_ named: String?) throws(CloudError) -> String {
        try Self.checkClientID(named)
        if let known = named ?? clientID { return known }
        return try actor.sessionID
    }

    /// The owner of a zone that the request names without one.
    var owner: String { database.owner }

    /// The zone that the request means; `nil` means the default zone.
    func zone(_ zone: WireZoneID?) -> ZoneID { (zone ?? .default).resolved(owner: owner) }

    /// The account that asks, if one does.
    var account: Int64? { if case .user(let user) = caller { user.account } else { nil } }

    /// Who acts, person or key.
    var actor: Caller.User {
        get throws(CloudError) {
            switch caller {
            case .user(let user), .serverKey(let user): return user
            case .anonymous:
                throw CloudError(.authenticationRequired, "request needs authorization", nativeCode: 9)
            }
        }
    }

    /// The person who asks, for what a key cannot do.
    /// - Throws: `AUTHENTICATION_FAILED` for a server-to-server key.
    var user: Caller.User {
        get throws(CloudError) {
            if case .serverKey = caller {
                throw Authenticator.failed("the operation needs a user; a server-to-server key is none")
            }
            return try actor
        }
    }

    var writer: Writer {
        get throws(CloudError) {
            Writer(userName: try actor.name, deviceID: clientID ?? "2", clientID: clientID)
        }
    }
}
