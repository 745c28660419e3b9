import CloudCore

extension UsersCallerResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        let identity = try UserIdentity(json)
        guard let name = identity.userRecordName else { throw json.missing("userRecordName") }
        self.init(userRecordName: name, nameComponents: identity.nameComponents, lookup: identity.lookup)
    }

    package func write(to json: inout JSONWriter) {
        UserIdentity(userRecordName: userRecordName, nameComponents: nameComponents, lookup: lookup)
            .write(to: &json)
    }
}

extension UsersCurrentResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            userRecordName: try json.required("userRecordName").string(),
            firstName: try json.optionalString("firstName"), lastName: try json.optionalString("lastName"),
            emailAddress: try json.optionalString("emailAddress"))
    }

    package func write(to json: inout JSONWriter) {
        json.member("userRecordName", userRecordName)
        json.member("firstName", ifPresent: firstName)
        json.member("lastName", ifPresent: lastName)
        json.member("emailAddress", ifPresent: emailAddress)
    }
}

extension UsersDiscoverRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        // Without a list, as with GET, nobody in particular is meant.
        self.init(
            lookups: try json.member("lookupInfos").map { list throws(WireError) in try list.lookups() } ?? [],
            forSharing: try json.member("forSharing")?.bool() ?? false)
    }

    package func write(to json: inout JSONWriter) {
        json.member("lookupInfos", array: lookups) { json, lookup in json.object { lookup.write(to: &$0) } }
        if forSharing { json.member("forSharing", true) }
    }
}

extension UsersDiscoverResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var users: [UserIdentity] = []
        for element in try json.list("users") { users.append(try UserIdentity(element)) }
        self.init(users: users)
    }

    package func write(to json: inout JSONWriter) {
        json.member("users", array: users) { json, user in json.object { user.write(to: &$0) } }
    }
}

extension UsersLookupRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) { self.init(users: try json.required("users").lookups()) }

    package func write(to json: inout JSONWriter) {
        json.member("users", array: users) { json, lookup in json.object { lookup.write(to: &$0) } }
    }
}

extension UsersLookupResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) { self.init(users: try json.users()) }

    package func write(to json: inout JSONWriter) { json.users("users", users) }
}

extension UsersLookupContactsResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) { self.init(users: try json.users()) }

    package func write(to json: inout JSONWriter) {
        json.users("users", users)
        json.users("contacts", users)
    }
}

extension JSONReader {
    fileprivate func lookups() throws(WireError) -> [UserLookup] {
        var lookups: [UserLookup] = []
        for element in try oneOrMore() {
            guard let lookup = try UserLookup(element) else {
                throw element.failure("must have an emailAddress, a phoneNumber or a userRecordName")
            }
            lookups.append(lookup)
        }
        return lookups
    }

    fileprivate func users() throws(WireError) -> [UsersCurrentResponse] {
        var users: [UsersCurrentResponse] = []
        for element in try list("users") { users.append(try UsersCurrentResponse(element)) }
        return users
    }
}

extension JSONWriter {
    fileprivate mutating func users(_ name: StaticString, _ users: [UsersCurrentResponse]) {
        member(name, array: users) { json, user in json.object { user.write(to: &$0) } }
    }
}

extension TokensCreateRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            apnsEnvironment: try json.required("apnsEnvironment").environment(),
            clientID: try json.either("clientId", "clientID")?.string())
    }

    package func write(to json: inout JSONWriter) {
        json.member("apnsEnvironment", apnsEnvironment.rawValue)
        json.member("clientId", ifPresent: clientID)
    }
}

extension TokensRegisterRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            apnsEnvironment: try json.required("apnsEnvironment").environment(),
            apnsToken: try json.required("apnsToken").nonEmpty(),
            clientID: try json.either("clientId", "clientID")?.string())
    }

    package func write(to json: inout JSONWriter) {
        json.member("apnsEnvironment", apnsEnvironment.rawValue)
        json.member("apnsToken", apnsToken)
        json.member("clientId", ifPresent: clientID)
    }
}

extension TokensResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            apnsEnvironment: try json.required("apnsEnvironment").environment(),
            apnsToken: try json.required("apnsToken").string(),
            webcourierURL: try json.required("webcourierURL").string(),
            pushSequence: try json.member("pushSequence")?.int64())
    }

    package func write(to json: inout JSONWriter) {
        json.member("apnsEnvironment", apnsEnvironment.rawValue)
        json.member("apnsToken", apnsToken)
        json.member("webcourierURL", webcourierURL)
        if let pushSequence { json.member("pushSequence", pushSequence) }
    }
}
