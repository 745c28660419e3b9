import CloudCore

extension WireZoneID {
    init(_ json: JSONReader) throws(WireError) {
        var name: String?
        var owner: String?
        for (key, value) in try json.members where !value.isNull {
            switch key {
            case "zoneName": name = try value.string()
            case "ownerRecordName": owner = try value.string()
            case "ownerName": if owner == nil { owner = try value.string() }
            default: break
            }
        }
        guard let name else { throw json.missing("zoneName") }
        if name.isEmpty { throw json.failure("zoneName must not be empty") }
        self.init(zoneName: name, ownerRecordName: owner.flatMap { ZoneID.isPlaceholder($0) ? nil : $0 })
    }
}

extension ZoneID {
    /// A zone without an owner gets ``unresolvedOwner``.
    init(_ json: JSONReader) throws(WireError) { self = try WireZoneID(json).unresolved }
}

extension JSONWriter {
    mutating func zone(_ zone: WireZoneID) {
        object {
            $0.member("zoneName", zone.zoneName)
            $0.member("ownerRecordName", ifPresent: zone.ownerRecordName)
        }
    }

    /// With `zoneType`, and with the owner unless it is a placeholder.
    mutating func zone(_ zone: ZoneID) {
        object {
            $0.member("zoneName", zone.name)
            if !ZoneID.isPlaceholder(zone.owner) { $0.member("ownerRecordName", zone.owner) }
            $0.key("zoneType")
            $0.plain(zone.isDefault ? "DEFAULT_ZONE" : "REGULAR_CUSTOM_ZONE")
        }
    }

    mutating func member(_ name: StaticString, _ zone: ZoneID) {
        key(name)
        self.zone(zone)
    }

    mutating func member(_ name: StaticString, ifPresent zone: WireZoneID?) {
        guard let zone else { return }
        key(name)
        self.zone(zone)
    }
}
