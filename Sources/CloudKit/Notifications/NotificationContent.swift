import CloudCore
import Foundation

/// The parts of a push's dictionary.
struct NotificationContent: Sendable {
    enum Kind: Sendable {
        case query(recordName: String?, CKQueryNotification.Reason)
        case zone
        case database
    }

    var kind: Kind
    var scope: DatabaseScope
    var zoneID: CKRecordZone.ID?
    var fields: [String: StoredValue]?
    var container: String?
    var notificationID: String?
    var subscriptionID: String?
    var userRecordName: String?
    var isPruned = false
    var badge: Int?
    var sound: String?
    var category: String?
    private var alertTexts: [String: String] = [:]
    private var alertLists: [String: [String]] = [:]

    /// `nil` when the dictionary is not a CloudKit push.
    init?(_ dictionary: [AnyHashable: Any]) {
        guard let ck = Self.members(dictionary["ck"]) else { return nil }
        let part: [String: Any]
        if let query = Self.members(ck["qry"]) {
            part = query
            guard let reason = Self.integer(query["fo"]).flatMap(CKQueryNotification.Reason.init(rawValue:)) else {
                return nil
            }
            kind = .query(recordName: Self.text(query["rid"]), reason)
        } else if let zone = Self.members(ck["fet"]) {
            part = zone
            kind = .zone
        } else if let database = Self.members(ck["met"]) {
            part = database
            kind = .database
        } else {
            return nil
        }
        scope = Self.integer(part["dbs"]).flatMap(DatabaseScope.init(rawValue:)) ?? .private
        subscriptionID = Self.text(part["sid"])
        if let name = Self.text(part["zid"]) {
            let owner = Self.text(part["zoid"]) ?? ""
            let isOwn = owner.isEmpty || owner == "_defaultOwner"
            zoneID = CKRecordZone.ID(ZoneID(name: name, owner: isOwn ? CKCurrentUserDefaultName : owner), scope: scope)
        }
        container = Self.text(ck["cid"])
        notificationID = Self.text(ck["nid"])
        userRecordName = Self.text(ck["ckuserid"])
        isPruned = ck["p"] != nil
        if let af = Self.members(part["af"]) {
            let zone = zoneID ?? .default
            let scope = scope
            fields = af.compactMapValues { Self.field($0, zone: zone, scope: scope) }
        }
        if let aps = Self.members(dictionary["aps"]) { read(aps) }
    }

    func alert(_ key: String) -> String? { alertTexts[key] }
    func alertArguments(_ key: String) -> [String]? { alertLists[key] }

    private mutating func read(_ aps: [String: Any]) {
        badge = Self.integer(aps["badge"])
        sound = Self.text(aps["sound"])
        category = Self.text(aps["category"])
        if let body = Self.text(aps["alert"]) { alertTexts["body"] = body }
        for (key, value) in Self.members(aps["alert"]) ?? [:] {
            if let text = Self.text(value) { alertTexts[key] = text }
            if let list = value as? [Any] { alertLists[key] = list.map { Self.text($0) ?? "\($0)" } }
        }
    }

    /// Strings and numbers come bare, other types as `value` and `type`.
    private static func field(_ value: Any, zone: CKRecordZone.ID, scope: DatabaseScope) -> StoredValue? {
        guard let typed = members(value) else { return bare(value) }
        guard let inner = typed["value"] else { return nil }
        let type = text(typed["type"]) ?? ""
        if type.hasSuffix("_LIST"), let elements = inner as? [Any] {
            let element = String(type.dropLast(5))
            return .list(elements.compactMap { scalar($0, type: element, zone: zone, scope: scope) })
        }
        return scalar(inner, type: type, zone: zone, scope: scope)
    }

    private static func scalar(
        _ value: Any, type: String, zone: CKRecordZone.ID, scope: DatabaseScope
    ) -> StoredValue? {
        switch type {
        case "TIMESTAMP": return integer(value).map { .date(Date(milliseconds: Int64($0))) }
        case "BYTES": return text(value).flatMap { Data(base64Encoded: $0) }.map { .data($0) }
        case "REFERENCE":
            guard let members = members(value), let name = text(members["recordName"]) else { return nil }
            var target = zone
            if let given = Self.members(members["zoneID"]), let zoneName = text(given["zoneName"]) {
                let owner = text(given["ownerRecordName"]) ?? CKCurrentUserDefaultName
                target = CKRecordZone.ID(ZoneID(name: zoneName, owner: owner), scope: scope)
            }
            let action: CKRecord.ReferenceAction = text(members["action"]) == "DELETE_SELF" ? .deleteSelf : .none
            return .reference(
                CKRecord.Reference(recordID: CKRecord.ID(recordName: name, zoneID: target), action: action))
        default: return bare(value)
        }
    }

    /// Text, a number or a list of them.
    private static func bare(_ value: Any) -> StoredValue? {
        // Foundation reads numbers of many digits as decimals, also whole ones.
        if let decimal = value as? NSDecimalNumber, let whole = Int64(decimal.stringValue) {
            return .number(NSNumber(value: whole))
        }
        let stored = StoredValue(value)
        if case .unsupported = stored { return nil }
        return stored
    }

    private static func members(_ value: Any?) -> [String: Any]? {
        if let members = value as? [String: Any] { return members }
        guard let members = value as? [AnyHashable: Any] else { return nil }
        var result: [String: Any] = [:]
        for (key, value) in members { if let key = key as? String { result[key] = value } }
        return result
    }

    private static func text(_ value: Any?) -> String? { value as? String }
    private static func integer(_ value: Any?) -> Int? {
        if let decimal = value as? NSDecimalNumber { return Int(decimal.stringValue) }
        return (value as? NSNumber)?.intValue ?? value as? Int
    }
}
