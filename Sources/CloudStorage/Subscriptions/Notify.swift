import CloudCore
import SQLCore

extension CloudTransaction {
    /// Puts into the outbox what the subscriptions of the database have to say about a modify's changes.
    func notify(_ session: ModifySession) throws {
        var byType: [String: [Listener]] = [:]
        var told: Set<StoredSubscription.Key> = []
        let zone = session.table.zone.id
        let identifier = RandomID.make()
        for change in session.changes {
            guard let record = change.new ?? change.old else { continue }
            let listeners: [Listener]
            if let known = byType[record.type] {
                listeners = known
            } else {
                listeners = try self.listeners(to: record.type, session)
                byType[record.type] = listeners
            }
            for listener in listeners where !told.contains(listener.key) {
                let stored = listener.stored
                let subject: PushPayloadWriter.Subject
                switch stored.subscription.kind {
                case .query(_, let wanted, let firesOn, let firesOnce):
                    guard wanted == nil || wanted == zone, firesOn.contains(change.event),
                        listener.matcher?.matches(record) == true
                    else { continue }
                    subject = .query(record, change.event)
                    if firesOnce {
                        told.insert(listener.key)
                        try removeSubscription(stored, in: session.database)
                    }
                case .zone(let wanted, _):
                    guard wanted == zone else { continue }
                    told.insert(listener.key)
                    subject = .zone(zone)
                case .database:
                    guard !zone.isDefault else { continue }
                    told.insert(listener.key)
                    subject = .database
                }
                try enqueue(subject, stored, session.database.id, identifier, origin: session.writer)
            }
        }
    }

    /// Tells database subscriptions that a zone came or went.
    func notifyZoneListChanged(in database: DatabaseRef, by writer: Writer) throws {
        let identifier = RandomID.make()
        for stored in try storedSubscriptions(in: database, user: nil) {
            guard case .database(recordType: nil) = stored.subscription.kind else { continue }
            try enqueue(.database, stored, database.id, identifier, origin: writer)
        }
    }

    /// A subscription ready to be asked about many records.
    private struct Listener {
        let stored: StoredSubscription
        let key: StoredSubscription.Key
        /// Of a query subscription whose predicate fits the type.
        let matcher: FilterMatcher?
    }

    private func listeners(to recordType: String, _ session: ModifySession) throws -> [Listener] {
        let subscriptions = try storedSubscriptions(in: session.database, recordType: recordType)
        guard !subscriptions.isEmpty else { return [] }
        let type = try session.schema.type(named: recordType)
        return subscriptions.map { stored in
            var matcher: FilterMatcher?
            if case .query(let query, _, _, _) = stored.subscription.kind, let type, query.recordType == type.name {
                // A field's type may have come after the subscription; a predicate that no longer fits matches nothing.
                let compiler = QueryCompiler(limits: limits, schema: type, allowsUnknownFields: true)
                matcher = try? compiler.matcher(query.filters)
            }
            return Listener(stored: stored, key: stored.key, matcher: matcher)
        }
    }

    func enqueue(
        _ subject: PushPayloadWriter.Subject, _ stored: StoredSubscription, _ database: DatabaseID,
        _ identifier: String,
        origin: Writer
    ) throws {
        let payload = PushPayloadWriter(
            database: database, notificationID: identifier, user: stored.user, subscription: stored.subscription
        ).payload(subject)
        try enqueuePush(
            OutboxEntry(
                container: database.container, environment: database.environment, userName: stored.user,
                payload: payload, collapseKey: CollapseKey.of(subject, stored.subscription, in: database),
                originClientID: stored.user == origin.userName ? origin.clientID : nil))
    }
}
