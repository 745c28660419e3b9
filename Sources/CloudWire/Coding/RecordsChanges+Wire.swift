import CloudCore

extension RecordsChangesRequest: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        var common = CommonKeys()
        var syncToken: String?
        for (key, value) in try json.members where !value.isNull {
            if case "syncToken" = key { syncToken = try value.string() } else { _ = try common.take(key, value) }
        }
        guard let zone = common.zone else { throw json.missing("zoneID") }
        self.init(
            zone: zone, syncToken: syncToken, resultsLimit: common.resultsLimit, desiredKeys: common.desiredKeys,
            numbersAsStrings: common.numbersAsStrings ?? false)
    }

    package func write(to json: inout JSONWriter) {
        json.member("zoneID", ifPresent: zone)
        json.member("syncToken", ifPresent: syncToken)
        json.member("resultsLimit", ifPresent: resultsLimit)
        json.member("desiredKeys", ifPresent: desiredKeys)
        if numbersAsStrings { json.member("numbersAsStrings", true) }
    }
}

extension RecordsChangesResponse: WireBody {
    package init(_ json: JSONReader) throws(WireError) {
        self.init(
            records: try RecordItem.list(json), syncToken: try json.required("syncToken").string(),
            moreComing: try json.member("moreComing")?.bool() ?? false)
    }

    package var sizeHint: Int { 256 + records.count * 1024 }

    package func write(to json: inout JSONWriter) {
        json.items(records, quoting: numbersAsStrings)
        json.member("syncToken", syncToken)
        json.member("moreComing", moreComing)
    }
}
