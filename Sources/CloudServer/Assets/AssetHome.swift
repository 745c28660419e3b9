package import CloudStorage
import Synchronization

/// Where a service keeps the files of assets: the folder it was given, else a temporary one, made when first needed.
package final class AssetHome: Sendable {
    private let known: Mutex<AssetFolder?>

    package init(_ folder: AssetFolder? = nil) { known = Mutex(folder) }

    package func folder() throws -> AssetFolder {
        try known.withLock { known in
            if let known { return known }
            let made = try AssetFolder.temporary()
            known = made
            return made
        }
    }

    /// Removes the folder if it is a temporary one.
    package func close() { known.withLock { $0?.close() } }
}
