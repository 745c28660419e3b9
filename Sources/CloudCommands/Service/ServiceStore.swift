import CloudCore
import CloudServer
import CloudStorage
import Glibc
import SQLCore
import SQLiteDriver

/// Opens a service's store.
enum ServiceStore {
    /// The store in a folder, which is made when missing and locked while the store lives.
    /// - Throws: `CloudError` with `tryAgainLater` when another process has the folder; ``Failure`` that names the folder
    ///   when its database is of a newer format or cannot be read.
    static func open(folder path: String, policy: StorePolicy) throws -> CloudStore {
        try makeParents(of: path)
        let folder = try DataFolder(path)
        guard chmod(path, 0o700) == 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        do {
            return try CloudStore(
                SQLiteDatabase(path: folder.databasePath), folder: folder, policy: policy,
                clock: SystemTime.milliseconds)
        } catch let error as SQLError {
            throw Failure("cannot use the folder \(path): \(error.message)")
        }
    }

    /// A store that lives as long as the process.
    static func inMemory(policy: StorePolicy) throws -> CloudStore {
        try CloudStore(SQLiteDatabase(path: nil), policy: policy, clock: SystemTime.milliseconds)
    }

    private static func makeParents(of path: String) throws {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        var made = ""
        while let part = parts.popFirst() {
            made += part
            if !made.isEmpty, mkdir(made, 0o700) != 0, errno != EEXIST {
                throw Failure("cannot make the folder \(made): \(String(cString: strerror(errno)))")
            }
            made += "/"
        }
    }
}
