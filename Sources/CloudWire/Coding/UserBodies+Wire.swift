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
