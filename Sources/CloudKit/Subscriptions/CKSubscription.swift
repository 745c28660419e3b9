public import Foundation
import Synchronization

/// What a user wants to be told of. One of the three subclasses says what that is.
///
/// Unchecked: the ID and what the subclasses add are constants or behind `changeable`'s lock.
public class CKSubscription: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public typealias ID = String
    public typealias NotificationInfo = CKNotificationInfo

    public enum SubscriptionType: Int, Sendable {
        case query = 1
        case recordZone = 2
        case database = 3
    }

    struct Changeable {
        var notificationInfo: CKNotificationInfo?
        var recordType: CKRecord.RecordType?
        var zoneID: CKRecordZone.ID?
    }

    public let subscriptionID: CKSubscription.ID
    let changeable: Mutex<Changeable>

    init(subscriptionID: ID, changeable: Changeable) {
        self.subscriptionID = subscriptionID
        self.changeable = Mutex(changeable)
    }

    /// Subclasses only; there is no subscription of no kind.
    ///
    /// From an archive that holds none the coder gets an error, as far as its policy is to return errors, and the subscription
    /// has an empty ID: to save it is refused.
    public required init(coder: NSCoder) {
        guard let id = coder.string("SubscriptionID") else {
            coder.fail("Subscription")
            subscriptionID = ""
            changeable = Mutex(Changeable())
            return
        }
        subscriptionID = id
        var state = Changeable(recordType: coder.string("RecordType"))
        if coder.containsValue(forKey: "ZoneName") { state.zoneID = CKRecordZone.ID(coder: coder) }
        state.notificationInfo = coder.data("NotificationInfo").flatMap(CKNotificationInfo.init(archive:))
        changeable = Mutex(state)
    }

    public var subscriptionType: CKSubscription.SubscriptionType {
        preconditionFailure("a subscription is a query, zone or database subscription")
    }

    /// How the pushes look. A copy is kept, and a copy is given.
    public var notificationInfo: CKSubscription.NotificationInfo? {
        get { changeable.withLock { $0.notificationInfo?.copied() } }
        set {
            let copy = newValue?.copied()
            changeable.withLock { $0.notificationInfo = copy }
        }
    }

    public class var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        coder.encode(subscriptionID as NSString, forKey: "SubscriptionID")
        let (info, type, zone) = changeable.withLock { ($0.notificationInfo, $0.recordType, $0.zoneID) }
        if let type { coder.encode(type as NSString, forKey: "RecordType") }
        zone?.encode(with: coder)
        if let archive = info?.archive { coder.encode(archive as NSData, forKey: "NotificationInfo") }
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        preconditionFailure("a subscription is a query, zone or database subscription")
    }

    /// The changeable part for a copy.
    var copiedState: Changeable {
        changeable.withLock {
            Changeable(
                notificationInfo: $0.notificationInfo?.copied(), recordType: $0.recordType, zoneID: $0.zoneID)
        }
    }
}

