package import CloudCore
import CloudCrypto
import SQLCore

/// What an upload was for, as its receipt keeps it.
struct AssetReceipt: Hashable {
    let content: [UInt8]
    let fileChecksum: String
    let size: Int64
    let userName: String
    /// `nil`: any type and field, for an asset that is referred to anew.
    let recordType, fieldName: String?
    /// Milliseconds since 1970.
    let expires: Int64

    /// The key of a receipt's row: whoever reads the table cannot save with what he finds.
    static func key(_ text: String) -> [UInt8] { Crypto.sha256(Array(text.utf8)) }
}

extension CloudTransaction {
    /// Makes a whole file known and gives its uploader a receipt for saving it.
    ///
    /// A content that is known already keeps the file it has, and `file` is not needed. The row of the content is held
    /// until the transaction ends: a collection either comes before, and finds nothing to keep, or after, and finds the
    /// receipt.
    /// - Parameters:
    ///   - isThere: Whether a file is in the folder; one that was lost is replaced by the new one.
    /// - Returns: The receipt, and whether `file` is the one that is kept.
    /// - Throws: As ``requireAssetUpload(to:)``; `QUOTA_EXCEEDED` when too much of the user's waits for its save.
    package func claimAsset(
        _ file: AssetFile, for place: AssetPlace, recordType: String, isThere: (AssetFileName) -> Bool
    ) throws -> (receipt: String, isKept: Bool) {
        let database = try requireAssetUpload(to: place)
        let content = SQLValue.blob(file.name.content)
        var isKept =
            try connection.execute(
                "INSERT INTO asset_file (content, suffix, size) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING", content,
                .text(file.name.suffix), .integer(file.size)) == 1
        if !isKept {
            let known = try connection.first(
                "SELECT suffix FROM asset_file WHERE content = ?1 \(connection.dialect.lock)", content
            ) { $0.text(0) }
            guard let known else { throw SQLError(.serialization, "a file was collected while it was uploaded again") }
            if !isThere(AssetFileName(content: file.name.content, suffix: known)) {
                try connection.post(
                    "UPDATE asset_file SET suffix = ?2 WHERE content = ?1", content, .text(file.name.suffix))
                isKept = true
            }
        }
        let receipt = try receipt(
            for: Asset(fileChecksum: file.fileChecksum, size: file.size, content: file.name.content), in: database,
            user: place.user ?? "", recordType: recordType, fieldName: place.fieldName)
        return (receipt, isKept)
    }

    /// The asset of a field with a receipt for saving it in another, of any type and name, of the same database.
    /// - Throws: As ``assets(at:)``; `BAD_REQUEST` for a list; `QUOTA_EXCEEDED` when too much of the user's waits for its save.
    package func rereferenceAsset(at place: AssetPlace) throws -> Asset {
        guard let user = place.user else {
            throw CloudError(.authenticationRequired, "request needs authorization", nativeCode: 9)
        }
        // Held until the end, so that the record does not let go of the file meanwhile. Of a caller who may see nothing
        // there it makes nothing.
        let database = try reach(place).database
        guard case .asset(var asset) = try assets(at: place) else {
            throw CloudError(
                .badRequest,
                "field '\(place.fieldName)' of record '\(place.recordName)' is a list; an asset of a list cannot be "
                    + "referred to anew: upload it", nativeCode: 12)
        }
        asset.receipt = try receipt(for: asset, in: database, user: user, recordType: nil, fieldName: nil)
        return asset
    }

    private func receipt(
        for asset: Asset, in database: DatabaseRef, user: String, recordType: String?, fieldName: String?
    ) throws -> String {
        try requireRoomToWait(for: asset, in: database, user: user)
        let receipt = Base64.encode(Crypto.random(24))
        try connection.post(
            """
            INSERT INTO asset_receipt (db, receipt, content, checksum, size, user_name, record_type, field, expires)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """, .integer(database.row), .blob(AssetReceipt.key(receipt)), .blob(asset.content),
            .text(asset.fileChecksum), .integer(asset.size), .text(user), .optional(recordType), .optional(fieldName),
            .integer(now + Int64(limits.assetReceiptSeconds) * 1000))
        return receipt
    }

    /// What waits for its save counts apart from what the database holds: it may become what replaces something larger. So
    /// an upload is never refused since the database is full, only since too much of the same user waits already: more than
    /// a private database may have.
    private func requireRoomToWait(for asset: Asset, in database: DatabaseRef, user: String) throws {
        let known = try connection.first(
            """
            SELECT COUNT(*), CAST(COALESCE(SUM(size), 0) AS \(connection.dialect.number)) FROM asset_receipt
            WHERE db = ?1 AND user_name = ?2 AND expires > ?3
            """, .integer(database.row), .text(user), .integer(now)
        ) { (count: $0.integer(0), bytes: $0.integer(1)) }
        guard let known else { return }
        let (whole, name) = byteLimit(of: database)
        let limit = min(whole, limits.privateDatabaseBytes)
        guard known.count < limits.assetsWaiting else {
            throw CloudError(
                .quotaExceeded,
                "\(known.count) assets of yours wait to be saved in the \(name) database; at most \(limits.assetsWaiting) "
                    + "may: save them in records first", nativeCode: 25)
        }
        guard known.bytes + asset.size > limit else { return }
        throw CloudError(
            .quotaExceeded,
            "assets of yours with \(known.bytes) bytes wait to be saved in the \(name) database and would have "
                + "\(known.bytes + asset.size); at most \(limit) are allowed: save them in records first",
            nativeCode: 25)
    }
}
