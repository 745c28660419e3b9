import CloudCore

extension RecordsQueryRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var common = CommonKeys()
        var query: RecordQuery?
        var zoneWide = false
        var marker: String?
        var wantsSyncToken = false
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "query": query = try RecordQuery(value)
            case "zoneWide": zoneWide = try value.bool()
            case "continuationMarker": marker = try value.string()
            case "getCurrentSyncToken": wantsSyncToken = try value.bool()
            default: _ = try common.take(key, value)
            }
        }
        guard let query else { throw json.missing("query") }
        self.init(
            query: query, zone: common.zone, zoneWide: zoneWide, resultsLimit: common.resultsLimit,
            continuationMarker: marker, desiredKeys: common.desiredKeys,
            numbersAsStrings: common.numbersAsStrings ?? false, getCurrentSyncToken: wantsSyncToken)
    }

    package func write(to json: inout JSONWriter) {
        json.key("query")
        json.query(query)
        json.member("zoneID", ifPresent: zone)
        if zoneWide { json.member("zoneWide", true) }
        json.member("resultsLimit", ifPresent: resultsLimit)
        json.member("continuationMarker", ifPresent: continuationMarker)
        json.member("desiredKeys", ifPresent: desiredKeys)
        if numbersAsStrings { json.member("numbersAsStrings", true) }
        if getCurrentSyncToken { json.member("getCurrentSyncToken", true) }
    }
}

extension RecordsQueryResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            records: try RecordItem.list(json), continuationMarker: try json.optionalString("continuationMarker"),
            syncToken: try json.optionalString("syncToken"))
    }

    package var sizeHint: Int { 256 + records.count * 1024 }

    package func write(to json: inout JSONWriter) {
        json.items(records, quoting: numbersAsStrings)
        json.member("continuationMarker", ifPresent: continuationMarker)
        json.member("syncToken", ifPresent: syncToken)
    }
}

extension RecordsLookupRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var common = CommonKeys()
        for (key, value) in try json.members where !value.isNull { _ = try common.take(key, value) }
        var entries: [Entry] = []
        for element in try json.list("records") {
            var own = CommonKeys()
            var name: String?
            for (key, value) in try element.members where !value.isNull {
                if case "recordName" = key { name = try value.string() } else { _ = try own.take(key, value) }
            }
            guard let name else { throw element.missing("recordName") }
            entries.append(Entry(recordName: name, desiredKeys: own.desiredKeys ?? common.desiredKeys, zone: own.zone))
        }
        self.init(
            records: entries, zone: common.zone, desiredKeys: common.desiredKeys,
            numbersAsStrings: common.numbersAsStrings ?? false)
    }

    package var sizeHint: Int { 256 + records.count * 64 }

    package func write(to json: inout JSONWriter) {
        json.member("records", array: records) { json, entry in
            json.object {
                $0.member("recordName", entry.recordName)
                $0.member("desiredKeys", ifPresent: entry.desiredKeys == desiredKeys ? nil : entry.desiredKeys)
                $0.member("zoneID", ifPresent: entry.zone)
            }
        }
        json.member("zoneID", ifPresent: zone)
        json.member("desiredKeys", ifPresent: desiredKeys)
        if numbersAsStrings { json.member("numbersAsStrings", true) }
    }
}

extension RecordsResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) { self.init(records: try RecordItem.list(json)) }

    package var sizeHint: Int { 64 + records.count * 1024 }

    package func write(to json: inout JSONWriter) { json.items(records, quoting: numbersAsStrings) }
}

