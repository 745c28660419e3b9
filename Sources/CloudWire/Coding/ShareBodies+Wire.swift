import CloudCore

extension WireShareLink {
    init(_ json: JSONReader) throws(WireError) {
        self.init(value: "")
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "value": self.value = try value.nonEmpty()
            case "invitationToken": invitationToken = try value.string()
            case "shouldFetchRootRecord": shouldFetchRootRecord = try value.flag()
            case "rootRecordDesiredKeys": rootRecordDesiredKeys = try value.strings()
            default: break
            }
        }
        if value.isEmpty { throw json.missing("value") }
    }

    func write(to json: inout JSONWriter) {
        json.member("value", value)
        json.member("shouldFetchRootRecord", shouldFetchRootRecord)
        json.member("rootRecordDesiredKeys", ifPresent: rootRecordDesiredKeys)
        json.member("invitationToken", ifPresent: invitationToken)
    }
}

extension JSONReader {
    /// True, false, 1 or 0.
    func flag() throws(WireError) -> Bool {
        guard kind == .integer else { return try bool() }
        switch try int64() {
        case 0: return false
        case 1: return true
        default: throw unexpected("true or false")
        }
    }
}

extension ShareLinksRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var links: [WireShareLink] = []
        for element in try json.list("shortGUIDs") { links.append(try WireShareLink(element)) }
        self.init(shortGUIDs: links)
    }

    package func write(to json: inout JSONWriter) {
        json.member("shortGUIDs", array: shortGUIDs) { json, link in json.object { link.write(to: &$0) } }
    }
}

extension WireShareMetadata {
    init(_ json: JSONReader) throws(WireError) {
        let zone = try ZoneID(try json.required("zoneID"))
        let scope = try json.required("databaseScope")
        switch try scope.string() {
        case "PRIVATE": self.scope = .private
        case "SHARED": self.scope = .shared
        default: throw scope.failure("Unexpected input: expected PRIVATE or SHARED")
        }
        link = try WireShareLink(try json.required("shortGUID"))
        container = ContainerID(try json.required("containerIdentifier").string())
        environment = try json.required("environment").environment()
        self.zone = zone
        rootRecordName = try json.required("rootRecordName").string()
        rootRecord = try json.member("rootRecord").map { value throws(WireError) in try Record(value, zone: zone) }
        share = try Record(try json.required("share"), zone: zone)
        owner = try UserIdentity(try json.required("ownerIdentity"))
        role = try ParticipantRole(try json.required("participantType"))
        status = try AcceptanceStatus(try json.required("participantStatus"))
        permission = try SharePermission(try json.required("participantPermission"))
        webpageURL = try json.optionalString("webpageURL")
    }

    func write(to json: inout JSONWriter) {
        json.member("shortGUID") { link.write(to: &$0) }
        json.member("containerIdentifier", container.rawValue)
        json.member("environment", environment.rawValue)
        json.member("databaseScope", scope.pathName.uppercased())
        json.member("zoneID", zone)
        json.member("rootRecordName", rootRecordName)
        if let rootRecord {
            json.key("rootRecord")
            json.record(rootRecord)
        }
        json.key("share")
        json.record(share)
        json.member("ownerIdentity") { owner.write(to: &$0) }
        json.member("participantType", role.wireName)
        json.member("participantStatus", status.wireName)
        json.member("participantPermission", permission.wireName)
        json.member("webpageURL", ifPresent: webpageURL)
    }
}

extension JSONWriter {
    fileprivate mutating func failure(_ link: WireShareLink, _ error: CloudError, uuid: String) {
        member("shortGUID") { link.write(to: &$0) }
        failure(error, uuid: uuid)
    }
}

extension ShareMetadataResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var results: [ShareItem] = []
        for element in try json.list("results") {
            if let failure = try WireFailure(element) {
                let link = try WireShareLink(try element.required("shortGUID"))
                results.append(.failure(link, failure.error, uuid: failure.uuid))
            } else {
                results.append(.metadata(try WireShareMetadata(element)))
            }
        }
        self.init(results: results)
    }

    package var sizeHint: Int { 64 + results.count * 4096 }

    package func write(to json: inout JSONWriter) {
        json.member("results", array: results) { json, item in
            json.object {
                switch item {
                case .metadata(let metadata): metadata.write(to: &$0)
                case .failure(let link, let error, let uuid): $0.failure(link, error, uuid: uuid)
                }
            }
        }
    }
}

extension RecordsRequestAccessResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var results: [Item] = []
        for element in try json.list("results") {
            let link = try WireShareLink(try element.required("shortGUID"))
            if let failure = try WireFailure(element) {
                results.append(.failure(link, failure.error, uuid: failure.uuid))
            } else {
                results.append(.sent(link))
            }
        }
        self.init(results: results)
    }

    package func write(to json: inout JSONWriter) {
        json.member("results", array: results) { json, item in
            json.object {
                switch item {
                case .sent(let link): $0.member("shortGUID") { link.write(to: &$0) }
                case .failure(let link, let error, let uuid): $0.failure(link, error, uuid: uuid)
                }
            }
        }
    }
}
