import Foundation
import Glibc

/// The folder of a service: its store, the lock of the process that has it open, and the key for administration.
///
/// Folder 0700, files 0600. One process at a time holds the lock; the system frees it when that process ends, however it ends.
package final class DataFolder: Sendable {
    package let path: String
    private let lockFile: Int32

    /// The SQLite file of the store.
    package var storePath: String { path + "/cumulet.sqlite" }
    package var adminPath: String { path + "/admin.json" }

    /// Makes the folder when it is missing and takes its lock.
    /// - Throws: ``DataFolderInUse`` when another process has it, ``Failure`` when it cannot be used.
    package init(opening path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure("the data folder \(path) cannot be made: \(error.localizedDescription)")
        }
        guard chmod(path, 0o700) == 0 else { throw Self.failure(path) }
        let file = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(path + "/lock") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let inUse = errno == EWOULDBLOCK
            close(file)
            if inUse { throw DataFolderInUse(path: path) }
            throw Self.failure(path + "/lock")
        }
        lockFile = file
    }

    deinit { close(lockFile) }

    /// `--data`, else `CUMULET_DATA`, else `cumulet` in the XDG data folder.
    package static func path(given: String?, environment: (String) -> String? = Terminal.variable) -> String {
        if let path = given ?? environment("CUMULET_DATA") { return path }
        if let base = environment("XDG_DATA_HOME"), base.hasPrefix("/") { return base + "/cumulet" }
        return NSHomeDirectory() + "/.local/share/cumulet"
    }

    private static func failure(_ path: String) -> Failure { Failure("\(path): \(String(cString: strerror(errno)))") }
}

/// Another process has the data folder open.
package struct DataFolderInUse: Error, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package var description: String { "the data folder \(path) is in use by another process" }
}
