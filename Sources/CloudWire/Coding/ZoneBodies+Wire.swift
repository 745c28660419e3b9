import CloudCore

extension ZonesLookupRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var zones: [WireZoneID] = []
        for element in try json.list("zones") { zones.append(try WireZoneID(element.member("zoneID") ?? element)) }
        self.init(zones: zones)
    }

    package func write(to json: inout JSONWriter) { json.member("zones", array: zones) { $0.zone($1) } }
}

extension ZonesModifyRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var operations: [ZoneOperation] = []
        for element in try json.list("operations") {
            let type = try element.required("operationType")
            let zone = try WireZoneID(element.required("zone").required("zoneID"))
            switch try type.text() {
            case "create": operations.append(.create(zone))
            case "delete": operations.append(.delete(zone))
            case let other: throw type.failure("Unexpected input: unknown operationType '\(other.string)'")
            }
        }
        self.init(operations: operations)
    }

    package func write(to json: inout JSONWriter) {
        json.member("operations", array: operations) { json, operation in
            json.object {
                switch operation {
                case .create(let zone):
                    $0.member("operationType", "create")
                    $0.member("zone") { $0.member("zoneID", ifPresent: zone) }
                case .delete(let zone):
                    $0.member("operationType", "delete")
                    $0.member("zone") { $0.member("zoneID", ifPresent: zone) }
                }
            }
        }
    }
}

extension ZonesResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var zones: [ZoneItem] = []
        for element in try json.list("zones") {
            let zone = try ZoneID(element.required("zoneID"))
            if let failure = try WireFailure(element) {
                zones.append(.failure(zone, failure.error, uuid: failure.uuid))
            } else if try element.member("deleted")?.bool() ?? false {
                zones.append(.deleted(zone))
            } else {
                let shares = try element.member("isEligibleForZoneShare")?.bool() ?? false
                let token = try element.optionalString("syncToken")
                let isShared = try element.member("share") != nil
                zones.append(
                    .zone(WireZone(id: zone, syncToken: token, isEligibleForShare: shares, isShared: isShared)))
            }
        }
        self.init(zones: zones)
    }

    package func write(to json: inout JSONWriter) {
        json.member("zones", array: zones) { json, item in
            json.object {
                switch item {
                case .zone(let zone):
                    $0.member("zoneID", zone.id)
                    $0.member("syncToken", ifPresent: zone.syncToken)
                    $0.member("atomic", !zone.id.isDefault)
                    $0.member("isEligibleForHierarchicalShare", zone.isEligibleForShare)
                    $0.member("isEligibleForZoneShare", zone.isEligibleForShare)
                    if zone.isShared {
                        $0.member("share") {
                            $0.member("recordName", Sharing.zoneWideName)
                            $0.member("zoneID", zone.id)
                        }
                    }
                case .deleted(let zone):
                    $0.member("zoneID", zone)
                    $0.member("deleted", true)
                case .failure(let zone, let error, let uuid):
                    $0.member("zoneID", zone)
                    $0.failure(error, uuid: uuid)
                }
            }
        }
    }
}

extension ChangesDatabaseRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        let token = try json.either("syncToken", "metaSyncToken")
        self.init(
            syncToken: try token?.string(), resultsLimit: try json.member("resultsLimit")?.positiveInt())
    }

    package func write(to json: inout JSONWriter) {
        json.member("syncToken", ifPresent: syncToken)
        json.member("resultsLimit", ifPresent: resultsLimit)
    }
}

