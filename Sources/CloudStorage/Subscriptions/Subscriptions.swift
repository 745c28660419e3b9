package import CloudCore
import SQLCore

/// A row of the `subscription` table.
struct StoredSubscription {
    /// The rows' key within a database.
    struct Key: Hashable {
        let user: ExactName
        let id: ExactName
    }

    let user: String
    let subscription: Subscription

    /// - Parameter row: Its first columns are the user's name and the content.
    init(_ row: any SQLRow) throws {
        user = row.text(0)
        subscription = try SubscriptionCodec.decode(row.blob(1))
    }

    var key: Key { Key(user: ExactName(user), id: ExactName(subscription.id)) }
}

extension CloudTransaction {
    /// The user's subscriptions in the database, by id.
    package func subscriptions(in databaseID: DatabaseID, of user: String) throws -> [Subscription] {
        try storedSubscriptions(in: subscriptionDatabase(databaseID), user: user).map(\.subscription)
    }

    package func subscription(_ id: String, in databaseID: DatabaseID, of user: String) throws -> Subscription? {
        try storedSubscriptions(in: subscriptionDatabase(databaseID), user: user).first {
            $0.subscription.id.utf8.elementsEqual(id.utf8)
        }?.subscription
    }

    /// Fields of the record that a push has at most.
    static let pushedFields = 3

    /// Saves or replaces the subscription; the same content under another id is refused.
    package func saveSubscription(_ subscription: Subscription, in databaseID: DatabaseID, of user: String) throws {
        if let violation = NameRule.labelViolation(in: subscription.id, of: "subscriptionID") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        if let fields = subscription.notificationInfo?.additionalFields, fields.count > Self.pushedFields {
            throw CloudError(
                .badRequest,
                "the subscription asks for \(fields.count) fields in its pushes; at most \(Self.pushedFields) are sent",
                nativeCode: 12)
        }
        let database = try subscriptionDatabase(databaseID)
        try check(subscription.kind, in: databaseID)
        let known = try storedSubscriptions(in: database, user: user)
        let same = known.first { $0.subscription.id.utf8.elementsEqual(subscription.id.utf8) }
        if same?.subscription == subscription { return }
        if let other = known.first(where: { $0.key != same?.key && $0.subscription.kind == subscription.kind }) {
            throw CloudError(
                .badRequest,
                "subscription '\(subscription.id)' is a duplicate of subscription '\(other.subscription.id)'",
                nativeCode: 15)
        }
        if same == nil, known.count >= limits.subscriptionsPerUser {
            throw CloudError(
                .badRequest,
                "the user has \(known.count) subscriptions in the database; at most \(limits.subscriptionsPerUser) are "
                    + "allowed", nativeCode: 27)
        }
        if let same { try removeSubscription(same, in: database) }
        memory.subscriptions = [:]
        try connection.post(
            "INSERT INTO subscription (db, user_name, name, record_type, content) VALUES (?1, ?2, ?3, ?4, ?5)",
            .integer(database.row), .text(user), .text(subscription.id), .text(subscription.recordType ?? ""),
            .blob(SubscriptionCodec.encode(subscription)))
    }

    package func deleteSubscription(_ id: String, in databaseID: DatabaseID, of user: String) throws {
        memory.subscriptions = [:]
        // No subscription has a NUL in its id, and not every database takes one in a text.
        let isPossible = !id.utf8.contains(0)
        guard isPossible,
            try connection.execute(
                "DELETE FROM subscription WHERE db = ?1 AND user_name = ?2 AND name = ?3",
                .integer(subscriptionDatabase(databaseID).row), .text(user), .text(id)) > 0
        else {
            throw CloudError(.notFound, "Subscription '\(id)' not found", nativeCode: 11)
        }
    }

    /// A shared view has no row of its own; its subscriptions are kept under one made for them.
    private func subscriptionDatabase(_ id: DatabaseID) throws -> DatabaseRef {
        guard id.scope == .shared else { return try database(id) }
        func find() throws -> DatabaseRef? {
            let ref = try database(id)
            return ref.exists ? ref : nil
        }
        if let found = try find() { return found }
        guard isWritable else { return try database(id) }
        try makeDatabaseRow(id)
        return try database(id)
    }

