import CloudCore
import CloudServer
import CloudStorage
import Glibc
import PostgresDriver
import SQLCore
import SQLiteDriver

/// Opens a service's store.
enum ServiceStore {
    /// The store of a place. A folder is made when missing and locked while the store lives.
    /// - Throws: `CloudError` with `tryAgainLater` when another process has the folder; ``Failure`` that names the place
    ///   and the cause when its database cannot be reached or read or is of a newer format.
    static func open(
        _ place: StorePlace, policy: StorePolicy, limits: CloudLimits = CloudLimits()
    ) throws -> CloudStore {
        switch place {
        case .memory: try open(SQLiteDatabase(path: nil), "memory", policy: policy, limits: limits)
        case .folder(let path): try open(folder: path, policy: policy, limits: limits)
        case .database(let database): try open(database, "the store \(database)", policy: policy, limits: limits)
        }
    }

    /// Whether there is less room than SQLite's files take at the least.
    private static func isDiskFull(at path: String) -> Bool {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return false }
        return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) < 65_536
    }

    private static func open(folder path: String, policy: StorePolicy, limits: CloudLimits) throws -> CloudStore {
        try OwnFolder.make(path)
        let folder = try DataFolder(path)
        guard chmod(path, 0o700) == 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        return try open(
            SQLiteDatabase(path: folder.databasePath), "the folder \(path)", in: folder, policy: policy, limits: limits)
    }

    private static func open(
        _ database: any SQLDatabase, _ name: String, in folder: DataFolder? = nil, policy: StorePolicy,
        limits: CloudLimits
    ) throws -> CloudStore {
        do {
            return try CloudStore(
                database, folder: folder, limits: limits, policy: policy, clock: SystemTime.milliseconds)
        } catch let error as SQLError {
            // What SQLite meets first on a full disk it calls an I/O error.
            if error.kind == .full || error.kind == .ioError, let folder, isDiskFull(at: folder.path) {
                throw Failure("cannot use \(name): its disk is full")
            }
            throw Failure("cannot use \(name): \(error.message)")
        }
    }
}
