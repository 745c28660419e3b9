public import Foundation
import Synchronization

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
/// Unchecked: all that changes is behind `state`'s lock.
public class CKAllowedSharingOptions: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private struct State: Sendable {
        var permissions: CKSharingParticipantPermissionOption
        var access: CKSharingParticipantAccessOption
        var allowsInvitations = false
        var allowsRequests = false
    }

    private let state: Mutex<State>

    private init(_ state: State) { self.state = Mutex(state) }

    public convenience init(
        allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption,
        allowedParticipantAccessOptions: CKSharingParticipantAccessOption
    ) {
        self.init(
            State(permissions: allowedParticipantPermissionOptions, access: allowedParticipantAccessOptions))
    }

    public var allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption {
        get { state.withLock { $0.permissions } }
        set { state.withLock { $0.permissions = newValue } }
    }

    public var allowedParticipantAccessOptions: CKSharingParticipantAccessOption {
        get { state.withLock { $0.access } }
        set { state.withLock { $0.access = newValue } }
    }

    public var allowsParticipantsToInviteOthers: Bool {
        get { state.withLock { $0.allowsInvitations } }
        set { state.withLock { $0.allowsInvitations = newValue } }
    }

    public var allowsAccessRequests: Bool {
        get { state.withLock { $0.allowsRequests } }
        set { state.withLock { $0.allowsRequests = newValue } }
    }

    /// Everything but invitations by participants and requests for access.
    public class var standard: CKAllowedSharingOptions {
        CKAllowedSharingOptions(
            allowedParticipantPermissionOptions: .any, allowedParticipantAccessOptions: .any)
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "Permissions") else { return nil }
        self.init(
            State(
                permissions: .init(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "Permissions"))),
                access: .init(rawValue: UInt(bitPattern: coder.decodeInteger(forKey: "Access"))),
                allowsInvitations: coder.decodeBool(forKey: "Invite"),
                allowsRequests: coder.decodeBool(forKey: "Requests")))
    }

    public func encode(with coder: NSCoder) {
        let state = state.withLock { $0 }
        coder.encode(Int(state.permissions.rawValue), forKey: "Permissions")
        coder.encode(Int(state.access.rawValue), forKey: "Access")
        coder.encode(state.allowsInvitations, forKey: "Invite")
        coder.encode(state.allowsRequests, forKey: "Requests")
    }

    public func copy(with zone: NSZone? = nil) -> Any { CKAllowedSharingOptions(state.withLock { $0 }) }
}
