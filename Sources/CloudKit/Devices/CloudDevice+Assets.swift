import CloudClient
import CloudCore
import Foundation

extension CloudDevice {
    /// Bytes of assets that the device keeps; 512 MiB unless set.
    public var assetCacheLimit: Int { Int(clamping: store.settings.assetCacheBytes ?? AssetCache.defaultLimit) }

    /// Bytes of assets that the device keeps now.
    public var assetCacheSize: Int {
        get async { Int(clamping: await assets.usedBytes()) }
    }

    /// Sets how many bytes of assets the device keeps. When there is more, contents go, those first that were not used for
    /// longest; contents of records that this process holds stay so long.
    /// - Parameter bytes: Zero keeps nothing.
    /// - Throws: `invalidArguments` for a negative number; `internalError` when the device's folder cannot be written.
    public func setAssetCacheLimit(_ bytes: Int) async throws {
        guard bytes >= 0 else {
            throw CKError(.invalidArguments, reason: "\(bytes) bytes of assets: expected a number from 0 on")
        }
        do {
            try store.update { $0.assetCacheBytes = Int64(bytes) }
        } catch {
            throw CKError(failure: error, scope: .private, isRead: false)
        }
        await assets.trim()
    }

    /// Removes all assets that the device keeps. Assets of records fetched before have no files any more.
    public func clearAssetCache() async throws {
        do { try await assets.clear() } catch { throw CKError(failure: error, scope: .private, isRead: false) }
    }
}
