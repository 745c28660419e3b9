import CloudCore
import CloudStorage
import CloudWire

enum AssetsUpload: ServiceOperation {
    static let isWrite = false

    static func perform(_ body: AssetsUploadRequest, for call: Call, in transaction: CloudTransaction) throws
        -> AssetsUploadResponse
    {
        try AssetCount.check(body.tokens.count, in: transaction)
        let zone = try AssetZone.of(body.zone, for: call)
        let links = AssetLinks(at: call.address, in: transaction)
        let user = try call.actor.name
        return AssetsUploadResponse(
            tokens: try body.tokens.map { token in
                let name = token.recordName ?? UniqueID.make().uppercased()
                for violation in [
                    name == user ? nil : NameRule.violation(in: name, of: "record name"),
                    NameRule.identifierViolation(in: token.recordType, of: "record type"),
                    NameRule.identifierViolation(in: token.fieldName, of: "field name"),
                ] {
                    if let violation { throw CloudError(.badRequest, violation, nativeCode: 12) }
                }
                let place = AssetPlace(
                    database: call.database, zone: zone, recordName: name, fieldName: token.fieldName, user: user)
                try transaction.requireAssetUpload(to: place)
                return AssetsUploadResponse.Token(
                    recordName: name, fieldName: token.fieldName,
                    url: links.upload(to: place, recordType: token.recordType))
            })
    }
}

/// The zone of a request about assets.
enum AssetZone {
    /// - Throws: `ZONE_NOT_FOUND` for a zone that the request's database does not have: the public one has the
    ///   container's, a private one its owner's, the shared one those of others.
    static func of(_ named: WireZoneID?, for call: Call) throws(CloudError) -> ZoneID {
        let zone = call.zone(named)
        let isOwn = zone.owner == call.database.owner
        guard isOwn == (call.database.scope != .shared) else {
            throw CloudError(
                .zoneNotFound, "Zone '\(zone.name)' of owner '\(zone.owner)' does not exist", nativeCode: 26)
        }
        return zone
    }
}

/// The bound on the assets that one request may list.
enum AssetCount {
    static func check(_ count: Int, in transaction: CloudTransaction) throws(CloudError) {
        let limit = transaction.limits.assetsPerRequest
        guard count <= limit else {
            throw CloudError(
                .badRequest, "\(count) assets in one request; at most \(limit) are allowed", nativeCode: 27)
        }
    }
}
