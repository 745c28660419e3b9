public import Foundation

/// Who may be given what, by a screen that lets a person share.
public struct CKSharingParticipantPermissionOption: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static var readOnly: Self { Self(rawValue: 1) }
    public static var readWrite: Self { Self(rawValue: 2) }
    public static var any: Self { [.readOnly, .readWrite] }
}

/// How people may come to a share, by a screen that lets a person share.
public struct CKSharingParticipantAccessOption: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static var anyoneWithLink: Self { Self(rawValue: 1) }
    public static var specifiedRecipientsOnly: Self { Self(rawValue: 2) }
    public static var any: Self { [.anyoneWithLink, .specifiedRecipientsOnly] }
}

/// What a screen that lets a person share offers.
///
/// Not thread-safe until it is handed over, as it is elsewhere; unchecked because whoever gets one takes a copy.
public class CKAllowedSharingOptions: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    public var allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption
    public var allowedParticipantAccessOptions: CKSharingParticipantAccessOption
    public var allowsParticipantsToInviteOthers = false
    public var allowsAccessRequests = false

    public init(
        allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption,
        allowedParticipantAccessOptions: CKSharingParticipantAccessOption
    ) {
        self.allowedParticipantPermissionOptions = allowedParticipantPermissionOptions
        self.allowedParticipantAccessOptions = allowedParticipantAccessOptions
    }

    /// Everything but invitations by participants and requests for access.
    public class var standard: CKAllowedSharingOptions {
        CKAllowedSharingOptions(
            allowedParticipantPermissionOptions: .any, allowedParticipantAccessOptions: .any)
    }

    public static var supportsSecureCoding: Bool { true }

    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "Permissions") else { return nil }
        allowedParticipantPermissionOptions = .init(
            rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "Permissions")))
        allowedParticipantAccessOptions = .init(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "Access")))
        allowsParticipantsToInviteOthers = coder.decodeBool(forKey: "Invite")
        allowsAccessRequests = coder.decodeBool(forKey: "Requests")
    }

    public func encode(with coder: NSCoder) {
        coder.encode(Int(allowedParticipantPermissionOptions.rawValue), forKey: "Permissions")
        coder.encode(Int(allowedParticipantAccessOptions.rawValue), forKey: "Access")
        coder.encode(allowsParticipantsToInviteOthers, forKey: "Invite")
        coder.encode(allowsAccessRequests, forKey: "Requests")
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKAllowedSharingOptions(
            allowedParticipantPermissionOptions: allowedParticipantPermissionOptions,
            allowedParticipantAccessOptions: allowedParticipantAccessOptions)
        copy.allowsParticipantsToInviteOthers = allowsParticipantsToInviteOthers
        copy.allowsAccessRequests = allowsAccessRequests
        return copy
    }
}
