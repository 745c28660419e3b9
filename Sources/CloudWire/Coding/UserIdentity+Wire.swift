import CloudCore

extension UserLookup {
    /// Reads `{"emailAddress"}`, `{"phoneNumber"}` or `{"userRecordName"}`.
    /// - Returns: `nil` when the object has none of the three.
    package init?(_ json: JSONReader) throws(WireError) {
        if let text = try json.optionalString("emailAddress") {
            self = .emailAddress(text)
        } else if let text = try json.optionalString("phoneNumber") {
            self = .phoneNumber(text)
        } else if let text = try json.optionalString("userRecordName") {
            self = .userRecordName(text)
        } else {
            return nil
        }
    }

    package func write(to json: inout JSONWriter) {
        switch self {
        case .emailAddress(let text): json.member("emailAddress", text)
        case .phoneNumber(let text): json.member("phoneNumber", text)
        case .userRecordName(let text): json.member("userRecordName", text)
        }
    }
}

extension NameComponents {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            namePrefix: try json.optionalString("namePrefix"), givenName: try json.optionalString("givenName"),
            middleName: try json.optionalString("middleName"), familyName: try json.optionalString("familyName"),
            nameSuffix: try json.optionalString("nameSuffix"), nickname: try json.optionalString("nickname"))
    }

    package func write(to json: inout JSONWriter) {
        json.member("namePrefix", ifPresent: namePrefix)
        json.member("givenName", ifPresent: givenName)
        json.member("middleName", ifPresent: middleName)
        json.member("familyName", ifPresent: familyName)
        json.member("nameSuffix", ifPresent: nameSuffix)
        json.member("nickname", ifPresent: nickname)
    }
}

extension UserIdentity: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(userRecordName: try json.optionalString("userRecordName"))
        if let names = try json.member("nameComponents") { nameComponents = try NameComponents(names) }
        if let lookup = try json.member("lookupInfo") { self.lookup = try UserLookup(lookup) }
    }

    package func write(to json: inout JSONWriter) {
        json.member("userRecordName", ifPresent: userRecordName)
        if let nameComponents { json.member("nameComponents") { nameComponents.write(to: &$0) } }
        if let lookup { json.member("lookupInfo") { lookup.write(to: &$0) } }
    }
}
