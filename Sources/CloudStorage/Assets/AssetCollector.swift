import CloudCore
import Glibc
import Synchronization

/// Removes the files of assets that nobody needs any more, and what died uploads left.
///
/// Every process of a service may run one, at any time.
package final class AssetCollector: Sendable {
    /// How long a file that the store does not know must have lain there unchanged, in milliseconds: longer than any
    /// upload takes from its last byte to its row.
    package static let strayAge: Int64 = 3_600_000
    /// By how much the clocks of processes may differ, in milliseconds.
    private static let grace: Int64 = 600_000
    private static let batch = 100

    private struct State {
        /// When a left-over file was first seen as it is.
        var seen: [AssetFolder.Entry: Int64] = [:]
        var nextShard = 0
        var isFirst = true
    }

    private let store: CloudStore
    private let folder: AssetFolder
    private let clock: @Sendable () -> Int64
    /// When this process began, in seconds since 1970 by the machine's clock, if no other process uses the folder: what is
    /// older and not known then is left over from one that died.
    private let began: Int?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isAlone: Whether no other process uses the store and the folder.
    ///   - clock: Milliseconds since 1970.
    package init(store: CloudStore, folder: AssetFolder, isAlone: Bool, clock: @escaping @Sendable () -> Int64) {
        self.store = store
        self.folder = folder
        self.clock = clock
        began = isAlone ? time(nil) : nil
    }

    /// Collects once: all files let go of, and the strays among the uploads and in one part of the folder, in all of it the
    /// first time.
    /// - Returns: The number of files removed.
    @discardableResult
    package func collect() async throws -> Int {
        while try await store.write({ try $0.endReceipts(grace: Self.grace, limit: 500) }) == 500 {}
        var count = 0
        var hasMore = true
        while hasMore {
            let (files, more) = try await store.write { try $0.collectAssets(limit: Self.batch) }
            // What is not removed now, since this process dies, is a stray from here on.
            for name in files { try folder.remove(name) }
            count += files.count
            hasMore = more
        }
        let shards = state.withLock { state in
            defer {
                state.isFirst = false
                state.nextShard = (state.nextShard + 1) % AssetFolder.shards.count
            }
            return state.isFirst ? AssetFolder.shards : [AssetFolder.shards[state.nextShard]]
        }
        return try await count + collectStrays(shards)
    }

    /// Removes what the store does not know, if it is old enough.
    private func collectStrays(_ shards: [String]) async throws -> Int {
        var strays = folder.uploadEntries()
        for shard in shards {
            let entries = folder.entries(ofShard: shard)
            guard !entries.isEmpty else { continue }
            let known = try await store.read { try $0.known(entries.compactMap(\.name)) }
            strays += entries.filter { entry in entry.name.map { !known.contains($0) } ?? true }
        }
        let now = clock()
        let due = state.withLock { state in
            let present = Set(strays)
            let looked = Set(shards + ["uploads"])
            state.seen = state.seen.filter { entry, _ in
                present.contains(entry) || !looked.contains(String(entry.path.prefix { $0 != "/" }))
            }
            return strays.filter { stray in
                if let began, stray.seconds < began { return true }
                guard let since = state.seen[stray] else {
                    state.seen[stray] = now
                    return false
                }
                return now - since >= Self.strayAge
            }
        }
        for stray in due { try folder.remove(stray) }
        return due.count
    }
}
