/// What a user wants to be told of.
package struct Subscription: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// Changes of records that match; `zone == nil` means every zone of the database.
        case query(RecordQuery, zone: ZoneID?, firesOn: Set<Event>, firesOnce: Bool)
        /// Any change in a custom zone, or only of records of one type.
        case zone(ZoneID, recordType: String?)
        /// Any change in the database's custom zones, or only of records of one type.
        case database(recordType: String?)
    }

    /// Raw values are those of `fo` in push payloads.
    package enum Event: Int, Hashable, Sendable, CaseIterable {
        case create = 1
        case update = 2
        case delete = 3
    }

    package var id: String
    package var kind: Kind
    package var notificationInfo: NotificationInfo?

    package init(id: String, kind: Kind, notificationInfo: NotificationInfo? = nil) {
        self.id = id
        self.kind = kind
        self.notificationInfo = notificationInfo
    }
}

/// How a subscription's push looks. All absent: a silent push of low priority.
package struct NotificationInfo: Hashable, Sendable {
    package var alertBody: String?
    package var alertLocalizationKey: String?
    /// Names of fields whose values fill the text.
    package var alertLocalizationArgs: [String]?
    package var title: String?
    package var titleLocalizationKey: String?
    package var titleLocalizationArgs: [String]?
    package var subtitle: String?
    package var subtitleLocalizationKey: String?
    package var subtitleLocalizationArgs: [String]?
    package var alertActionLocalizationKey: String?
    package var alertLaunchImage: String?
    package var soundName: String?
    package var shouldBadge = false
    package var shouldSendContentAvailable = false
    package var shouldSendMutableContent = false
    /// Names of fields to include in the payload, at most three.
    package var additionalFields: [String]?
    package var category: String?
    package var collapseIDKey: String?

    package init() {}
}
