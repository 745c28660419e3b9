/// A limit by name, as an operator sets it.
package struct LimitSetting: Sendable {
    package let name: String
    /// What it bounds and in which unit.
    package let help: String
    package let least: Int
    package let path: any WritableKeyPath<CloudLimits, Int> & Sendable

    init(
        _ name: String, _ path: any WritableKeyPath<CloudLimits, Int> & Sendable, _ help: String, least: Int = 1
    ) {
        self.name = name
        self.path = path
        self.help = help
        self.least = least
    }
}

extension CloudLimits {
    /// Every limit; a test compares them with the members.
    package static let settings: [LimitSetting] = [
        LimitSetting(
            "requestsPerSecond", \.requestsPerSecond, "requests of one caller a second, over time; 0 for no limit",
            least: 0),
        LimitSetting(
            "requestBurst", \.requestBurst, "requests of one caller that may come at once, where there is a rate"),
        LimitSetting(
            "signatureSeconds", \.signatureSeconds, "seconds that a signed request's date may be off", least: 1),
        LimitSetting(
            "privateDatabaseBytes", \.privateDatabaseBytes,
            "bytes of records and assets in one user's private database of a container",
            least: 0),
        LimitSetting(
            "publicDatabaseBytes", \.publicDatabaseBytes,
            "bytes of records and assets in the public database of a container", least: 0),
        LimitSetting("zonesPerDatabase", \.zonesPerDatabase, "zones in one database, with the default zone"),
        LimitSetting(
            "subscriptionsPerUser", \.subscriptionsPerUser, "subscriptions of one user in one database", least: 0),
        LimitSetting("fieldsPerType", \.fieldsPerType, "fields of one record type"),
        LimitSetting("operationsPerRequest", \.operationsPerRequest, "operations in one request, names in one look-up"),
        LimitSetting("resultsPerPage", \.resultsPerPage, "records in one page of a query or a feed"),
        LimitSetting("recordBytes", \.recordBytes, "bytes of a record's fields, names included"),
        LimitSetting("requestBytes", \.requestBytes, "bytes of a request's body", least: 1024),
        LimitSetting(
            "owningReferences", \.owningReferences, "references to one record that delete their own with it", least: 0),
        LimitSetting("participantsPerShare", \.participantsPerShare, "people in one share besides its owner"),
        LimitSetting(
            "accessRequestsPerShare", \.accessRequestsPerShare, "requests for access to one share that wait", least: 0),
        LimitSetting("treeLevels", \.treeLevels, "levels of records that are shared or moved at once", least: 50),
        LimitSetting("assetBytes", \.assetBytes, "bytes of one asset"),
        LimitSetting("assetsPerRequest", \.assetsPerRequest, "assets in one request"),
        LimitSetting("assetUploadSeconds", \.assetUploadSeconds, "seconds that an upload's address is good for"),
        LimitSetting("assetsWaiting", \.assetsWaiting, "assets of one user in one database that wait to be saved"),
        LimitSetting("assetReceiptSeconds", \.assetReceiptSeconds, "seconds in which an uploaded asset must be saved"),
        LimitSetting(
            "assetRetentionSeconds", \.assetRetentionSeconds,
            "seconds that a file is kept after its last record let go",
            least: 0),
        LimitSetting("assetDownloadSeconds", \.assetDownloadSeconds, "seconds that a download's address is good for"),
        LimitSetting("valuesPerFilter", \.valuesPerFilter, "values in the list of one filter"),
        LimitSetting("rowsPerQuery", \.rowsPerQuery, "rows that one page of a query examines"),
        LimitSetting("zonesPerQuery", \.zonesPerQuery, "zones that a query without a zone searches"),
        LimitSetting("answerBytes", \.answerBytes, "bytes of the records in one answer, as stored"),
    ]

    /// Sets one limit.
    /// - Parameter text: `NAME=VALUE`; the value is a number, or one with `K`, `M`, `G` or `T` for multiples of 1024.
    /// - Throws: `badRequest` saying what is wrong with it.
    package mutating func set(_ text: String) throws(CloudError) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw CloudError(.badRequest, "'\(text)' is not NAME=VALUE") }
        guard let setting = Self.settings.first(where: { $0.name == parts[0] }) else {
            throw CloudError(.badRequest, "there is no limit '\(parts[0])': 'cumulet limits' lists all")
        }
        guard let value = Self.number(parts[1]), value >= setting.least else {
            throw CloudError(
                .badRequest,
                "'\(parts[1])' is not a value for \(setting.name): a number from \(setting.least) on, such as 200 or 2M"
            )
        }
        self[keyPath: setting.path] = value
    }

    private static func number(_ text: String) -> Int? {
        let units = ["K": 10, "M": 20, "G": 30, "T": 40]
        guard let last = text.last, let shift = units[last.uppercased()] else { return Int(text) }
        guard let count = Int(text.dropLast()) else { return nil }
        let (value, overflows) = count.multipliedReportingOverflow(by: 1 << shift)
        return overflows ? nil : value
    }
}
