@_spi(_Unicode) import Swift

/// A person's name in parts.
package struct NameComponents: Hashable, Sendable {
    package var namePrefix: String?
    package var givenName: String?
    package var middleName: String?
    package var familyName: String?
    package var nameSuffix: String?
    package var nickname: String?

    package init(
        namePrefix: String? = nil, givenName: String? = nil, middleName: String? = nil, familyName: String? = nil,
        nameSuffix: String? = nil, nickname: String? = nil
    ) {
        self.namePrefix = namePrefix
        self.givenName = givenName
        self.middleName = middleName
        self.familyName = familyName
        self.nameSuffix = nameSuffix
        self.nickname = nickname
    }

    package var isEmpty: Bool { self == NameComponents() }
}

/// What a person is looked up by: an address, a number, or the name of his user record in the container.
package enum UserLookup: Hashable, Sendable {
    case emailAddress(String)
    case phoneNumber(String)
    case userRecordName(String)
}

extension UserLookup {
    /// The form in which addresses compare, wherever: in lower case and composed (NFC).
    package static func normalized(emailAddress text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 128 }) { return text.lowercased() }
        return text._nfc.reduce(into: "") { $0.unicodeScalars.append($1) }.lowercased()._nfc.reduce(into: "") {
            $0.unicodeScalars.append($1)
        }
    }

    /// The form in which telephone numbers compare: their digits, without the `+` or `00` of an international number.
    ///
    /// Spaces, hyphens, dots, slashes and round brackets between the digits do not count.
    /// - Returns: 3 to 15 digits (E.164); `nil` when `text` is no telephone number.
    package static func normalized(phoneNumber text: String) -> String? {
        var digits: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57: digits.append(byte)
            case 43 where digits.isEmpty, 32, 40, 41, 45, 46, 47: continue
            default: return nil
            }
        }
        if digits.starts(with: [48, 48]) { digits.removeFirst(2) }
        return (3...15).contains(digits.count) ? String(decoding: digits, as: UTF8.self) : nil
    }
}

/// A person as others see him.
package struct UserIdentity: Hashable, Sendable {
    /// The user record name in the container; `nil` for somebody without an account.
    package var userRecordName: String?
    package var nameComponents: NameComponents?
    /// What the person was looked up or invited by.
    package var lookup: UserLookup?

    package init(userRecordName: String? = nil, nameComponents: NameComponents? = nil, lookup: UserLookup? = nil) {
        self.userRecordName = userRecordName
        self.nameComponents = nameComponents
        self.lookup = lookup
    }
}
