package import CloudCore

/// What a device is told: `aps` and `ck`.
package struct PushPayload: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// `qry`: a record matched. `fields` are the subscription's `additionalFields`.
        case query(recordName: String, reason: Subscription.Event, zone: ZoneID, fields: [String: FieldValue])
        /// `fet`: something changed in the zone.
        case zone(ZoneID)
        /// `met`: something changed in the database.
        case database
    }

    package var container: ContainerID
    package var notificationID: String
    /// The receiving user.
    package var userRecordName: String
    package var subscriptionID: String
    package var scope: DatabaseScope
    package var kind: Kind
    package var alert: PushAlert?
    package var badge: Int?
    package var sound: String?
    package var category: String?
    package var isContentAvailable: Bool
    package var isMutableContent: Bool
    /// Parts were left out to fit.
    package var isPruned: Bool

    package init(
        container: ContainerID, notificationID: String, userRecordName: String, subscriptionID: String,
        scope: DatabaseScope, kind: Kind, alert: PushAlert? = nil, badge: Int? = nil, sound: String? = nil,
        category: String? = nil, isContentAvailable: Bool = false, isMutableContent: Bool = false,
        isPruned: Bool = false
    ) {
        self.container = container
        self.notificationID = notificationID
        self.userRecordName = userRecordName
        self.subscriptionID = subscriptionID
        self.scope = scope
        self.kind = kind
        self.alert = alert
        self.badge = badge
        self.sound = sound
        self.category = category
        self.isContentAvailable = isContentAvailable
        self.isMutableContent = isMutableContent
        self.isPruned = isPruned
    }
}

/// `aps.alert`; its args are values here, not field names.
package struct PushAlert: Hashable, Sendable {
    package var body: String?
    package var localizationKey: String?
    package var localizationArgs: [String]?
    package var title: String?
    package var titleLocalizationKey: String?
    package var titleLocalizationArgs: [String]?
    package var subtitle: String?
    package var subtitleLocalizationKey: String?
    package var subtitleLocalizationArgs: [String]?
    package var actionLocalizationKey: String?
    package var launchImage: String?

    package init(body: String? = nil) { self.body = body }
}
