import CloudCore
import CloudCrypto
import SQLCore

extension CloudTransaction {
    /// Puts into the outbox what the subscriptions of the database have to say about a modify's changes.
    func notify(_ session: ModifySession) throws {
        var byType: [String: [StoredSubscription]] = [:]
        var told: Set<StoredSubscription.Key> = []
        let zone = session.table.zone.id
        let identifier = notificationID()
        for change in session.changes {
            guard let record = change.new ?? change.old else { continue }
            let subscriptions: [StoredSubscription]
            if let known = byType[record.type] {
                subscriptions = known
            } else {
                subscriptions = try storedSubscriptions(in: session.database, recordType: record.type)
                byType[record.type] = subscriptions
            }
            for stored in subscriptions where !told.contains(stored.key) {
                let subject: PushPayloadWriter.Subject
                switch stored.subscription.kind {
                case .query(let query, let wanted, let firesOn, let firesOnce):
                    guard wanted == nil || wanted == zone, firesOn.contains(change.event),
                        try matches(query, record, session)
                    else { continue }
                    subject = .query(record, change.event)
                    if firesOnce {
                        told.insert(stored.key)
                        try removeSubscription(stored, in: session.database)
                    }
                case .zone(let wanted, _):
                    guard wanted == zone else { continue }
                    told.insert(stored.key)
                    subject = .zone(zone)
                case .database:
                    guard !zone.isDefault else { continue }
                    told.insert(stored.key)
                    subject = .database
                }
                try enqueue(subject, stored, session.database.id, identifier, origin: session.writer)
            }
        }
    }

    /// Tells database subscriptions that a zone came or went.
    func notifyZoneListChanged(in database: DatabaseRef, by writer: Writer) throws {
        let identifier = notificationID()
        for stored in try storedSubscriptions(in: database, user: nil) {
            guard case .database(recordType: nil) = stored.subscription.kind else { continue }
            try enqueue(.database, stored, database.id, identifier, origin: writer)
        }
    }

    private func matches(_ query: RecordQuery, _ record: Record, _ session: ModifySession) throws -> Bool {
        guard let type = try session.schema.type(named: record.type), query.recordType == type.name else {
            return false
        }
        // A field's type may have come after the subscription; a predicate that no longer fits matches nothing.
        let compiler = QueryCompiler(limits: limits, schema: type, allowsUnknownFields: true)
        guard let matcher = try? compiler.matcher(query.filters) else { return false }
        return matcher.matches(record)
    }

    private func enqueue(
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
                originClientID: origin.clientID))
    }

    /// A random UUID, the same for everything that one request caused.
    private func notificationID() -> String {
        var bytes = Crypto.random(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var hex = Array(Hex.encode(bytes))
        for position in [20, 16, 12, 8] { hex.insert("-", at: position) }
        return String(hex)
    }
}
