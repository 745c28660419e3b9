import CloudCore
public import Foundation
import Synchronization

/// How a subscription's pushes look. Nothing set: silent, of low priority.
///
/// Unchecked: all it holds is behind `values`' lock.
public class CKNotificationInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let values: Mutex<NotificationInfo>

    init(_ values: NotificationInfo) {
        self.values = Mutex(values)
    }

    /// The info for the service.
    var core: NotificationInfo { values.withLock { $0 } }

    public override convenience init() {
        self.init(NotificationInfo())
    }

    public convenience init(
        alertBody: String? = nil,
        alertLocalizationKey: String? = nil,
        alertLocalizationArgs: [CKRecord.FieldKey] = [],
        title: String? = nil,
        titleLocalizationKey: String? = nil,
        titleLocalizationArgs: [CKRecord.FieldKey] = [],
        subtitle: String? = nil,
        subtitleLocalizationKey: String? = nil,
        subtitleLocalizationArgs: [CKRecord.FieldKey] = [],
        alertActionLocalizationKey: String? = nil,
        alertLaunchImage: String? = nil,
        soundName: String? = nil,
        desiredKeys: [CKRecord.FieldKey] = [],
        shouldBadge: Bool = false,
        shouldSendContentAvailable: Bool = false,
        shouldSendMutableContent: Bool = false,
        category: String? = nil,
        collapseIDKey: String? = nil
    ) {
        self.init(NotificationInfo())
        self.alertBody = alertBody
        self.alertLocalizationKey = alertLocalizationKey
        self.alertLocalizationArgs = alertLocalizationArgs
        self.title = title
        self.titleLocalizationKey = titleLocalizationKey
        self.titleLocalizationArgs = titleLocalizationArgs
        self.subtitle = subtitle
        self.subtitleLocalizationKey = subtitleLocalizationKey
        self.subtitleLocalizationArgs = subtitleLocalizationArgs
        self.alertActionLocalizationKey = alertActionLocalizationKey
        self.alertLaunchImage = alertLaunchImage
        self.soundName = soundName
        self.desiredKeys = desiredKeys
        self.shouldBadge = shouldBadge
        self.shouldSendContentAvailable = shouldSendContentAvailable
        self.shouldSendMutableContent = shouldSendMutableContent
        self.category = category
        self.collapseIDKey = collapseIDKey
    }

    public var alertBody: String? {
        get { values.withLock { $0.alertBody } }
        set { values.withLock { $0.alertBody = newValue } }
    }

    public var alertLocalizationKey: String? {
        get { values.withLock { $0.alertLocalizationKey } }
        set { values.withLock { $0.alertLocalizationKey = newValue } }
    }

    public var alertLocalizationArgs: [CKRecord.FieldKey]? {
        get { values.withLock { $0.alertLocalizationArgs } }
        set { values.withLock { $0.alertLocalizationArgs = newValue } }
    }

    public var title: String? {
        get { values.withLock { $0.title } }
        set { values.withLock { $0.title = newValue } }
    }

    public var titleLocalizationKey: String? {
        get { values.withLock { $0.titleLocalizationKey } }
        set { values.withLock { $0.titleLocalizationKey = newValue } }
    }

    public var titleLocalizationArgs: [CKRecord.FieldKey]? {
        get { values.withLock { $0.titleLocalizationArgs } }
        set { values.withLock { $0.titleLocalizationArgs = newValue } }
    }

    public var subtitle: String? {
        get { values.withLock { $0.subtitle } }
        set { values.withLock { $0.subtitle = newValue } }
    }

    public var subtitleLocalizationKey: String? {
        get { values.withLock { $0.subtitleLocalizationKey } }
        set { values.withLock { $0.subtitleLocalizationKey = newValue } }
    }

    public var subtitleLocalizationArgs: [CKRecord.FieldKey]? {
        get { values.withLock { $0.subtitleLocalizationArgs } }
        set { values.withLock { $0.subtitleLocalizationArgs = newValue } }
    }

    public var alertActionLocalizationKey: String? {
        get { values.withLock { $0.alertActionLocalizationKey } }
        set { values.withLock { $0.alertActionLocalizationKey = newValue } }
    }

    public var alertLaunchImage: String? {
        get { values.withLock { $0.alertLaunchImage } }
        set { values.withLock { $0.alertLaunchImage = newValue } }
    }

    public var soundName: String? {
        get { values.withLock { $0.soundName } }
        set { values.withLock { $0.soundName = newValue } }
    }

    public var desiredKeys: [CKRecord.FieldKey]? {
        get { values.withLock { $0.additionalFields } }
        set { values.withLock { $0.additionalFields = newValue } }
    }

    public var shouldBadge: Bool {
        get { values.withLock { $0.shouldBadge } }
        set { values.withLock { $0.shouldBadge = newValue } }
    }

    public var shouldSendContentAvailable: Bool {
        get { values.withLock { $0.shouldSendContentAvailable } }
        set { values.withLock { $0.shouldSendContentAvailable = newValue } }
    }

    public var shouldSendMutableContent: Bool {
        get { values.withLock { $0.shouldSendMutableContent } }
        set { values.withLock { $0.shouldSendMutableContent = newValue } }
    }

    public var category: String? {
        get { values.withLock { $0.category } }
        set { values.withLock { $0.category = newValue } }
    }

    public var collapseIDKey: String? {
        get { values.withLock { $0.collapseIDKey } }
        set { values.withLock { $0.collapseIDKey = newValue } }
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let data = coder.data("NotificationInfo") else { return nil }
        self.init(archive: data)
    }

    public func encode(with coder: NSCoder) { coder.encode(archive as NSData, forKey: "NotificationInfo") }
    public func copy(with zone: NSZone? = nil) -> Any { copied() }

    func copied() -> CKNotificationInfo { CKNotificationInfo(core) }
}

