import CloudClient
import CloudCore
public import Foundation

/// A file in a record's field. The record keeps what names it; its bytes go to the service apart from the record.
///
/// One that the app makes is read when its record is saved: what the file holds then is copied, sent as a stream and stored,
/// without the file's name. One of a record that was fetched stands for a file in the device's cache, which is the app's to
/// move, copy or read at once: it may be gone later.
public final class CKAsset: NSObject, __CKRecordObjCValue, Sendable {
    /// The app's file, or the fetched one; `nil` when the content has not been fetched.
    public let fileURL: URL?
    /// What names the content at the service; `nil` before it is saved.
    let stored: Asset?
    /// Keeps the fetched content in the device's cache.
    let file: AssetFile?

    /// An asset for a record's field, with the content of a file. Nothing is read yet, and the file stays where it is.
    public init(fileURL: URL) {
        self.fileURL = fileURL
        stored = nil
        file = nil
    }

    init(stored asset: Asset, file: AssetFile?) {
        fileURL = file.map { URL(fileURLWithPath: $0.path) }
        stored = Asset(fileChecksum: asset.fileChecksum, size: asset.size)
        self.file = file
    }

    /// One from an archive, whose file may still be there.
    init(stored: Asset, fileURL: URL?) {
        self.fileURL = fileURL
        self.stored = stored
        file = nil
    }

    /// Whether the service has the same content under the same name.
    func isStored(as other: CKAsset) -> Bool { stored != nil && stored == other.stored }

    public override var description: String {
        let place = fileURL.map { ", \($0.path)" } ?? ""
        return "<CKAsset: \(stored.map { "\($0.size) bytes" } ?? "not saved")\(place)>"
    }
}

extension StoredValue {
    /// The assets of a field, in order.
    var assets: [CKAsset] {
        switch self {
        case .asset(let asset): [asset]
        case .list(let values): values.flatMap(\.assets)
        default: []
        }
    }
}
