import CloudCore
import CloudStorage
import CloudWire

/// An operation of the protocol: decoded body in, answer out, in one transaction. It sees neither HTTP nor SQL.
protocol ServiceOperation: Sendable {
    associatedtype Body: WireBody
    associatedtype Answer: WireBody
    static var isWrite: Bool { get }
    /// The database whose data the request changes, so that what changes one database is committed together; `nil` when
    /// that is none, or not known before it is looked up.
    static func changedDatabase(_ body: Body, for call: Call) -> DatabaseID?
    /// What it throws ends the request and undoes it; what concerns one item is in the answer.
    static func perform(_ body: Body, for call: Call, in transaction: CloudTransaction) throws -> Answer
    /// What ``perform(_:for:in:)`` will read, as far as that is known.
    static func ahead(_ body: Body, for call: Call) -> ReadAhead?
}

extension ServiceOperation {
    static func changedDatabase(_ body: Body, for call: Call) -> DatabaseID? { call.database }
    static func ahead(_ body: Body, for call: Call) -> ReadAhead? { nil }
}

/// An operation as the router knows it.
struct Operation: Sendable {
    let name: String
    let methods: [String]
    /// The databases it applies to; none for operations of the device.
    let scopes: Set<DatabaseScope>
    /// Whether the public database answers it without a user.
    let allowsAnonymous: Bool
    let run: @Sendable (_ body: [UInt8], Call, CloudStore) async throws -> [UInt8]

    private init<O: ServiceOperation>(
        _ name: String, _ operation: O.Type, methods: [String] = ["POST"], scopes: Set<DatabaseScope>,
        allowsAnonymous: Bool = false
    ) {
        self.name = name
        self.methods = methods
        self.scopes = scopes
        self.allowsAnonymous = allowsAnonymous
        run = { bytes, call, store in
            let body = try O.Body.decode(bytes)
            let perform = { @Sendable (transaction: CloudTransaction) throws in
                (try O.perform(body, for: call, in: transaction), AssetLinks.presenter(for: call, in: transaction))
            }
            let (answer, presenter) =
                O.isWrite
                ? try await store.write(
                    for: O.changedDatabase(body, for: call), ahead: O.ahead(body, for: call), perform)
                : try await store.read(perform)
            return answer.encode(presenter: presenter)
        }
    }

    private static let everywhere: Set<DatabaseScope> = [.public, .private, .shared]
    private static let ofUsers: Set<DatabaseScope> = [.private, .shared]

    static let named: [String: Operation] = {
        let all = [
            Operation("records/query", RecordsQuery.self, scopes: everywhere, allowsAnonymous: true),
            Operation("records/lookup", RecordsLookup.self, scopes: everywhere, allowsAnonymous: true),
            Operation("records/modify", RecordsModify.self, scopes: everywhere),
            Operation("records/resolve", RecordsResolve.self, scopes: [.public], allowsAnonymous: true),
            Operation("records/accept", RecordsAccept.self, scopes: [.public]),
            Operation("records/requestaccess", RecordsRequestAccess.self, scopes: [.public]),
            Operation("records/changes", RecordsChanges.self, scopes: ofUsers),
            Operation("zones/list", ZonesList.self, methods: ["GET", "POST"], scopes: everywhere),
            Operation("zones/lookup", ZonesLookup.self, scopes: everywhere),
            Operation("zones/modify", ZonesModify.self, scopes: [.private]),
            Operation("zones/changes", ChangesDatabase.self, scopes: ofUsers),
            Operation("changes/database", ChangesDatabase.self, scopes: ofUsers),
            Operation("changes/zone", ChangesZone.self, scopes: ofUsers),
            Operation("subscriptions/list", SubscriptionsList.self, methods: ["GET", "POST"], scopes: everywhere),
            Operation("subscriptions/lookup", SubscriptionsLookup.self, scopes: everywhere),
            Operation("subscriptions/modify", SubscriptionsModify.self, scopes: everywhere),
            Operation("users/caller", UsersCaller.self, methods: ["GET", "POST"], scopes: [.public, .private]),
            Operation("users/current", UsersCurrent.self, methods: ["GET", "POST"], scopes: [.public]),
            Operation("assets/upload", AssetsUpload.self, scopes: everywhere),
            Operation("assets/rereference", AssetsRereference.self, scopes: everywhere),
            Operation("users/discover", UsersDiscover.self, methods: ["GET", "POST"], scopes: [.public]),
            Operation("users/lookup/email", UsersLookup.self, scopes: [.public]),
            Operation("users/lookup/id", UsersLookup.self, scopes: [.public]),
            Operation("users/lookup/contacts", UsersLookupContacts.self, scopes: [.public]),
            Operation("tokens/create", TokensCreate.self, scopes: [], allowsAnonymous: true),
            Operation("tokens/register", TokensRegister.self, scopes: [], allowsAnonymous: true),
        ]
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }()
}