    /// All subscriptions of a user, or with `nil` of everyone.
    func storedSubscriptions(in database: DatabaseRef, user: String?) throws -> [StoredSubscription] {
        guard database.exists else { return [] }
        let filter = user == nil ? "" : "AND user_name = ?2"
        return try storedSubscriptions(
            "WHERE db = ?1 \(filter) ORDER BY user_name, name",
            [.integer(database.row)] + (user.map { [.text($0)] } ?? []))
    }

    /// Subscriptions that a change of a record of this type may concern.
    func storedSubscriptions(in database: DatabaseRef, recordType: String) throws -> [StoredSubscription] {
        let key = BatchMemory.SubscriptionKey(database: database.row, recordType: ExactName(recordType))
        if let known = memory.subscriptions[key] { return known }
        let found = try storedSubscriptions(
            "WHERE db = ?1 AND record_type IN ('', ?2)", [.integer(database.row), .text(recordType)])
        if canRemember { memory.subscriptions[key] = found }
        return found
    }

    private func storedSubscriptions(_ condition: String, _ binds: [SQLValue]) throws -> [StoredSubscription] {
        var found: [StoredSubscription] = []
        try connection.query("SELECT user_name, content FROM subscription \(condition)", binds) { row in
            found.append(try StoredSubscription(row))
            return true
        }
        return found
    }

    func removeSubscription(_ stored: StoredSubscription, in database: DatabaseRef) throws {
        memory.subscriptions = [:]
        try connection.post(
            "DELETE FROM subscription WHERE db = ?1 AND user_name = ?2 AND name = ?3", .integer(database.row),
            .text(stored.user), .text(stored.subscription.id))
    }

    /// The type as the schema has it. In development a subscription may come before the first record of its type, as
    /// apps subscribe when they start; it makes no type, so that a query still says that the type is unknown.
    private func subscribedType(_ name: String, in databaseID: DatabaseID) throws -> RecordTypeSchema {
        if name != Sharing.recordType, let violation = NameRule.identifierViolation(in: name, of: "record type") {
            throw CloudError(.badRequest, violation, nativeCode: 12)
        }
        if let known = try SchemaSession(self, databaseID).type(named: name) { return known }
        guard databaseID.environment == .development else {
            throw CloudError(.badRequest, "Did not find record type: \(name)", nativeCode: 11)
        }
        return RecordTypeSchema(id: 0, name: name, fields: [:])
    }

    private func check(_ kind: Subscription.Kind, in databaseID: DatabaseID) throws {
        func refusal(_ reason: String) -> CloudError { CloudError(.badRequest, reason, nativeCode: 12) }
        let scope = databaseID.scope
        switch kind {
        case .query(let query, let zone, let firesOn, _):
            if scope == .shared {
                throw refusal("the shared database takes database subscriptions only, not query subscriptions")
            }
            if firesOn.isEmpty { throw refusal("a query subscription must fire on create, update or delete") }
            if let zone { _ = try access(to: zone, in: databaseID) }
            if query.recordType == UserRecord.type {
                throw refusal("records of type '\(UserRecord.type)' cannot be subscribed to")
            }
            let type = try subscribedType(query.recordType, in: databaseID)
            _ = try QueryCompiler(limits: limits, schema: type, allowsUnknownFields: true).matcher(query.filters)
        case .zone(let zone, let recordType):
            guard scope == .private else {
                throw refusal("the \(scope.pathName) database takes no zone subscriptions")
            }
            if zone.isDefault { throw refusal("the default zone takes no zone subscriptions") }
            _ = try access(to: zone, in: databaseID)
            if let recordType { _ = try subscribedType(recordType, in: databaseID) }
        case .database(let recordType):
            if scope == .public { throw refusal("the public database takes query subscriptions only") }
            if let recordType { _ = try subscribedType(recordType, in: databaseID) }
        }
    }
}

extension Subscription {
    /// The only record type it can fire for, if there is one.
    var recordType: String? {
        switch kind {
        case .query(let query, _, _, _): query.recordType
        case .zone(_, let recordType), .database(let recordType): recordType
        }
    }
}
