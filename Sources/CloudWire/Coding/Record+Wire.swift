import CloudCore

extension Record {
    /// A record of an answer.
    init(_ json: JSONReader, zone fallback: ZoneID? = nil) throws(WireError) {
        var name: String?
        var type: String?
        var tag = ""
        var zone: ZoneID?
        var drafts: JSONReader?
        var parent: String?
        var share: String?
        var shortGUID: String?
        var sharing = Sharing()
        var created = RecordStamp(timestamp: 0, userRecordName: "", deviceID: "")
        var modified = created
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "recordName": name = try value.string()
            case "recordType": type = try value.string()
            case "recordChangeTag": tag = try value.string()
            case "zoneID": zone = try ZoneID(value)
            case "fields": drafts = value
            case "parent": parent = try value.required("recordName").string()
            case "created": created = try RecordStamp(value)
            case "modified": modified = try RecordStamp(value)
            case "share": share = try value.required("recordName").string()
            case "shortGUID": shortGUID = try value.string()
            default: try sharing.take(key, value)
            }
        }
        guard let name else { throw json.missing("recordName") }
        guard let type else { throw json.missing("recordType") }
        let home = zone ?? fallback ?? WireZoneID.default.unresolved
        var fields: [String: FieldValue] = [:]
        if let drafts {
            fields.reserveCapacity(drafts.count)
            for (key, value) in try drafts.members {
                let key = key.string
                if let value = try FieldDraft(name: key, value).value { fields[key] = value.local(to: home) }
            }
        }
        self.init(
            id: RecordID(name: name, zone: home), type: type, changeTag: tag, fields: fields, parent: parent,
            share: share, shortGUID: shortGUID, sharing: type == Sharing.recordType ? sharing : nil, created: created,
            modified: modified)
    }
}

extension FieldValue {
    /// References into `zone`, where the value lives, do not name it.
    fileprivate func local(to zone: ZoneID) -> FieldValue {
        switch self {
        case .reference(var reference) where reference.zone == zone:
            reference.zone = nil
            return .reference(reference)
        case .list(.reference?, let elements):
            return .list(.reference, elements.map { $0.local(to: zone) })
        default:
            return self
        }
    }
}

extension RecordStamp {
    init(_ json: JSONReader) throws(WireError) {
        self.init(timestamp: 0, userRecordName: "", deviceID: "")
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "timestamp": timestamp = try value.milliseconds()
            case "userRecordName": userRecordName = try value.string()
            case "deviceID": deviceID = try value.string()
            default: break
            }
        }
    }
}

extension RecordItem {
    init(_ json: JSONReader, zone fallback: ZoneID? = nil) throws(WireError) {
        if let failure = try WireFailure(json) {
            self = .failure(
                recordName: try json.optionalString("recordName") ?? "", failure.error, uuid: failure.uuid)
        } else if let deleted = try json.member("deleted"), try deleted.bool() {
            let zone = try json.member("zoneID").map { value throws(WireError) in try ZoneID(value) }
            let home = zone ?? fallback ?? WireZoneID.default.unresolved
            self = .deleted(
                RecordID(name: try json.required("recordName").string(), zone: home),
                recordType: try json.optionalString("deletedRecordType"))
        } else {
            self = .record(try Record(json, zone: fallback))
        }
    }

    static func list(_ json: JSONReader, zone: ZoneID? = nil) throws(WireError) -> [RecordItem] {
        let elements = try json.list("records")
        var items: [RecordItem] = []
        items.reserveCapacity(try json.required("records").count)
        for element in elements { items.append(try RecordItem(element, zone: zone)) }
        return items
    }
}

// MARK: - Writing

extension JSONWriter {
    mutating func record(_ record: Record, quoting: Bool = false) {
        object {
            $0.member("recordName", record.id.name)
            $0.member("recordType", record.type)
            $0.member("recordChangeTag", record.changeTag)
            $0.member("zoneID", record.id.zone)
            $0.member("fields") {
                for (name, value) in record.fields {
                    $0.key(name)
                    let value = $0.presented(value, of: record.id, name)
                    $0.field(value, in: record.id.zone, quoting: quoting)
                }
            }
            $0.member("pluginFields") { _ in }
            for case let (key, name?) in [("parent" as StaticString, record.parent), ("share", record.share)] {
                $0.member(key) {
                    $0.member("recordName", name)
                    $0.member("zoneID", record.id.zone)
                }
            }
            $0.member("shortGUID", ifPresent: record.shortGUID)
            record.sharing?.write(to: &$0)
            $0.stamp("created", record.created)
            $0.stamp("modified", record.modified)
            $0.member("deleted", false)
        }
    }

    private mutating func stamp(_ name: StaticString, _ stamp: RecordStamp) {
        member(name) {
            $0.member("timestamp", stamp.timestamp)
            $0.member("userRecordName", stamp.userRecordName)
            $0.member("deviceID", stamp.deviceID)
        }
    }

    mutating func items(_ items: [RecordItem], quoting: Bool) {
        member("records", array: items) { json, item in
            switch item {
            case .record(let record):
                json.record(record, quoting: quoting)
            case .deleted(let id, let type):
                json.object {
                    $0.member("recordName", id.name)
                    $0.member("deleted", true)
                    $0.member("zoneID", id.zone)
                    $0.member("deletedRecordType", ifPresent: type)
                }
            case .failure(let name, let error, let uuid):
                json.object {
                    $0.member("recordName", name)
                    $0.failure(error, uuid: uuid)
                }
            }
        }
    }
}
