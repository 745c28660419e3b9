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

    func payload(_ subject: Subject) -> [UInt8] {
        var json = JSONText()
        json.object {
            $0.key("aps")
            var record: Record?
            if case .query(let changed, _) = subject { record = changed }
            writeAlert(record, to: &$0)
            $0.key("ck")
            $0.object {
                $0.pair("ce", 2)
                $0.pair("cid", database.container.rawValue)
                $0.pair("nid", notificationID)
                $0.pair("ckuserid", user)
                write(subject, to: &$0)
            }
        }
        return json.bytes
    }

    private func write(_ subject: Subject, to json: inout JSONText) {
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
                writeFields(of: record, event, to: &$0)
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

    private func writeFields(of record: Record, _ event: Subscription.Event, to json: inout JSONText) {
        guard event != .delete, let names = subscription.notificationInfo?.additionalFields, !names.isEmpty else {
            return
        }
        json.key("af")
        json.object {
            for name in names.prefix(3) {
                guard let value = record.fields[name] else { continue }
                $0.key(name)
                $0.object {
                    $0.key("value")
                    $0.value(value)
                    $0.pair("type", value.type.wireName)
                }
            }
        }
    }

    private func writeAlert(_ record: Record?, to json: inout JSONText) {
        let info = subscription.notificationInfo ?? NotificationInfo()
        let texts: [(String, String?)] = [
            ("title", info.title), ("title-loc-key", info.titleLocalizationKey), ("subtitle", info.subtitle),
            ("subtitle-loc-key", info.subtitleLocalizationKey), ("body", info.alertBody),
            ("loc-key", info.alertLocalizationKey), ("action-loc-key", info.alertActionLocalizationKey),
            ("launch-image", info.alertLaunchImage),
        ]
        let lists: [(String, [String]?)] = [
            ("title-loc-args", info.titleLocalizationArgs), ("subtitle-loc-args", info.subtitleLocalizationArgs),
            ("loc-args", info.alertLocalizationArgs),
        ]
        json.object {
            if texts.contains(where: { $0.1 != nil }) {
                $0.key("alert")
                $0.object {
                    for (key, text) in texts { if let text { $0.pair(key, text) } }
                    for (key, names) in lists {
                        guard let names, !names.isEmpty else { continue }
                        $0.key(key)
                        $0.array(names.map { text(of: record?.fields[$0]) })
                    }
                }
            }
            if info.shouldBadge { $0.pair("badge", 1) }
            if let sound = info.soundName { $0.pair("sound", sound) }
            if let category = info.category { $0.pair("category", category) }
            if info.shouldSendContentAvailable { $0.pair("content-available", 1) }
            if info.shouldSendMutableContent { $0.pair("mutable-content", 1) }
        }
    }

    /// A field's value as text for an alert, cut at 100 characters.
    private func text(of value: FieldValue?) -> String {
        switch value {
        case .string(let text)?: String(text.prefix(100))
        case .int64(let number)?, .timestamp(let number)?: String(number)
        case .double(let number)?: String(number)
        case .reference(let reference)?: reference.recordName
        case .bytes?, .list?, nil: ""
        }
    }
}

/// Writes small JSON texts.
struct JSONText {
    private(set) var bytes: [UInt8] = []

    mutating func object(_ body: (inout JSONText) -> Void) {
        separate()
        bytes.append(UInt8(ascii: "{"))
        body(&self)
        bytes.append(UInt8(ascii: "}"))
    }

    mutating func array(_ texts: [String]) {
        separate()
        bytes.append(UInt8(ascii: "["))
        for text in texts {
            separate()
            append(text)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func key(_ name: String) {
        separate()
        append(name)
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func pair(_ name: String, _ text: String) {
        key(name)
        append(text)
    }

    mutating func pair(_ name: String, _ number: Int) {
        key(name)
        bytes += Array(String(number).utf8)
    }

    mutating func value(_ value: FieldValue) {
        switch value {
        case .string(let text): append(text)
        case .int64(let number), .timestamp(let number): bytes += Array(String(number).utf8)
        case .double(let number): bytes += Array("\(number)".utf8)
        case .bytes(let blob): append(Base64.encode(blob))
        case .reference(let reference):
            object {
                $0.pair("recordName", reference.recordName)
                $0.pair("action", reference.action.rawValue)
            }
        case .list(_, let values):
            separate()
            bytes.append(UInt8(ascii: "["))
            for value in values {
                separate()
                self.value(value)
            }
            bytes.append(UInt8(ascii: "]"))
        }
    }

    /// A comma where something stands before.
    private mutating func separate() {
        guard let last = bytes.last,
            ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"), UInt8(ascii: ",")]
                .contains(last)
        else { return }
        bytes.append(UInt8(ascii: ","))
    }

    private mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                let hex = String(byte, radix: 16)
                bytes += Array("\\u\(String(repeating: "0", count: 4 - hex.count))\(hex)".utf8)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
