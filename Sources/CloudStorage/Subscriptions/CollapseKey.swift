import CloudCore
import CloudCrypto

/// What makes two pushes stand for each other while they wait: the later one replaces the earlier.
enum CollapseKey {
    /// The collapse identifier that the subscription asks for, within the app; without one, the same news of the same
    /// subscription: about one record, or of one zone or database.
    static func of(
        _ subject: PushPayloadWriter.Subject, _ subscription: Subscription, in database: DatabaseID
    ) -> String {
        var writer = ByteWriter()
        writer.text(database.container.rawValue)
        writer.text(database.environment.rawValue)
        var record: Record?
        if case .query(let changed, _) = subject { record = changed }
        if let key = subscription.notificationInfo?.collapseIDKey, !key.isEmpty {
            writer.byte(1)
            writer.text(identifier(key, record))
        } else {
            writer.byte(2)
            writer.byte(UInt8(database.scope.rawValue))
            writer.text(subscription.id)
            writer.optional(record?.id.zone.name)
            writer.optional(record?.id.name)
        }
        // A digest has one length, whatever the names are.
        return Hex.encode(Array(Crypto.sha256(writer.bytes).prefix(16)))
    }

    /// The value of the field that the key names; where the record has no such value, the key itself.
    private static func identifier(_ key: String, _ record: Record?) -> String {
        let text = record?.fields[key]?.alertText ?? ""
        return text.isEmpty ? key : text
    }
}
