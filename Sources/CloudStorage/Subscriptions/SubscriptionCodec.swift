import CloudCore

/// The stored form of a subscription.
enum SubscriptionCodec {
    private static let version: UInt8 = 1

    static func encode(_ subscription: Subscription) -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(version)
        writer.text(subscription.id)
        switch subscription.kind {
        case .query(let query, let zone, let firesOn, let firesOnce):
            writer.byte(1)
            QueryCodec.write(query, to: &writer)
            writer.optional(zone?.name)
            writer.optional(zone?.owner)
            writer.byte(firesOn.reduce(0) { $0 | 1 << UInt8($1.rawValue) })
            writer.byte(firesOnce ? 1 : 0)
        case .zone(let zone, let recordType):
            writer.byte(2)
            writer.text(zone.name)
            writer.text(zone.owner)
            writer.optional(recordType)
        case .database(let recordType):
            writer.byte(3)
            writer.optional(recordType)
        }
        if let info = subscription.notificationInfo {
            writer.byte(1)
            write(info, to: &writer)
        } else {
            writer.byte(0)
        }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8]) throws -> Subscription {
        var reader = ByteReader(bytes)
        guard try reader.byte() == version else { throw ByteReader.Malformed() }
        let id = try reader.text()
        let kind: Subscription.Kind
        switch try reader.byte() {
        case 1:
            let query = try QueryCodec.read(from: &reader)
            let name = try reader.optional()
            let owner = try reader.optional()
            let events = try reader.byte()
            let firesOn = Subscription.Event.allCases.filter { events & 1 << UInt8($0.rawValue) != 0 }
            let zone = name.flatMap { name in owner.map { ZoneID(name: name, owner: $0) } }
            kind = .query(query, zone: zone, firesOn: Set(firesOn), firesOnce: try reader.byte() == 1)
        case 2:
            let zone = ZoneID(name: try reader.text(), owner: try reader.text())
            kind = .zone(zone, recordType: try reader.optional())
        case 3: kind = .database(recordType: try reader.optional())
        default: throw ByteReader.Malformed()
        }
        let info = try reader.byte() == 1 ? try notificationInfo(from: &reader) : nil
        return Subscription(id: id, kind: kind, notificationInfo: info)
    }

    private static var texts: [WritableKeyPath<NotificationInfo, String?>] {
        [
            \.alertBody, \.alertLocalizationKey, \.title, \.titleLocalizationKey, \.subtitle,
            \.subtitleLocalizationKey, \.alertActionLocalizationKey, \.alertLaunchImage, \.soundName, \.category,
            \.collapseIDKey,
        ]
    }
    private static var lists: [WritableKeyPath<NotificationInfo, [String]?>] {
        [\.alertLocalizationArgs, \.titleLocalizationArgs, \.subtitleLocalizationArgs, \.additionalFields]
    }
    private static var flags: [WritableKeyPath<NotificationInfo, Bool>] {
        [\.shouldBadge, \.shouldSendContentAvailable, \.shouldSendMutableContent]
    }

    private static func write(_ info: NotificationInfo, to writer: inout ByteWriter) {
        for path in texts { writer.optional(info[keyPath: path]) }
        for path in lists {
            let list = info[keyPath: path]
            writer.byte(list == nil ? 0 : 1)
            guard let list else { continue }
            writer.varint(UInt64(list.count))
            for text in list { writer.text(text) }
        }
        for path in flags { writer.byte(info[keyPath: path] ? 1 : 0) }
    }

    private static func notificationInfo(from reader: inout ByteReader) throws -> NotificationInfo {
        var info = NotificationInfo()
        for path in texts { info[keyPath: path] = try reader.optional() }
        for path in lists where try reader.byte() == 1 {
            info[keyPath: path] = try (0..<(try reader.count())).map { _ in try reader.text() }
        }
        for path in flags { info[keyPath: path] = try reader.byte() == 1 }
        return info
    }
}
