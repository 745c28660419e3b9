import CloudCore
import Glibc

/// The folder of a server's data, locked for this process until the value goes away.
package final class DataFolder: Sendable {
    package let path: String
    /// The file of the database.
    package var databasePath: String { Self.databasePath(in: path) }

    /// Where a folder has its database's file, if it is one of a server.
    package static func databasePath(in path: String) -> String { path + "/cumulet.sqlite" }

    private let descriptor: Int32

    /// Makes the folder (mode 0700) when missing, takes its lock and keeps the database's file (mode 0600) from others.
    /// - Throws: `CloudError` that names the folder; `tryAgainLater` when another process uses it.
    package init(_ path: String) throws {
        try Self.make(path)
        descriptor = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CloudError(.internalError, "cannot open \(path)/lock: \(Self.reason())")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            let reason = Self.reason()
            Glibc.close(descriptor)
            if isHeld { throw CloudError(.tryAgainLater, "the folder \(path) is in use by another process") }
            throw CloudError(.internalError, "cannot lock the folder \(path): \(reason)")
        }
        self.path = path
        // SQLite gives its own files the mode of the database's.
        let database = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard database >= 0 else {
            throw CloudError(.internalError, "cannot open \(databasePath): \(Self.reason())")
        }
        fchmod(database, 0o600)
        Glibc.close(database)
    }

    deinit { Glibc.close(descriptor) }

    /// Makes a folder and those above it where they are missing.
    private static func make(_ path: String) throws {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        if errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
            try make(String(path[..<slash]))
            if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        }
        throw CloudError(.internalError, "cannot make the folder \(path): \(reason())")
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
