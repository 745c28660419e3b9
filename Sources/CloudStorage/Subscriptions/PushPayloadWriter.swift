import CloudCore
import CloudCrypto

/// The JSON of one push: what is shown (`aps`) and what happened (`ck`).
struct PushPayloadWriter {
    let database: DatabaseID
    let notificationID: String
    let user: String
    let subscription: Subscription

    enum Subject {
        case query(Record, Subscription.Event)
        case zone(ZoneID)
        case database
    }

    /// Bytes of a payload at most.
    static let maximumBytes = 4096

    /// What is left out of a payload that is too large, one after the other. What remains names the change and fits.
    private enum Part: CaseIterable {
        case thirdField, secondField, firstField, titles, looks, alert
    }

    /// The payload; one that would be too large says that it is pruned.
    func payload(_ subject: Subject) -> [UInt8] {
        var pruned: Set<Part> = []
        var payload = payload(subject, without: pruned)
        for part in Part.allCases where payload.count > Self.maximumBytes {
            pruned.insert(part)
            payload = self.payload(subject, without: pruned)
        }
        return payload
    }

    private func payload(_ subject: Subject, without pruned: Set<Part>) -> [UInt8] {
        var json = JSONText()
        json.object {
            $0.key("aps")
            var record: Record?
            if case .query(let changed, _) = subject { record = changed }
            writeAlert(record, without: pruned, to: &$0)
            $0.key("ck")
            $0.object {
                $0.pair("ce", 2)
                $0.pair("cid", database.container.rawValue)
                $0.pair("nid", notificationID)
                $0.pair("ckuserid", user)
                if !pruned.isEmpty { $0.pair("p", 1) }
                write(subject, without: pruned, to: &$0)
            }
        }
        return json.bytes
    }

    private func write(_ subject: Subject, without pruned: Set<Part>, to json: inout JSONText) {
        switch subject {
        case .query(let record, let event):
            json.key("qry")
            json.object {
                $0.pair("sid", subscription.id)
                $0.pair("rid", record.id.name)
                $0.pair("fo", event.rawValue)
                $0.pair("dbs", database.scope.rawValue)
                $0.pair("zid", record.id.zone.name)
                $0.pair("zoid", record.id.zone.owner)
                writeFields(of: record, event, without: pruned, to: &$0)
            }
        case .zone(let zone):
            json.key("fet")
            json.object {
                $0.pair("sid", subscription.id)
                $0.pair("dbs", database.scope.rawValue)
                $0.pair("zid", zone.name)
                $0.pair("zoid", zone.owner)
            }
        case .database:
            json.key("met")
            json.object {
                $0.pair("sid", subscription.id)
                $0.pair("dbs", database.scope.rawValue)
            }
        }
    }

    private func writeFields(
        of record: Record, _ event: Subscription.Event, without pruned: Set<Part>, to json: inout JSONText
    ) {
        let left =
            CloudTransaction.pushedFields - [Part.thirdField, .secondField, .firstField].count { pruned.contains($0) }
        let names = subscription.notificationInfo?.additionalFields?.prefix(left) ?? []
        guard event != .delete, !names.isEmpty else { return }
        json.key("af")
        json.object {
            for name in names {
                guard let value = record.fields[name] else { continue }
                $0.key(name)
                switch value {
                case .string(let text): $0.value(.string(text.cut))
                case .int64, .double: $0.value(value)
                case .bytes, .timestamp, .reference, .location, .asset, .list:
                    $0.object {
                        $0.key("value")
                        $0.value(value)
                        $0.pair("type", value.type.wireName)
                    }
                }
            }
        }
    }

    private func writeAlert(_ record: Record?, without pruned: Set<Part>, to json: inout JSONText) {
        let info = subscription.notificationInfo ?? NotificationInfo()
        let texts: [(Part, String, String?)] = [
            (.titles, "title", info.title), (.titles, "title-loc-key", info.titleLocalizationKey),
            (.titles, "subtitle", info.subtitle), (.titles, "subtitle-loc-key", info.subtitleLocalizationKey),
            (.alert, "body", info.alertBody), (.alert, "loc-key", info.alertLocalizationKey),
            (.looks, "action-loc-key", info.alertActionLocalizationKey),
            (.looks, "launch-image", info.alertLaunchImage),
        ].filter { $0.2 != nil && !pruned.contains($0.0) }
        let lists: [(Part, String, [String]?)] = [
            (.titles, "title-loc-args", info.titleLocalizationArgs),
            (.titles, "subtitle-loc-args", info.subtitleLocalizationArgs),
            (.alert, "loc-args", info.alertLocalizationArgs),
        ]
        json.object {
            if !texts.isEmpty {
                $0.key("alert")
                $0.object {
                    for (_, key, text) in texts { if let text { $0.pair(key, text) } }
                    for (part, key, names) in lists where !pruned.contains(part) {
                        guard let names, !names.isEmpty else { continue }
                        $0.key(key)
                        $0.array(names.map { record?.fields[$0]?.alertText ?? "" })
                    }
                }
            }
            if info.shouldBadge { $0.pair("badge", 1) }
            if !pruned.contains(.looks) {
                if let sound = info.soundName { $0.pair("sound", sound) }
                if let category = info.category { $0.pair("category", category) }
            }
            if info.shouldSendContentAvailable { $0.pair("content-available", 1) }
            if info.shouldSendMutableContent { $0.pair("mutable-content", 1) }
        }
    }
}

extension FieldValue {
    /// The value as text for an alert.
    var alertText: String {
        switch self {
        case .string(let text): text.cut
        case .int64(let number), .timestamp(let number): String(number)
        case .double(let number): String(number)
        case .reference(let reference): reference.recordName
        case .location(let location): "\(location.latitude), \(location.longitude)"
        case .bytes, .asset, .list: ""
        }
    }
}

extension String {
    /// As much of a text as goes into a push: 100 characters.
    fileprivate var cut: String { String(prefix(100)) }
}
