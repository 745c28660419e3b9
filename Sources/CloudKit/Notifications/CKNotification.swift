import CloudCore
public import Foundation

/// The name of a push.
///
/// Unchecked: its only stored property is a constant string.
public class CKNotificationID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let name: String

    init(name: String) {
        self.name = name
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let name = coder.string("NotificationID") else { return nil }
        self.init(name: name)
    }

    public func encode(with coder: NSCoder) { coder.encode(name as NSString, forKey: "NotificationID") }
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool { (object as? CKNotificationID)?.name == name }
    public override var hash: Int { name.hashValue }
    public override var description: String { "<CKNotificationID: \(name)>" }
}

/// Lets an initializer of ``CKNotification`` give one of its subclasses.
public protocol _CKNotificationReading {}

extension _CKNotificationReading {
    /// The query, zone or database notification of a push; `nil` when it is not CloudKit's, or not of this class.
    public init?(fromRemoteNotificationDictionary notificationDictionary: [AnyHashable: Any]) {
        guard let content = NotificationContent(notificationDictionary),
            let notification = CKNotification.make(content) as? Self
        else { return nil }
        self = notification
    }
}

/// A push from CloudKit, read.
///
/// Unchecked: every stored property is a constant; the payload holds only `Sendable` values.
public class CKNotification: NSObject, _CKNotificationReading, @unchecked Sendable {
    public typealias ID = CKNotificationID

    public enum NotificationType: Int, Sendable {
        case query = 1
        case recordZone = 2
        case readNotification = 3
        case database = 4
    }

    let content: NotificationContent

    init(_ content: NotificationContent) {
        self.content = content
    }

    static func make(_ content: NotificationContent) -> CKNotification {
        switch content.kind {
        case .query: CKQueryNotification(content)
        case .zone: CKRecordZoneNotification(content)
        case .database: CKDatabaseNotification(content)
        }
    }

    public var notificationType: CKNotification.NotificationType {
        switch content.kind {
        case .query: .query
        case .zone: .recordZone
        case .database: .database
        }
    }

    public var notificationID: CKNotification.ID? { content.notificationID.map { CKNotificationID(name: $0) } }
    public var containerIdentifier: String? { content.container }
    public var subscriptionID: CKSubscription.ID? { content.subscriptionID }
    public var isPruned: Bool { content.isPruned }

    public var subscriptionOwnerUserRecordID: CKRecord.ID? {
        content.userRecordName.map { CKRecord.ID(recordName: $0) }
    }

    public var alertBody: String? { content.alert("body") }
    public var alertLocalizationKey: String? { content.alert("loc-key") }
    public var alertLocalizationArgs: [String]? { content.alertArguments("loc-args") }
    public var title: String? { content.alert("title") }
    public var titleLocalizationKey: String? { content.alert("title-loc-key") }
    public var titleLocalizationArgs: [String]? { content.alertArguments("title-loc-args") }
    public var subtitle: String? { content.alert("subtitle") }
    public var subtitleLocalizationKey: String? { content.alert("subtitle-loc-key") }
    public var subtitleLocalizationArgs: [String]? { content.alertArguments("subtitle-loc-args") }
    public var alertActionLocalizationKey: String? { content.alert("action-loc-key") }
    public var alertLaunchImage: String? { content.alert("launch-image") }
    public var badge: NSNumber? { content.badge.map { NSNumber(value: $0) } }
    public var soundName: String? { content.sound }
    public var category: String? { content.category }
}

/// A push of a query subscription: one record was created, updated or deleted.
///
/// Unchecked: as its superclass; it adds nothing.
public final class CKQueryNotification: CKNotification, @unchecked Sendable {
    public enum Reason: Int, Sendable {
        case recordCreated = 1
        case recordUpdated = 2
        case recordDeleted = 3
    }

    public var queryNotificationReason: CKQueryNotification.Reason {
        guard case .query(_, let reason) = content.kind else { return .recordUpdated }
        return reason
    }

    public var recordID: CKRecord.ID? {
        guard case .query(let name?, _) = content.kind else { return nil }
        return CKRecord.ID(recordName: name, zoneID: content.zoneID ?? .default)
    }

    /// The values of the fields that the subscription asked for.
    public var recordFields: [String: Any]? { content.fields?.mapValues { $0.object } }
}

/// A push of a zone subscription: something changed in the zone.
///
/// Unchecked: as its superclass; it adds nothing.
public final class CKRecordZoneNotification: CKNotification, @unchecked Sendable {
    public var recordZoneID: CKRecordZone.ID? { content.zoneID }
}

/// A push of a database subscription: something changed in one of the database's zones.
///
/// Unchecked: as its superclass; it adds nothing.
public final class CKDatabaseNotification: CKNotification, @unchecked Sendable {}
