import CloudCore

extension AdminAccountListRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) { self.init(after: try json.optionalString("after")) }
    package func write(to json: inout JSONWriter) { json.member("after", ifPresent: after) }
}

extension AdminAccountListResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var accounts: [AdminAccount] = []
        for element in try json.list("accounts") { accounts.append(try AdminAccount(element)) }
        self.init(accounts: accounts, moreComing: try json.member("moreComing")?.bool() ?? false)
    }

    package func write(to json: inout JSONWriter) {
        json.member("accounts", array: accounts) { json, account in json.object { account.write(to: &$0) } }
        json.member("moreComing", moreComing)
    }
}

extension AdminAccount: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            emailAddress: try json.required("emailAddress").string(),
            phoneNumber: try json.optionalString("phoneNumber"), nameComponents: NameComponents(),
            isDiscoverable: try json.member("isDiscoverable")?.bool() ?? false,
            isDisabled: try json.member("isDisabled")?.bool() ?? false,
            created: try json.required("created").int64())
        if let names = try json.member("nameComponents") { nameComponents = try NameComponents(names) }
    }

    package func write(to json: inout JSONWriter) {
        json.member("emailAddress", emailAddress)
        json.member("phoneNumber", ifPresent: phoneNumber)
        if !nameComponents.isEmpty { json.member("nameComponents") { nameComponents.write(to: &$0) } }
        json.member("isDiscoverable", isDiscoverable)
        json.member("isDisabled", isDisabled)
        json.member("created", created)
    }
}

extension AdminAccountSetRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            emailAddress: try json.required("emailAddress").nonEmpty(),
            newEmailAddress: try json.optionalString("newEmailAddress"),
            password: try json.optionalString("password"), phoneNumber: try json.optionalString("phoneNumber"),
            isDiscoverable: try json.member("isDiscoverable")?.bool())
        if let names = try json.member("nameComponents") { nameComponents = try NameComponents(names) }
        if let id = try json.optionalString("container") { container = ContainerID(id) }
    }

    package func write(to json: inout JSONWriter) {
        json.member("emailAddress", emailAddress)
        json.member("newEmailAddress", ifPresent: newEmailAddress)
        json.member("password", ifPresent: password)
        json.member("phoneNumber", ifPresent: phoneNumber)
        if !nameComponents.isEmpty { json.member("nameComponents") { nameComponents.write(to: &$0) } }
        if let isDiscoverable { json.member("isDiscoverable", isDiscoverable) }
        json.member("container", ifPresent: container?.rawValue)
    }
}

extension AdminAccountRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(emailAddress: try json.required("emailAddress").nonEmpty())
    }

    package func write(to json: inout JSONWriter) { json.member("emailAddress", emailAddress) }
}

extension AdminAccountPurgeRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            emailAddress: try json.required("emailAddress").nonEmpty(),
            container: ContainerID(try json.required("container").nonEmpty()),
            environment: try json.required("environment").environment())
    }

    package func write(to json: inout JSONWriter) {
        json.member("emailAddress", emailAddress)
        json.member("container", container.rawValue)
        json.member("environment", environment.rawValue)
    }
}

extension AdminKeyAddRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            container: ContainerID(try json.required("container").nonEmpty()),
            environment: try json.required("environment").environment(), name: try json.optionalString("name") ?? "",
            publicKey: try json.required("publicKey").nonEmpty())
    }

    package func write(to json: inout JSONWriter) {
        json.member("container", container.rawValue)
        json.member("environment", environment.rawValue)
        json.member("name", name)
        json.member("publicKey", publicKey)
    }
}

extension AdminServerKey: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            keyID: try json.required("keyID").string(), container: ContainerID(try json.required("container").string()),
            environment: try json.required("environment").environment(), name: try json.optionalString("name") ?? "",
            userRecordName: try json.required("userRecordName").string(),
            created: try json.required("created").int64())
    }

    package func write(to json: inout JSONWriter) {
        json.member("keyID", keyID)
        json.member("container", container.rawValue)
        json.member("environment", environment.rawValue)
        json.member("name", name)
        json.member("userRecordName", userRecordName)
        json.member("created", created)
    }
}

extension AdminKeyListRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(container: try json.optionalString("container").map { ContainerID($0) })
    }

    package func write(to json: inout JSONWriter) { json.member("container", ifPresent: container?.rawValue) }
}

extension AdminKeyListResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var keys: [AdminServerKey] = []
        for element in try json.list("keys") { keys.append(try AdminServerKey(element)) }
        self.init(keys: keys)
    }

    package func write(to json: inout JSONWriter) {
        json.member("keys", array: keys) { json, key in json.object { key.write(to: &$0) } }
    }
}

extension AdminKeyRevokeRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(keyID: try json.required("keyID").nonEmpty())
    }

    package func write(to json: inout JSONWriter) { json.member("keyID", keyID) }
}
