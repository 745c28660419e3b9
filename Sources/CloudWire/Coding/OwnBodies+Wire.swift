import CloudCore

extension SignInRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            emailAddress: try json.required("emailAddress").nonEmpty(), password: try json.optionalString("password"),
            deviceID: try json.required("deviceID").nonEmpty(), deviceName: try json.optionalString("deviceName") ?? "")
    }

    package func write(to json: inout JSONWriter) {
        json.member("emailAddress", emailAddress)
        json.member("password", ifPresent: password)
        json.member("deviceID", deviceID)
        json.member("deviceName", deviceName)
    }
}

extension SignInResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            deviceSession: try json.required("deviceSession").string(),
            accountName: try json.required("accountName").string())
    }

    package func write(to json: inout JSONWriter) {
        json.member("deviceSession", deviceSession)
        json.member("accountName", accountName)
    }
}

extension WebTokenRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            deviceSession: try json.required("deviceSession").nonEmpty(),
            container: ContainerID(try json.required("container").nonEmpty()),
            environment: try json.required("environment").environment(),
            ckAPIToken: try json.optionalString("ckAPIToken"))
    }

    package func write(to json: inout JSONWriter) {
        json.member("deviceSession", deviceSession)
        json.member("container", container.rawValue)
        json.member("environment", environment.rawValue)
        json.member("ckAPIToken", ifPresent: ckAPIToken)
    }
}

extension WebTokenResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            ckWebAuthToken: try json.required("ckWebAuthToken").string(),
            userRecordName: try json.required("userRecordName").string())
    }

    package func write(to json: inout JSONWriter) {
        json.member("ckWebAuthToken", ckWebAuthToken)
        json.member("userRecordName", userRecordName)
    }
}

extension SignOutRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(deviceSession: try json.required("deviceSession").nonEmpty())
    }

    package func write(to json: inout JSONWriter) { json.member("deviceSession", deviceSession) }
}

extension AdminAccountAddRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            emailAddress: try json.required("emailAddress").nonEmpty(), password: try json.optionalString("password"),
            phoneNumber: try json.optionalString("phoneNumber"),
            isDiscoverable: try json.member("isDiscoverable")?.bool() ?? false)
        if let names = try json.member("nameComponents") { nameComponents = try NameComponents(names) }
    }

    package func write(to json: inout JSONWriter) {
        json.member("emailAddress", emailAddress)
        json.member("password", ifPresent: password)
        json.member("phoneNumber", ifPresent: phoneNumber)
        if !nameComponents.isEmpty { json.member("nameComponents") { nameComponents.write(to: &$0) } }
        if isDiscoverable { json.member("isDiscoverable", true) }
    }
}

extension AdminContainerCreateRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(container: ContainerID(try json.required("container").nonEmpty()))
    }

    package func write(to json: inout JSONWriter) { json.member("container", container.rawValue) }
}

extension AdminTokenCreateRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            container: ContainerID(try json.required("container").nonEmpty()),
            environment: try json.required("environment").environment(),
            name: try json.optionalString("name") ?? "",
            allowedOrigins: try json.member("allowedOrigins")?.strings() ?? [])
    }

    package func write(to json: inout JSONWriter) {
        json.member("container", container.rawValue)
        json.member("environment", environment.rawValue)
        json.member("name", name)
        if !allowedOrigins.isEmpty {
            json.key("allowedOrigins")
            json.array(allowedOrigins) { $0.string($1) }
        }
    }
}

extension AdminTokenRevokeRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(ckAPIToken: try json.required("ckAPIToken").nonEmpty())
    }

    package func write(to json: inout JSONWriter) { json.member("ckAPIToken", ckAPIToken) }
}

extension AdminTokenCreateResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(ckAPIToken: try json.required("ckAPIToken").string())
    }

    package func write(to json: inout JSONWriter) { json.member("ckAPIToken", ckAPIToken) }
}

extension EmptyBody: WireBody {
    package init(_ json: JSONReader) throws(WireError) {}
    package func write(to json: inout JSONWriter) {}
}