/// Tells of changes of records that match a predicate.
///
/// Unchecked: as its superclass; what it adds are constants.
public final class CKQuerySubscription: CKSubscription, @unchecked Sendable {
    public struct Options: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static var firesOnRecordCreation: Options { Options(rawValue: 1) }
        public static var firesOnRecordUpdate: Options { Options(rawValue: 2) }
        public static var firesOnRecordDeletion: Options { Options(rawValue: 4) }
        public static var firesOnce: Options { Options(rawValue: 8) }
    }

    public let predicate: NSPredicate
    public let querySubscriptionOptions: CKQuerySubscription.Options

    init(subscriptionID: ID, predicate: NSPredicate, options: Options, changeable: Changeable) {
        self.predicate = predicate
        querySubscriptionOptions = options
        super.init(subscriptionID: subscriptionID, changeable: changeable)
    }

    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate,
        options querySubscriptionOptions: CKQuerySubscription.Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.init(
            recordType: recordType, predicate: predicate, subscriptionID: UUID().uuidString,
            options: querySubscriptionOptions)
    }

    public convenience init(
        recordType: CKRecord.RecordType, predicate: NSPredicate, subscriptionID: CKSubscription.ID,
        options querySubscriptionOptions: CKQuerySubscription.Options = [
            .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
        ]
    ) {
        self.init(
            subscriptionID: subscriptionID, predicate: predicate, options: querySubscriptionOptions,
            changeable: Changeable(recordType: recordType))
    }

    /// As of any subscription; of an archive without a predicate the ID is empty.
    public required init(coder: NSCoder) {
        guard let data = coder.data("Predicate"),
            let parsed = try? PropertyListDecoder().decode(ParsedPredicate.self, from: data)
        else {
            coder.fail("Predicate")
            predicate = NSPredicate(value: false)
            querySubscriptionOptions = []
            super.init(subscriptionID: "", changeable: Changeable())
            return
        }
        predicate = NSPredicate(parsed: parsed)
        querySubscriptionOptions = Options(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "Options")))
        super.init(coder: coder)
    }

    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(Int(querySubscriptionOptions.rawValue), forKey: "Options")
        if let data = try? PropertyListEncoder().encode(ParsedPredicate(predicate)) {
            coder.encode(data as NSData, forKey: "Predicate")
        }
    }

    public override var subscriptionType: CKSubscription.SubscriptionType { .query }
    public var recordType: CKRecord.RecordType? { changeable.withLock { $0.recordType } }

    /// The zone whose records count; `nil` means every zone.
    public var zoneID: CKRecordZone.ID? {
        get { changeable.withLock { $0.zoneID } }
        set { changeable.withLock { $0.zoneID = newValue } }
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        CKQuerySubscription(
            subscriptionID: subscriptionID, predicate: predicate, options: querySubscriptionOptions,
            changeable: copiedState)
    }
}

/// Tells of any change in a custom zone.
///
/// Unchecked: as its superclass; what it adds is a constant.
public final class CKRecordZoneSubscription: CKSubscription, @unchecked Sendable {
    public let zoneID: CKRecordZone.ID

    public convenience init(zoneID: CKRecordZone.ID) {
        self.init(zoneID: zoneID, subscriptionID: UUID().uuidString)
    }

    public convenience init(zoneID: CKRecordZone.ID, subscriptionID: CKSubscription.ID) {
        self.init(zoneID: zoneID, subscriptionID: subscriptionID, changeable: Changeable(zoneID: zoneID))
    }

    init(zoneID: CKRecordZone.ID, subscriptionID: ID, changeable: Changeable) {
        self.zoneID = zoneID
        super.init(subscriptionID: subscriptionID, changeable: changeable)
    }

    /// As of any subscription; of an archive without a zone the ID is empty.
    public required init(coder: NSCoder) {
        guard let zone = CKRecordZone.ID(coder: coder) else {
            coder.fail("Zone")
            zoneID = .default
            super.init(subscriptionID: "", changeable: Changeable())
            return
        }
        zoneID = zone
        super.init(coder: coder)
    }

    public override var subscriptionType: CKSubscription.SubscriptionType { .recordZone }

    /// Narrows what fires to records of one type.
    public var recordType: CKRecord.RecordType? {
        get { changeable.withLock { $0.recordType } }
        set { changeable.withLock { $0.recordType = newValue } }
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: subscriptionID, changeable: copiedState)
    }
}

/// Tells of any change in a database's custom zones.
///
/// Unchecked: as its superclass; it adds nothing.
public final class CKDatabaseSubscription: CKSubscription, @unchecked Sendable {
    public convenience init() {
        self.init(subscriptionID: UUID().uuidString)
    }

    public convenience init(subscriptionID: CKSubscription.ID) {
        self.init(subscriptionID: subscriptionID, changeable: Changeable())
    }

    override init(subscriptionID: ID, changeable: Changeable) {
        super.init(subscriptionID: subscriptionID, changeable: changeable)
    }

    public required init(coder: NSCoder) { super.init(coder: coder) }

    public override var subscriptionType: CKSubscription.SubscriptionType { .database }

    /// Narrows what fires to records of one type.
    public var recordType: CKRecord.RecordType? {
        get { changeable.withLock { $0.recordType } }
        set { changeable.withLock { $0.recordType = newValue } }
    }

    public override func copy(with zone: NSZone? = nil) -> Any {
        CKDatabaseSubscription(subscriptionID: subscriptionID, changeable: copiedState)
    }
}
