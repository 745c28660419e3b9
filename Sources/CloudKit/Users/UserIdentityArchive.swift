import CloudCore
import Foundation

/// What a keyed archive holds of a person.
struct UserIdentityArchive: Codable {
    var user: String?
    var email: String?
    var phone: String?
    var lookupName: String?
    /// Prefix, given, middle, family, suffix, nickname; `nil` when no name is known.
    var name: [String?]?

    init(_ identity: UserIdentity) {
        user = identity.userRecordName
        switch identity.lookup {
        case .emailAddress(let address)?: email = address
        case .phoneNumber(let number)?: phone = number
        case .userRecordName(let name)?: lookupName = name
        case nil: break
        }
        name = identity.nameComponents.map {
            [$0.namePrefix, $0.givenName, $0.middleName, $0.familyName, $0.nameSuffix, $0.nickname]
        }
    }

    var identity: UserIdentity {
        var lookup: UserLookup?
        if let email {
            lookup = .emailAddress(email)
        } else if let phone {
            lookup = .phoneNumber(phone)
        } else if let lookupName {
            lookup = .userRecordName(lookupName)
        }
        var components: NameComponents?
        if let name, name.count == 6 {
            components = NameComponents(
                namePrefix: name[0], givenName: name[1], middleName: name[2], familyName: name[3], nameSuffix: name[4],
                nickname: name[5])
        }
        return UserIdentity(userRecordName: user, nameComponents: components, lookup: lookup)
    }
}

extension NSCoder {
    /// A value that was archived as one property list; `nil` where the archive lacks it or holds something else.
    func propertyList<Value: Decodable>(_ key: String) -> Value? {
        data(key).flatMap { try? PropertyListDecoder().decode(Value.self, from: $0) }
    }

    func encode(propertyList value: some Encodable, _ key: String) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // Every part is a property-list type, so encoding cannot fail; an archive without the key decodes as nil.
        guard let data = try? encoder.encode(value) else { return }
        encode(data as NSData, forKey: key)
    }
}
