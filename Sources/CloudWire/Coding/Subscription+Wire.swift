import CloudCore

extension Subscription {
    /// A missing `subscriptionID` becomes an empty `id`.
    init(_ json: JSONReader) throws(WireError) {
        var name = ""
        var type: JSONReader?
        var query: JSONReader?
        var zone: ZoneID?
        var zoneWide = false
        var firesOn: Set<Event> = []
        var firesOnce = false
        var info: NotificationInfo?
        var recordType: String?
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "subscriptionID": name = try value.string()
            case "subscriptionType": type = value
            case "query": query = value
            case "zoneID": zone = try ZoneID(value)
            case "zoneWide": zoneWide = try value.bool()
            case "firesOn": for event in try value.oneOrMore() { firesOn.insert(try Event(event)) }
            case "firesOnce": firesOnce = try value.bool()
            case "notificationInfo": info = try NotificationInfo(value)
            case "recordType": recordType = try value.string()
            default: break
            }
        }
        guard let type else { throw json.missing("subscriptionType") }
        switch try type.text() {
        case "query":
            guard let query else { throw json.missing("query") }
            if firesOn.isEmpty { throw json.failure("firesOn must name create, update or delete") }
            let place = zone ?? (zoneWide ? nil : WireZoneID.default.unresolved)
            let wanted = try RecordQuery(query)
            self.init(
                id: name, kind: .query(wanted, zone: place, firesOn: firesOn, firesOnce: firesOnce),
                notificationInfo: info)
        case "zone":
            guard let zone else { throw json.missing("zoneID") }
            self.init(id: name, kind: .zone(zone, recordType: recordType), notificationInfo: info)
        case "database":
            self.init(id: name, kind: .database(recordType: recordType), notificationInfo: info)
        case let other:
            throw type.failure("Unexpected input: unknown subscriptionType '\(other.string)'")
        }
    }
}

extension Subscription.Event {
    init(_ json: JSONReader) throws(WireError) {
        switch try json.text() {
        case "create": self = .create
        case "update": self = .update
        case "delete": self = .delete
        default: throw json.unexpected("create, update or delete")
        }
    }

    var wireName: String {
        switch self {
        case .create: "create"
        case .update: "update"
        case .delete: "delete"
        }
    }
}

extension NotificationInfo {
    init(_ json: JSONReader) throws(WireError) {
        self.init()
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "alertBody": alertBody = try value.string()
            case "alertLocalizationKey": alertLocalizationKey = try value.string()
            case "alertLocalizationArgs": alertLocalizationArgs = try value.strings()
            case "title": title = try value.string()
            case "titleLocalizationKey": titleLocalizationKey = try value.string()
            case "titleLocalizationArgs": titleLocalizationArgs = try value.strings()
            case "subtitle": subtitle = try value.string()
            case "subtitleLocalizationKey": subtitleLocalizationKey = try value.string()
            case "subtitleLocalizationArgs": subtitleLocalizationArgs = try value.strings()
            case "alertActionLocalizationKey": alertActionLocalizationKey = try value.string()
            case "alertLaunchImage": alertLaunchImage = try value.string()
            case "soundName": soundName = try value.string()
            case "shouldBadge": shouldBadge = try value.bool()
            case "shouldSendContentAvailable": shouldSendContentAvailable = try value.bool()
            case "shouldSendMutableContent": shouldSendMutableContent = try value.bool()
            case "additionalFields": additionalFields = try value.strings()
            case "category": category = try value.string()
            case "collapseIDKey": collapseIDKey = try value.string()
            default: break
            }
        }
    }
}

// MARK: - Writing

extension JSONWriter {
    mutating func subscription(_ subscription: Subscription) {
        object { json in
            if !subscription.id.isEmpty { json.member("subscriptionID", subscription.id) }
            switch subscription.kind {
            case .query(let query, let zone, let firesOn, let firesOnce):
                json.member("subscriptionType", "query")
                json.key("query")
                json.query(query)
                if let zone { json.member("zoneID", zone) } else { json.member("zoneWide", true) }
                json.member("firesOn", Subscription.Event.allCases.filter(firesOn.contains).map(\.wireName))
                json.member("firesOnce", firesOnce)
            case .zone(let zone, let recordType):
                json.member("subscriptionType", "zone")
                json.member("zoneID", zone)
                json.member("recordType", ifPresent: recordType)
            case .database(let recordType):
                json.member("subscriptionType", "database")
                json.member("recordType", ifPresent: recordType)
            }
            if let info = subscription.notificationInfo {
                json.member("notificationInfo") { $0.members(of: info) }
            }
        }
    }

    private mutating func members(of info: NotificationInfo) {
        member("alertBody", ifPresent: info.alertBody)
        member("alertLocalizationKey", ifPresent: info.alertLocalizationKey)
        member("alertLocalizationArgs", ifPresent: info.alertLocalizationArgs)
        member("title", ifPresent: info.title)
        member("titleLocalizationKey", ifPresent: info.titleLocalizationKey)
        member("titleLocalizationArgs", ifPresent: info.titleLocalizationArgs)
        member("subtitle", ifPresent: info.subtitle)
        member("subtitleLocalizationKey", ifPresent: info.subtitleLocalizationKey)
        member("subtitleLocalizationArgs", ifPresent: info.subtitleLocalizationArgs)
        member("alertActionLocalizationKey", ifPresent: info.alertActionLocalizationKey)
        member("alertLaunchImage", ifPresent: info.alertLaunchImage)
        member("soundName", ifPresent: info.soundName)
        member("shouldBadge", info.shouldBadge)
        member("shouldSendContentAvailable", info.shouldSendContentAvailable)
        if info.shouldSendMutableContent { member("shouldSendMutableContent", true) }
        member("additionalFields", ifPresent: info.additionalFields)
        member("category", ifPresent: info.category)
        member("collapseIDKey", ifPresent: info.collapseIDKey)
    }
}
