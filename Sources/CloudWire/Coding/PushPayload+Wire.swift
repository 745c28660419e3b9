import CloudCore

extension PushPayload: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        let ck = try json.required("ck")
        let kind: Kind
        let part: JSONReader
        if let query = try ck.member("qry") {
            part = query
            let reason = try query.required("fo")
            guard let event = Subscription.Event(rawValue: Int(clamping: try reason.int64())) else {
                throw reason.failure("Unexpected input: expected 1, 2 or 3")
            }
            var fields: [String: FieldValue] = [:]
            if let given = try query.member("af") {
                for (key, value) in try given.members where !value.isNull {
                    fields[key.string] = try FieldValue(pushed: value, name: key.string)
                }
            }
            kind = .query(
                recordName: try query.required("rid").string(), reason: event, zone: try ZoneID(pushed: query),
                fields: fields)
        } else if let zone = try ck.member("fet") {
            part = zone
            kind = .zone(try ZoneID(pushed: zone))
        } else {
            part = try ck.required("met")
            kind = .database
        }
        let scope = try part.required("dbs")
        guard let database = DatabaseScope(rawValue: Int(clamping: try scope.int64())) else {
            throw scope.failure("Unexpected input: expected 1, 2 or 3")
        }
        self.init(
            container: ContainerID(try ck.required("cid").string()),
            notificationID: try ck.required("nid").string(),
            userRecordName: try ck.optionalString("ckuserid") ?? "",
            subscriptionID: try part.required("sid").string(), scope: database, kind: kind)
        isPruned = try ck.member("p") != nil
        if let aps = try json.member("aps") { try read(aps) }
    }

    private mutating func read(_ aps: JSONReader) throws(WireError) {
        for (key, value) in try aps.members where !value.isNull {
            switch key {
            case "alert": alert = try PushAlert(value)
            case "badge": badge = Int(clamping: try value.int64())
            case "sound": sound = try value.string()
            case "category": category = try value.string()
            case "content-available": isContentAvailable = try value.int64() != 0
            case "mutable-content": isMutableContent = try value.int64() != 0
            default: break
            }
        }
    }

    package func write(to json: inout JSONWriter) {
        json.member("aps") { json in
            if let alert { json.member("alert") { $0.members(of: alert) } }
            json.member("badge", ifPresent: badge)
            json.member("sound", ifPresent: sound)
            json.member("category", ifPresent: category)
            if isContentAvailable { json.member("content-available", 1) }
            if isMutableContent { json.member("mutable-content", 1) }
        }
        json.member("ck") { json in
            json.member("ce", 2)
            json.member("cid", container.rawValue)
            json.member("nid", notificationID)
            json.member("ckuserid", userRecordName)
            if isPruned { json.member("p", 1) }
            switch kind {
            case .query(let recordName, let reason, let zone, let fields):
                json.member("qry") {
                    $0.place(of: self, zone)
                    $0.member("rid", recordName)
                    $0.member("fo", Int64(reason.rawValue))
                    if !fields.isEmpty { $0.pushed(fields, in: zone) }
                }
            case .zone(let zone): json.member("fet") { $0.place(of: self, zone) }
            case .database: json.member("met") { $0.place(of: self, nil) }
            }
        }
    }
}

extension ZoneID {
    fileprivate init(pushed json: JSONReader) throws(WireError) {
        let owner = try json.optionalString("zoid") ?? ""
        self.init(
            name: try json.required("zid").string(), owner: ZoneID.isPlaceholder(owner) ? Self.unresolvedOwner : owner)
    }
}

extension FieldValue {
    /// Strings and plain numbers come bare, other types with their name.
    fileprivate init(pushed json: JSONReader, name: String) throws(WireError) {
        if json.kind == .object, let value = try FieldDraft(name: name, json).value {
            self = value
        } else {
            self = try FieldValue(inferring: json)
        }
    }
}

extension PushAlert {
    /// A string or a dictionary.
    init(_ json: JSONReader) throws(WireError) {
        self.init()
        if json.kind == .string {
            body = try json.string()
            return
        }
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "body": body = try value.string()
            case "loc-key": localizationKey = try value.string()
            case "loc-args": localizationArgs = try value.strings()
            case "title": title = try value.string()
            case "title-loc-key": titleLocalizationKey = try value.string()
            case "title-loc-args": titleLocalizationArgs = try value.strings()
            case "subtitle": subtitle = try value.string()
            case "subtitle-loc-key": subtitleLocalizationKey = try value.string()
            case "subtitle-loc-args": subtitleLocalizationArgs = try value.strings()
            case "action-loc-key": actionLocalizationKey = try value.string()
            case "launch-image": launchImage = try value.string()
            default: break
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func place(of payload: PushPayload, _ zone: ZoneID?) {
        member("sid", payload.subscriptionID)
        member("dbs", Int64(payload.scope.rawValue))
        if let zone {
            member("zid", zone.name)
            member("zoid", zone.owner)
        }
    }

    fileprivate mutating func pushed(_ fields: [String: FieldValue], in zone: ZoneID) {
        member("af") {
            for (name, value) in fields {
                $0.key(name)
                switch value {
                case .string, .int64, .double: $0.bare(value, in: zone, quoting: false)
                default: $0.field(value, in: zone)
                }
            }
        }
    }

    fileprivate mutating func members(of alert: PushAlert) {
        member("body", ifPresent: alert.body)
        member("loc-key", ifPresent: alert.localizationKey)
        member("loc-args", ifPresent: alert.localizationArgs)
        member("title", ifPresent: alert.title)
        member("title-loc-key", ifPresent: alert.titleLocalizationKey)
        member("title-loc-args", ifPresent: alert.titleLocalizationArgs)
        member("subtitle", ifPresent: alert.subtitle)
        member("subtitle-loc-key", ifPresent: alert.subtitleLocalizationKey)
        member("subtitle-loc-args", ifPresent: alert.subtitleLocalizationArgs)
        member("action-loc-key", ifPresent: alert.actionLocalizationKey)
        member("launch-image", ifPresent: alert.launchImage)
    }
}
