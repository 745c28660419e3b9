public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKErrorDomain = "CKErrorDomain"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKErrorRetryAfterKey = "CKErrorRetryAfterKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKErrorUserDidResetEncryptedDataKey = "CKErrorUserDidResetEncryptedDataKey"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKPartialErrorsByItemIDKey = "CKPartialErrors"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordChangedErrorAncestorRecordKey = "AncestorRecord"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordChangedErrorClientRecordKey = "ClientRecord"
// swift-format-ignore: AlwaysUseLowerCamelCase
public let CKRecordChangedErrorServerRecordKey = "ServerRecord"

/// What went wrong, as an app sees it.
///
/// Unchecked: `userInfo` is a constant. What this module puts there is `Sendable` (strings, numbers, errors, records);
/// what an app puts there through the public initialiser is the app's to answer for, as with `NSError`.
public struct CKError: CustomNSError, Hashable, @unchecked Sendable {
    public let code: CKError.Code
    public let userInfo: [String: Any]

    public init(_ code: CKError.Code, userInfo: [String: Any] = [:]) {
        self.code = code
        self.userInfo = userInfo
    }

    public init(_nsError error: NSError) {
        self.init(Code(rawValue: error.code) ?? .internalError, userInfo: error.userInfo)
    }

    public static var errorDomain: String { CKErrorDomain }
    public var errorCode: Int { code.rawValue }

    public var errorUserInfo: [String: Any] {
        var info = userInfo
        if info[NSLocalizedDescriptionKey] == nil { info[NSLocalizedDescriptionKey] = code.title }
        return info
    }

    public var localizedDescription: String { userInfo[NSLocalizedDescriptionKey] as? String ?? code.title }

    public var clientRecord: CKRecord? { userInfo[CKRecordChangedErrorClientRecordKey] as? CKRecord }
    public var serverRecord: CKRecord? { userInfo[CKRecordChangedErrorServerRecordKey] as? CKRecord }
    public var ancestorRecord: CKRecord? { userInfo[CKRecordChangedErrorAncestorRecordKey] as? CKRecord }

    public var partialErrorsByItemID: [AnyHashable: any Error]? {
        userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error]
    }

    public var retryAfterSeconds: Double? {
        switch userInfo[CKErrorRetryAfterKey] {
        case let seconds as Double: seconds
        case let seconds as NSNumber: seconds.doubleValue
        default: nil
        }
    }

    public static func == (left: CKError, right: CKError) -> Bool {
        left.code == right.code && left.localizedDescription == right.localizedDescription
            && left.userInfo.keys == right.userInfo.keys
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(localizedDescription)
    }
}

extension CKError: CustomStringConvertible {
    public var description: String {
        var text = "<CKError: \"\(code.title)\" (\(code.rawValue))"
        if let reason = userInfo[NSLocalizedDescriptionKey] { text += "; server message = \"\(reason)\"" }
        if let retryAfterSeconds { text += "; retry after \(retryAfterSeconds) s" }
        if let partial = partialErrorsByItemID { text += "; partial errors: \(partial)" }
        return text + ">"
    }
}