extension RecordsModifyRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var common = CommonKeys()
        var atomic: Bool?
        var operations: [WireRecordOperation]?
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "operations":
                var list: [WireRecordOperation] = []
                list.reserveCapacity(value.count)
                for element in try value.elements { list.append(try WireRecordOperation(element)) }
                operations = list
            case "atomic": atomic = try value.bool()
            default: _ = try common.take(key, value)
            }
        }
        guard var operations else { throw json.missing("operations") }
        if let keys = common.desiredKeys {
            for index in operations.indices where operations[index].desiredKeys == nil {
                operations[index].desiredKeys = keys
            }
        }
        self.init(
            operations: operations, zone: common.zone, atomic: atomic, desiredKeys: common.desiredKeys,
            numbersAsStrings: common.numbersAsStrings ?? false)
    }

    package var sizeHint: Int { 256 + operations.count * 768 }

    package func write(to json: inout JSONWriter) {
        json.member("operations", array: operations) { json, operation in
            json.object {
                $0.member("operationType", operation.type.rawValue)
                $0.member("record") { operation.writeRecord(to: &$0) }
                $0.member("desiredKeys", ifPresent: operation.desiredKeys == desiredKeys ? nil : operation.desiredKeys)
            }
        }
        json.member("zoneID", ifPresent: zone)
        if let atomic { json.member("atomic", atomic) }
        json.member("desiredKeys", ifPresent: desiredKeys)
        if numbersAsStrings { json.member("numbersAsStrings", true) }
    }
}

extension WireRecordOperation {
    init(_ json: JSONReader) throws(WireError) {
        var type: RecordOperationType?
        var record: JSONReader?
        var desiredKeys: [String]?
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "operationType": type = try RecordOperationType(value)
            case "record": record = value
            case "desiredKeys": desiredKeys = try value.strings()
            default: break
            }
        }
        guard let type else { throw json.missing("operationType") }
        guard let record else { throw json.missing("record") }
        self.init(type: type, recordName: nil, desiredKeys: desiredKeys)
        try readRecord(record)
        guard recordName != nil || type == .create else { throw record.missing("recordName") }
    }

    private mutating func readRecord(_ json: JSONReader) throws(WireError) {
        var sharing = SharingDraft()
        var hasSharing = false
        for (key, value) in try json.members {
            switch key {
            case "recordName": if !value.isNull { recordName = try value.string() }
            case "recordType":
                if !value.isNull { recordType = Sharing.normalizedType(try value.string()) }
            case "recordChangeTag": if !value.isNull { changeTag = try value.string() }
            case "zoneID": if !value.isNull { zone = try WireZoneID(value) }
            case "fields":
                if value.isNull { break }
                fields.reserveCapacity(value.count)
                for (name, field) in try value.members { fields.append(try FieldDraft(name: name.string, field)) }
            case "parent":
                let name = value.isNull ? nil : try value.required("recordName").string()
                parent = .some(name)
                parentZone = try value.isNull ? nil : Self.zone(named: value)
            case "createShortGUID": if !value.isNull { createShortGUID = try value.flag() }
            default:
                if case "forRecord" = key, !value.isNull { rootZone = try Self.zone(named: value) }
                if try sharing.take(key, value), !value.isNull { hasSharing = true }
            }
        }
        if hasSharing { self.sharing = sharing }
    }

    private static func zone(named json: JSONReader) throws(WireError) -> WireZoneID? {
        guard let zone = try json.member("zoneID"), !zone.isNull else { return nil }
        return try WireZoneID(zone)
    }

    func writeRecord(to json: inout JSONWriter) {
        json.member("recordName", ifPresent: recordName)
        json.member("recordType", ifPresent: recordType)
        json.member("recordChangeTag", ifPresent: changeTag)
        json.member("zoneID", ifPresent: zone)
        if !fields.isEmpty {
            json.member("fields") { for draft in fields { $0.field(draft) } }
        }
        switch parent {
        case nil: break
        case .some(nil):
            json.key("parent")
            json.null()
        case .some(let name?):
            json.member("parent") {
                $0.member("recordName", name)
                $0.member("zoneID", ifPresent: parentZone)
            }
        }
        if createShortGUID { json.member("createShortGUID", true) }
        sharing?.write(to: &json)
    }
}

extension RecordOperationType {
    init(_ json: JSONReader) throws(WireError) {
        switch try json.text() {
        case "create": self = .create
        case "update": self = .update
        case "forceUpdate": self = .forceUpdate
        case "replace": self = .replace
        case "forceReplace": self = .forceReplace
        case "delete": self = .delete
        case "forceDelete": self = .forceDelete
        case let other: throw json.failure("Unexpected input: unknown operationType '\(other.string)'")
        }
    }
}