extension CKNotificationInfo {
    /// The info as a property list.
    var archive: Data {
        let info = core
        var list: [String: Any] = [:]
        list["alertBody"] = info.alertBody
        list["alertLocalizationKey"] = info.alertLocalizationKey
        list["alertLocalizationArgs"] = info.alertLocalizationArgs
        list["title"] = info.title
        list["titleLocalizationKey"] = info.titleLocalizationKey
        list["titleLocalizationArgs"] = info.titleLocalizationArgs
        list["subtitle"] = info.subtitle
        list["subtitleLocalizationKey"] = info.subtitleLocalizationKey
        list["subtitleLocalizationArgs"] = info.subtitleLocalizationArgs
        list["alertActionLocalizationKey"] = info.alertActionLocalizationKey
        list["alertLaunchImage"] = info.alertLaunchImage
        list["soundName"] = info.soundName
        list["desiredKeys"] = info.additionalFields
        list["shouldBadge"] = info.shouldBadge
        list["shouldSendContentAvailable"] = info.shouldSendContentAvailable
        list["shouldSendMutableContent"] = info.shouldSendMutableContent
        list["category"] = info.category
        list["collapseIDKey"] = info.collapseIDKey
        // A dictionary of strings, lists of strings and flags always makes a property list.
        return (try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)) ?? Data()
    }

    convenience init?(archive: Data) {
        guard
            let list = try? PropertyListSerialization.propertyList(from: archive, options: [], format: nil)
                as? [String: Any]
        else { return nil }
        var info = NotificationInfo()
        info.alertBody = list["alertBody"] as? String
        info.alertLocalizationKey = list["alertLocalizationKey"] as? String
        info.alertLocalizationArgs = list["alertLocalizationArgs"] as? [String]
        info.title = list["title"] as? String
        info.titleLocalizationKey = list["titleLocalizationKey"] as? String
        info.titleLocalizationArgs = list["titleLocalizationArgs"] as? [String]
        info.subtitle = list["subtitle"] as? String
        info.subtitleLocalizationKey = list["subtitleLocalizationKey"] as? String
        info.subtitleLocalizationArgs = list["subtitleLocalizationArgs"] as? [String]
        info.alertActionLocalizationKey = list["alertActionLocalizationKey"] as? String
        info.alertLaunchImage = list["alertLaunchImage"] as? String
        info.soundName = list["soundName"] as? String
        info.additionalFields = list["desiredKeys"] as? [String]
        info.shouldBadge = list["shouldBadge"] as? Bool ?? false
        info.shouldSendContentAvailable = list["shouldSendContentAvailable"] as? Bool ?? false
        info.shouldSendMutableContent = list["shouldSendMutableContent"] as? Bool ?? false
        info.category = list["category"] as? String
        info.collapseIDKey = list["collapseIDKey"] as? String
        self.init(info)
    }
}
