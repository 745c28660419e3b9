import CloudCore
import CloudCrypto
@testable import CloudStorage
import SQLCore

/// What is asked of a store about assets. The files need not be there: only the tables are looked at.
extension StoredOperation {
    private static let held = file([1])
    private static let uploaded = file([2])

    private static func file(_ bytes: [UInt8]) -> AssetFile {
        AssetFile(
            name: AssetFileName(content: Crypto.sha256(bytes), suffix: "0123456789abcdef"),
            fileChecksum: Base64.encode([1] + bytes), size: Int64(bytes.count))
    }

    private static func place(_ record: String) -> AssetPlace {
        AssetPlace(
            database: database, zone: zone, recordName: record, fieldName: "photo", user: alice.userName)
    }

    private static func claim(_ file: AssetFile, for record: String, _ transaction: CloudTransaction) throws -> String {
        try transaction.claimAsset(file, for: place(record), recordType: "Note") { _ in true }.receipt
    }

    private static func save(_ file: AssetFile, in record: String, receipt: String, _ transaction: CloudTransaction)
        throws
    {
        let value = FieldValue.asset(Asset(fileChecksum: file.fileChecksum, size: file.size, receipt: receipt))
        let operation = RecordOperation(
            type: .forceUpdate, id: RecordID(name: record, zone: zone), recordType: "Note",
            fields: [FieldDraft(name: "photo", value: value, isTyped: true)])
        _ = try transaction.modify([operation], in: database, zone: zone, atomic: false, by: alice)[0].get()
    }

    /// A record that holds a file, and an upload that waits for its save under a receipt that operations know.
    static func prepareAssets(_ transaction: CloudTransaction) throws {
        try save(held, in: "a", receipt: claim(held, for: "a", transaction), transaction)
        _ = try claim(uploaded, for: "b", transaction)
        try transaction.connection.execute(
            "UPDATE asset_receipt SET receipt = ?1", .blob(AssetReceipt.key("the receipt")))
        // A file that somebody let go of.
        let gone = file([3])
        try transaction.connection.execute(
            "INSERT INTO asset_file (content, suffix, size) VALUES (?1, ?2, 1)", .blob(gone.name.content),
            .text(gone.name.suffix))
        try transaction.connection.execute(
            "INSERT INTO asset_release (db, content, since, turn) VALUES (1, ?1, 0, 1)", .blob(gone.name.content))
    }

    static let assets = [
        StoredOperation(description: "an upload of new content") { store in
            _ = try await store.write(for: database) { try claim(file([4]), for: "c", $0) }
        },
        StoredOperation(description: "an upload of known content") { store in
            _ = try await store.write(for: database) { try claim(held, for: "c", $0) }
        },
        StoredOperation(description: "a save with a receipt") { store in
            try await store.write(for: database) { try save(uploaded, in: "b", receipt: "the receipt", $0) }
        },
        StoredOperation(description: "a new reference to an asset") { store in
            _ = try await store.write(for: database) { try $0.rereferenceAsset(at: place("a")) }
        },
        StoredOperation(description: "a delete of a record with an asset") { store in
            let operation = RecordOperation(type: .forceDelete, id: RecordID(name: "a", zone: zone))
            _ = try await store.write(for: database) {
                try $0.modify([operation], in: database, zone: zone, atomic: false, by: alice)[0].get()
            }
        },
        StoredOperation(description: "a collection") { store in
            _ = try await store.write { try $0.collectAssets(limit: 100) }
        },
        StoredOperation(description: "the end of old receipts") { store in
            _ = try await store.write { try $0.endReceipts(grace: -1_000_000_000, limit: 100) }
        },
    ]
}
