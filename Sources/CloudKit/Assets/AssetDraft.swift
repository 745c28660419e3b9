import CloudClient
import CloudCore
import CloudWire
import Foundation
import Synchronization

/// A record's fields as a save sends them, and the assets among them.
struct RecordDraft {
    var fields: [FieldDraft]
    /// By field, in the order of the field's list.
    var assets: [CKRecord.FieldKey: [AssetDraft]]
}

/// An asset in a save.
struct AssetDraft {
    var asset: CKAsset
    /// Whether the service's record has it in this field already, so that its name is enough.
    var isKept: Bool
}

/// The assets that a save has to send, and what became of each.
///
/// One object is copied once, and sent for each field that it is in: a receipt is good for one.
struct AssetSending {
    struct Item {
        /// Of the operation in the plan.
        var operation: Int
        var field: CKRecord.FieldKey
        /// In the field's list.
        var position: Int
        var asset: CKAsset
        var place: AssetTransfers.Place
        var staged: StagedAsset?
        /// With its receipt.
        var sent: Asset?
    }

    var items: [Item] = []

    init(_ plan: ZonePlan) {
        for (operation, fields) in plan.assets {
            for (field, drafts) in fields {
                for (position, draft) in drafts.enumerated() where !draft.isKept {
                    items.append(
                        Item(
                            operation: operation, field: field, position: position, asset: draft.asset,
                            place: AssetTransfers.Place(
                                recordName: plan.operations[operation].recordName ?? "",
                                recordType: plan.operations[operation].recordType ?? "", fieldName: field)))
                }
            }
        }
        items.sort { ($0.operation, $0.field, $0.position) < ($1.operation, $1.field, $1.position) }
    }

    /// Removes the copies that no cache took over.
    func discard() {
        for item in items { item.staged?.discard() }
    }
}

/// What a device knows an asset's content by.
struct AssetKey: Hashable, Sendable {
    var fileChecksum: String
    var size: Int64

    init(_ asset: Asset) {
        fileChecksum = asset.fileChecksum
        size = asset.size
    }
}

/// The files of one content, for each asset that has it one of its own, which the app may move away.
final class AssetFiles: Sendable {
    private let files: Mutex<[AssetFile]>

    init(_ files: [AssetFile]) { self.files = Mutex(files) }

    /// The last one is for whoever else comes.
    func next() -> AssetFile? {
        files.withLock { $0.count > 1 ? $0.removeLast() : $0.last }
    }
}

extension CKRecord {
    /// The files of the assets that the record holds or held when it was fetched.
    var assetFiles: [AssetKey: AssetFiles] {
        let values = state.withLock { Array($0.values.values) + Array(($0.base?.values ?? [:]).values) }
        var files: [AssetKey: [AssetFile]] = [:]
        for asset in values.flatMap(\.assets) {
            if let stored = asset.stored, let file = asset.file { files[AssetKey(stored), default: []].append(file) }
        }
        return files.mapValues { AssetFiles($0) }
    }
}
