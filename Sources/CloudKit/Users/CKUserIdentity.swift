import CloudCore
public import Foundation

/// A person who uses the app, as far as others may know him.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CKUserIdentity: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let core: UserIdentity

    init(_ identity: UserIdentity) { core = identity }

    /// The user's record in this container; `nil` for somebody without an account.
    public var userRecordID: CKRecord.ID? { core.userRecordName.map { CKRecord.ID(recordName: $0) } }
    /// What the person was looked up or invited by; `nil` where one may not know.
    public var lookupInfo: CKUserIdentity.LookupInfo? { core.lookup.map(LookupInfo.init) }
    public var nameComponents: PersonNameComponents? { core.nameComponents.map(PersonNameComponents.init) }
    /// Which of the device's contacts the person is: none, since there is no address book on this platform.
    @available(*, deprecated, message: "no longer supported")
    public var contactIdentifiers: [String] { [] }
    /// Whether the person has an account of the service.
    public var hasiCloudAccount: Bool { core.userRecordName != nil }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let archive: UserIdentityArchive = coder.propertyList("CumuletUserIdentity") else { return nil }
        self.init(archive.identity)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(propertyList: UserIdentityArchive(core), "CumuletUserIdentity")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Two are the same person when they are the same user, or when neither is known as one and both have the same lookup info.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKUserIdentity else { return false }
        if core.userRecordName != nil || other.core.userRecordName != nil {
            return core.userRecordName == other.core.userRecordName
        }
        return core.lookup == other.core.lookup
    }

    public override var hash: Int {
        if let name = core.userRecordName { return name.hashValue }
        return core.lookup.hashValue
    }

    public override var description: String {
        let name = [core.nameComponents?.givenName, core.nameComponents?.familyName].compactMap(\.self)
        return "<CKUserIdentity: \(name.joined(separator: " ")), \(core.userRecordName ?? "no account")>"
    }
}

extension CKUserIdentity {
    public typealias LookupInfo = CKUserIdentityLookupInfo
}

/// What a person is looked up by: an e-mail address, a phone number or a user record.
///
/// Unchecked: every stored property is a constant of a `Sendable` type.
public class CKUserIdentityLookupInfo: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    let core: UserLookup

    init(_ lookup: UserLookup) { core = lookup }

    public convenience init(emailAddress: String) { self.init(.emailAddress(emailAddress)) }
    public convenience init(phoneNumber: String) { self.init(.phoneNumber(phoneNumber)) }
    public convenience init(userRecordID: CKRecord.ID) { self.init(.userRecordName(userRecordID.recordName)) }

    public class func lookupInfos(withEmails emails: [String]) -> [CKUserIdentity.LookupInfo] {
        emails.map { CKUserIdentity.LookupInfo(emailAddress: $0) }
    }

    public class func lookupInfos(withPhoneNumbers phoneNumbers: [String]) -> [CKUserIdentity.LookupInfo] {
        phoneNumbers.map { CKUserIdentity.LookupInfo(phoneNumber: $0) }
    }

    public class func lookupInfos(with recordIDs: [CKRecord.ID]) -> [CKUserIdentity.LookupInfo] {
        recordIDs.map { CKUserIdentity.LookupInfo(userRecordID: $0) }
    }

    public var emailAddress: String? {
        if case .emailAddress(let address) = core { address } else { nil }
    }

    public var phoneNumber: String? {
        if case .phoneNumber(let number) = core { number } else { nil }
    }

    public var userRecordID: CKRecord.ID? {
        if case .userRecordName(let name) = core { CKRecord.ID(recordName: name) } else { nil }
    }

    public static var supportsSecureCoding: Bool { true }

    public required convenience init?(coder: NSCoder) {
        guard let archive: UserIdentityArchive = coder.propertyList("CumuletLookupInfo"),
            let lookup = archive.identity.lookup
        else { return nil }
        self.init(lookup)
    }

    public func encode(with coder: NSCoder) {
        coder.encode(propertyList: UserIdentityArchive(UserIdentity(lookup: core)), "CumuletLookupInfo")
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }
    public override func isEqual(_ object: Any?) -> Bool { (object as? CKUserIdentityLookupInfo)?.core == core }
    public override var hash: Int { core.hashValue }

    public override var description: String {
        switch core {
        case .emailAddress(let text), .phoneNumber(let text), .userRecordName(let text):
            "<CKUserIdentityLookupInfo: \(text)>"
        }
    }
}

extension PersonNameComponents {
    init(_ name: NameComponents) {
        self.init()
        namePrefix = name.namePrefix
        givenName = name.givenName
        middleName = name.middleName
        familyName = name.familyName
        nameSuffix = name.nameSuffix
        nickname = name.nickname
    }
}
