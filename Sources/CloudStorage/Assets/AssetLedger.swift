import CloudCore
import SQLCore

/// What the saves of one request do with assets: turns receipts, and assets sent back as they were read, into what is
/// stored. Decides in memory; nothing is written before ``write()``.
final class AssetLedger {
    private let transaction: CloudTransaction
    private let database: DatabaseRef
    private let userName: String
    private var receipts: [[UInt8]: AssetReceipt] = [:]
    private var spent: Set<[UInt8]> = []
    /// Those of the save at work, which may still fail.
    private var pending: Set<[UInt8]> = []

    init(_ transaction: CloudTransaction, _ database: DatabaseRef, _ writer: Writer) {
        self.transaction = transaction
        self.database = database
        userName = writer.userName
    }

    /// Reads the receipts that the operations bring, in one journey.
    func load(_ operations: [RecordOperation]) throws {
        var keys: Set<[UInt8]> = []
        for operation in operations {
            for draft in operation.fields {
                for asset in draft.value?.assets ?? [] {
                    if let receipt = asset.receipt { keys.insert(AssetReceipt.key(receipt)) }
                }
            }
        }
        guard !keys.isEmpty else { return }
        let order = Array(keys)
        try transaction.connection.query(
            """
            SELECT content, checksum, size, user_name, record_type, field, expires FROM asset_receipt
            WHERE db = ?1 AND receipt = ?2
            """, each: order.map { [.integer(database.row), .blob($0)] }
        ) { position, row in
            receipts[order[position]] = AssetReceipt(
                content: row.blob(0), fileChecksum: row.text(1), size: row.integer(2), userName: row.text(3),
                recordType: row.isNull(4) ? nil : row.text(4), fieldName: row.isNull(5) ? nil : row.text(5),
                expires: row.integer(6))
        }
    }

    /// The drafts as they are stored. The receipts among them are spent by ``keep()``.
    /// - Parameter old: The record as it is; its own assets may be sent back as they were read.
    /// - Throws: `BAD_REQUEST` that names the field.
    func resolved(_ drafts: [FieldDraft], of recordType: String, old: Record?) throws -> [FieldDraft] {
        pending = []
        guard drafts.contains(where: { $0.value?.assets.isEmpty == false }) else { return drafts }
        return try drafts.map { draft in
            var draft = draft
            draft.value = try draft.value?.mapAssets { asset in
                try stored(asset, draft.name, recordType, known: old?.fields[draft.name]?.assets ?? [])
            }
            return draft
        }
    }

    /// The save at work succeeded.
    func keep() {
        spent.formUnion(pending)
        pending = []
    }

    func write() throws {
        for key in spent {
            try transaction.connection.post(
                "DELETE FROM asset_receipt WHERE db = ?1 AND receipt = ?2", .integer(database.row), .blob(key))
        }
    }

    private func stored(_ asset: Asset, _ field: String, _ recordType: String, known: [Asset]) throws -> Asset {
        // A save that is repeated since its answer was lost brings a spent receipt for what is there.
        let same = known.first { $0.fileChecksum == asset.fileChecksum && $0.size == asset.size }
        guard let text = asset.receipt else {
            if let same { return same }
            throw refusal(
                field, "names an asset that it does not hold and has no receipt: upload it, or refer to it anew")
        }
        let key = AssetReceipt.key(text)
        guard let receipt = receipts[key], receipt.userName == userName, receipt.expires > transaction.now,
            !spent.contains(key), !pending.contains(key)
        else {
            if let same { return same }
            throw refusal(field, "has a receipt that is spent, expired or of another upload: upload the file again")
        }
        guard receipt.recordType ?? recordType == recordType, receipt.fieldName ?? field == field else {
            throw refusal(
                field,
                "has the receipt of an upload for field '\(receipt.fieldName ?? "")' of type "
                    + "'\(receipt.recordType ?? "")'")
        }
        guard asset.fileChecksum.isEmpty || asset.fileChecksum == receipt.fileChecksum,
            asset.size < 0 || asset.size == receipt.size
        else { throw refusal(field, "has a fileChecksum or size that is not that of the file uploaded") }
        pending.insert(key)
        return Asset(fileChecksum: receipt.fileChecksum, size: receipt.size, content: receipt.content)
    }

    private func refusal(_ field: String, _ what: String) -> CloudError {
        CloudError(.badRequest, "field '\(field)' \(what)", nativeCode: 12)
    }
}
