package import Foundation
import Glibc
import Synchronization

/// The long-lived operations of a device that have not ended: a file each in `operations` of its folder, or in memory.
///
/// They are the account's and go with it. After a day they are given up.
package final class OperationStore: Sendable {
    /// What is kept of an operation.
    package struct Entry: Codable, Sendable {
        package var id: String
        package var container: String
        /// The device's account when it was started; only a hash is kept of the session.
        package var account: String
        package var started: Date
        /// Which operation it is, and what it was to do.
        package var kind: String
        package var content: Data

        package init(id: String, container: String, account: String, started: Date, kind: String, content: Data) {
            self.id = id
            self.container = container
            self.account = account
            self.started = started
            self.kind = kind
            self.content = content
        }
    }

    /// Seconds that an operation is kept.
    package static let lifetime: TimeInterval = 24 * 3600

    private let folder: URL?
    private let now: @Sendable () -> Date
    private let memory = Mutex<[String: Entry]>([:])

    package init(deviceFolder: URL?, now: @escaping @Sendable () -> Date = { Date() }) {
        folder = deviceFolder?.appendingPathComponent("operations", isDirectory: true)
        self.now = now
    }

    package func save(_ entry: Entry) throws {
        guard let folder else { return memory.withLock { $0[entry.id] = entry } }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = file(entry.id, in: folder)
        try PropertyListEncoder().encode(entry).write(to: file, options: .atomic)
        chmod(file.path, 0o600)
    }

    package func remove(_ id: String) {
        guard let folder else { return memory.withLock { $0[id] = nil } }
        // One that stays is given up after a day.
        unlink(file(id, in: folder).path)
    }

    /// Removes the operations of all accounts but one: with a new sign-in an account has a new name here, so nobody could
    /// go on with them, and what they were to save is nobody else's to keep.
    package func removeOthers(thanOf account: String) {
        for entry in all() where entry.account != account { remove(entry.id) }
    }

    /// The operations of a container and an account, the oldest first. Those of others, and that are over time, are removed.
    package func entries(container: String, account: String) -> [Entry] {
        all().filter { entry in
            if entry.account != account || now().timeIntervalSince(entry.started) >= Self.lifetime {
                remove(entry.id)
                return false
            }
            return entry.container == container
        }.sorted { $0.started < $1.started }
    }

    private func all() -> [Entry] {
        guard let folder else { return memory.withLock { Array($0.values) } }
        // There is no folder before the first is kept; where it cannot be read none can be gone on with.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap { name in
            // One that cannot be read was written by another version.
            guard name.hasSuffix(".plist"), let data = try? Data(contentsOf: folder.appendingPathComponent(name)) else {
                return nil
            }
            return try? PropertyListDecoder().decode(Entry.self, from: data)
        }
    }

    private func file(_ id: String, in folder: URL) -> URL { folder.appendingPathComponent("\(id).plist") }
}
