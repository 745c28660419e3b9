package import CloudCore
import CloudCrypto
import Dispatch
package import Foundation
import Glibc
import Synchronization

/// The files of assets that a device keeps, by content.
///
/// The folder of the signed-in account holds a folder for each content, with the file `content` and a hard link for
/// each ``AssetFile`` that was handed out. So an app may move, change or remove what it was handed, and the content stays.
/// A content that somebody changed in place is noticed by its time stamp, checked against its checksum, and dropped.
/// Contents go by last use when all together are over the limit, but not while one of their files is held in this
/// process. The folders of earlier accounts go when the account is another one.
package final class AssetCache: Sendable {
    /// 512 MiB.
    package static let defaultLimit: Int64 = 512 * 1_048_576

    private struct Held {
        /// The links of each content that live ``AssetFile``s stand for.
        var links: [String: Set<String>] = [:]
        var lastLink = 0
        /// Whether what is in use is all that keeps the contents over the limit.
        var isOver = false
        var account: String?
    }

    private let root: URL
    private let isTemporary: Bool
    private let account: @Sendable () -> String
    private let limit: @Sendable () -> Int64
    private let held = Mutex(Held())
    /// All that adds contents or takes them away happens here, one after the other.
    private let queue = DispatchQueue(label: "cumulet.assets", qos: .userInitiated)
    private let instance = String(UInt32.random(in: .min ... .max), radix: 36)

    /// - Parameters:
    ///   - folder: The device's; `nil` for a folder of its own that goes with this object.
    ///   - account: What tells apart whose assets they are; part of a folder's name.
    ///   - limit: Bytes of all contents together.
    package init(
        folder: URL?, account: @escaping @Sendable () -> String, limit: @escaping @Sendable () -> Int64
    ) {
        isTemporary = folder == nil
        root =
            folder
            ?? FileManager.default.temporaryDirectory.appendingPathComponent("cumulet-assets-\(UUID().uuidString)")
        self.account = account
        self.limit = limit
    }

    deinit {
        // What cannot be removed is in the folder for temporary files, where the system clears up.
        if isTemporary { try? FileManager.default.removeItem(at: root) }
    }

    // MARK: - Contents

    /// The file of an asset, if its content is here.
    package func file(of asset: Asset) async -> AssetFile? {
        await run { [self] in
            let content = AssetContent(asset, in: folder())
            return content.isIntact() ? handOut(content) : nil
        }
    }

    /// Takes over a file that has been staged, as the content of an asset.
    /// - Throws: ``AssetFault`` when the disk does not take it.
    package func keep(_ staged: StagedAsset, as asset: Asset) async throws -> AssetFile {
        try await runThrowing { [self] in
            let content = AssetContent(asset, in: folder())
            if !content.isIntact() { try content.take(staged) }
            guard let file = handOut(content) else { throw AssetFault(.unreadable, path: content.path, code: errno) }
            evict()
            return file
        }
    }

    /// Removes all contents, also those in use.
    package func clear() async throws {
        try await runThrowing { [self] in
            for name in try names(in: folder()) where name != Self.staging {
                try FileManager.default.removeItem(atPath: folder() + "/" + name)
            }
        }
    }

    /// Removes what accounts before the present one have left.
    package func forgetOthers() async {
        await run { [self] in _ = folder() }
    }

    /// Removes what is over the limit.
    package func trim() async {
        await run { [self] in evict() }
    }

    /// Bytes of all contents together.
    package func usedBytes() async -> Int64 {
        await run { [self] in contents().reduce(0) { $0 + $1.bytes } }
    }

    // MARK: - Staging

    static let staging = "staging"

    /// A new file for an asset on its way in or out.
    func intake() throws -> AssetIntake {
        let folder = folder() + "/" + Self.staging
        try Self.makeFolder(folder)
        for name in try names(in: folder) where ProcessName.isOfDeadProcess(name) { unlink(folder + "/" + name) }
        return try AssetIntake(path: folder + "/\(ProcessName.own)-\(UUID().uuidString)")
    }

    // MARK: - On the queue

    private func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { waiter in queue.async { waiter.resume(returning: body()) } }
    }

    private func runThrowing<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { waiter in
            queue.async { waiter.resume(with: Result { try body() }) }
        }
    }

    /// The folder of the account, made when it is used first; those of others are removed then.
    private func folder() -> String {
        let own = "assets-" + account()
        let path = root.appendingPathComponent(own).path
        let isNew = held.withLock { held in
            defer { held.account = own }
            return held.account != own
        }
        guard isNew else { return path }
        for name in listed(in: root.path) where name.hasPrefix("assets-") && name != own {
            // What another process holds on to is removed by the next one that looks.
            try? FileManager.default.removeItem(atPath: root.path + "/" + name)
        }
        return path
    }

    private func handOut(_ content: AssetContent) -> AssetFile? {
        let live = held.withLock { $0.links[content.name] ?? [] }
        var free: String?
        for name in listed(in: content.folder) where name != AssetContent.file {
            if ProcessName.isOfDeadProcess(name) {
                unlink(content.folder + "/" + name)
            } else if name.hasPrefix("\(ProcessName.own)-\(instance)-"), !live.contains(name), content.isSame(name) {
                free = name
            }
        }
        let link = free ?? newLink(to: content)
        guard let link else { return nil }
        content.touch()
        held.withLock { _ = $0.links[content.name, default: []].insert(link) }
        return AssetFile(path: content.folder + "/" + link, size: content.size, content: content.name, in: self)
    }

    private func newLink(to content: AssetContent) -> String? {
        let number = held.withLock { held in
            held.lastLink += 1
            return held.lastLink
        }
        let name = "\(ProcessName.own)-\(instance)-\(number)"
        if link(content.path, content.folder + "/" + name) == 0 { return name }
        // A file system without hard links hands out the content itself.
        return errno == EPERM || errno == EOPNOTSUPP || errno == EMLINK ? AssetContent.file : nil
    }

    fileprivate func release(_ path: String, of content: String) {
        let link = (path as NSString).lastPathComponent
        let isOver = held.withLock { held in
            held.links[content]?.remove(link)
            if held.links[content]?.isEmpty == true { held.links[content] = nil }
            return held.isOver && held.links[content] == nil
        }
        if isOver { queue.async { self.evict() } }
    }

    /// Removes contents, those first that were not used for longest, until the rest is within the limit.
    private func evict() {
        var all = contents()
        var total = all.reduce(0) { $0 + $1.bytes }
        let limit = limit()
        defer { held.withLock { [total] in $0.isOver = total > limit } }
        guard total > limit else { return }
        all.sort { $0.used < $1.used }
        let inUse = held.withLock { Set($0.links.keys) }
        for content in all where total > limit && !inUse.contains(content.name) {
            do {
                try FileManager.default.removeItem(atPath: folder() + "/" + content.name)
                total -= content.bytes
            } catch {
                // Another process was faster, or the next eviction will do it.
                continue
            }
        }
    }

    private struct Entry {
        var name: String
        var bytes: Int64
        var used: Timestamp
    }

    private func contents() -> [Entry] {
        let folder = folder()
        return listed(in: folder).compactMap { name in
            guard name != Self.staging else { return nil }
            guard let info = FileInfo(path: "\(folder)/\(name)/\(AssetContent.file)") else { return nil }
            return Entry(name: name, bytes: info.size, used: info.accessed)
        }
    }

    /// As ``names(in:)``, for what is to be tidied up or used again: where nothing can be listed there is nothing to do, and
    /// who needs the folder itself is told by what fails then.
    private func listed(in folder: String) -> [String] { (try? names(in: folder)) ?? [] }

    private func names(in folder: String) throws -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            if access(folder, F_OK) != 0 { return [] }
            throw error
        }
    }

    static func makeFolder(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw AssetFault(.unwritable, path: path, code: errno)
        }
    }
}

/// A file that was handed out. The cache keeps its content at least as long as this lives; the app may move it away.
package final class AssetFile: Sendable {
    package let path: String
    /// Bytes of the content.
    package let size: Int64
    private let content: String
    private let cache: AssetCache

    fileprivate init(path: String, size: Int64, content: String, in cache: AssetCache) {
        self.path = path
        self.size = size
        self.content = content
        self.cache = cache
    }

    deinit { cache.release(path, of: content) }
}
