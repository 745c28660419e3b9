import CloudCore
import CloudCrypto
import CloudStorage
import CloudWire

/// Makes what answers say of assets besides what is stored.
struct AssetLinks: Sendable {
    private let key: [UInt8]
    private let address: ClientAddress
    /// Milliseconds since 1970.
    private let now: Int64
    private let limits: CloudLimits

    init(at address: ClientAddress, in transaction: CloudTransaction) {
        key = transaction.assetKey
        self.address = address
        now = transaction.now
        limits = transaction.limits
    }

    /// Shows the assets of an answer to the caller that it is for.
    static func presenter(for call: Call, in transaction: CloudTransaction) -> AssetPresenter {
        let links = AssetLinks(at: call.address, in: transaction)
        let database = call.database
        let user = call.caller.userRecordName
        return AssetPresenter { asset, record, field in
            links.download(
                asset,
                at: AssetPlace(
                    database: database, zone: record.zone, recordName: record.name, fieldName: field, user: user))
        }
    }

    /// The asset with a URL for whoever the place says.
    func download(_ asset: Asset, at place: AssetPlace) -> Asset {
        var asset = Self.withKeys(asset, in: place.database, key: key)
        let token = AssetToken(
            .download(content: asset.content), place, expires: now + Int64(limits.assetDownloadSeconds) * 1000)
        asset.downloadURL = "\(address.url)/asset/1/download/\(token.encoded(key: key))"
        return asset
    }

    /// The URL for sending the bytes of an asset.
    func upload(to place: AssetPlace, recordType: String) -> String {
        let token = AssetToken(
            .upload(recordType: recordType), place, expires: now + Int64(limits.assetUploadSeconds) * 1000)
        return "\(address.url)/asset/1/upload/\(token.encoded(key: key))"
    }

    /// The asset with the keys that clients expect in private databases. They are made of the content and need not be sent
    /// back.
    static func withKeys(_ asset: Asset, in database: DatabaseID, key: [UInt8]) -> Asset {
        guard database.scope != .public else { return asset }
        var asset = asset
        asset.wrappingKey = Base64.encode(Array(Crypto.hmacSHA256(key: key, [1] + asset.content).prefix(16)))
        asset.referenceChecksum = Base64.encode(
            [1] + Crypto.hmacSHA256(key: key, [2] + asset.content).prefix(20))
        return asset
    }
}