extension ChangesDatabaseResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var zones: [ZoneChangeItem] = []
        for element in try json.list("zones") {
            let zone = try ZoneID(element.required("zoneID"))
            if let failure = try WireFailure(element) {
                zones.append(.failure(zone, failure.error, uuid: failure.uuid))
            } else {
                let isPurged = try element.member("purged")?.bool() ?? false
                let isDeleted = try element.member("deleted")?.bool() ?? false
                zones.append(isDeleted ? .deleted(zone, isPurged: isPurged) : .changed(zone))
            }
        }
        guard let token = try json.either("syncToken", "metaSyncToken") else {
            throw json.missing("syncToken")
        }
        self.init(
            zones: zones, syncToken: try token.string(), moreComing: try json.member("moreComing")?.bool() ?? false)
    }

    /// Also the answer of the older `zones/changes`, hence both token keys.
    package func write(to json: inout JSONWriter) {
        json.member("zones", array: zones) { json, item in
            json.object {
                switch item {
                case .changed(let zone):
                    $0.member("zoneID", zone)
                case .deleted(let zone, let isPurged):
                    $0.member("zoneID", zone)
                    $0.member("deleted", true)
                    if isPurged { $0.member("purged", true) }
                case .failure(let zone, let error, let uuid):
                    $0.member("zoneID", zone)
                    $0.failure(error, uuid: uuid)
                }
            }
        }
        json.member("syncToken", syncToken)
        json.member("metaSyncToken", syncToken)
        json.member("moreComing", moreComing)
    }
}

extension ChangesZoneRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        let wide = try Part(json)
        var entries: [Entry] = []
        for element in try json.list("zones") {
            let own = try Part(element)
            guard let zone = own.common.zone else { throw element.missing("zoneID") }
            entries.append(
                Entry(
                    zone: zone, syncToken: own.syncToken ?? wide.syncToken,
                    resultsLimit: own.common.resultsLimit ?? wide.common.resultsLimit,
                    desiredKeys: own.common.desiredKeys ?? wide.common.desiredKeys,
                    desiredRecordTypes: own.recordTypes ?? wide.recordTypes,
                    reverse: own.reverse ?? wide.reverse ?? false,
                    numbersAsStrings: own.common.numbersAsStrings ?? wide.common.numbersAsStrings ?? false))
        }
        self.init(zones: entries)
    }

    /// The keys that a zone's entry and the request may both carry.
    private struct Part {
        var common = CommonKeys()
        var syncToken: String?
        var recordTypes: [String]?
        var reverse: Bool?

        init(_ json: JSONReader) throws(WireError) {
            for (key, value) in try json.members where !value.isNull {
                switch key {
                case "syncToken": syncToken = try value.string()
                case "desiredRecordTypes": recordTypes = try value.strings()
                case "reverse": reverse = try value.bool()
                default: _ = try common.take(key, value)
                }
            }
        }
    }

    package func write(to json: inout JSONWriter) {
        json.member("zones", array: zones) { json, entry in
            json.object {
                $0.member("zoneID", ifPresent: entry.zone)
                $0.member("syncToken", ifPresent: entry.syncToken)
                $0.member("resultsLimit", ifPresent: entry.resultsLimit)
                $0.member("desiredKeys", ifPresent: entry.desiredKeys)
                $0.member("desiredRecordTypes", ifPresent: entry.desiredRecordTypes)
                if entry.reverse { $0.member("reverse", true) }
                if entry.numbersAsStrings { $0.member("numbersAsStrings", true) }
            }
        }
    }
}

extension ChangesZoneResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var zones: [ZoneChangesItem] = []
        for element in try json.list("zones") {
            let zone = try ZoneID(element.required("zoneID"))
            if let failure = try WireFailure(element) {
                zones.append(.failure(zone, failure.error, uuid: failure.uuid))
            } else {
                zones.append(
                    .changes(
                        WireZoneChanges(
                            zone: zone, records: try RecordItem.list(element, zone: zone),
                            syncToken: try element.required("syncToken").string(),
                            moreComing: try element.member("moreComing")?.bool() ?? false)))
            }
        }
        self.init(zones: zones)
    }

    package var sizeHint: Int {
        zones.reduce(64) {
            if case .changes(let changes) = $1 { $0 + 256 + changes.records.count * 1024 } else { $0 + 256 }
        }
    }

    package func write(to json: inout JSONWriter) {
        json.member("zones", array: zones) { json, item in
            json.object {
                switch item {
                case .changes(let changes):
                    $0.member("zoneID", changes.zone)
                    $0.member("syncToken", changes.syncToken)
                    $0.member("moreComing", changes.moreComing)
                    $0.items(changes.records, quoting: changes.numbersAsStrings)
                case .failure(let zone, let error, let uuid):
                    $0.member("zoneID", zone)
                    $0.failure(error, uuid: uuid)
                }
            }
        }
    }
}
