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
    static func open(_ place: StorePlace, policy: StorePolicy) throws -> CloudStore {
        switch place {
        case .memory: try open(SQLiteDatabase(path: nil), "memory", policy: policy)
        case .folder(let path): try open(folder: path, policy: policy)
        case .database(let database): try open(database, "the store \(database)", policy: policy)
        }
    }

    private static func open(folder path: String, policy: StorePolicy) throws -> CloudStore {
        try OwnFolder.make(path)
        let folder = try DataFolder(path)
        guard chmod(path, 0o700) == 0 else { throw Failure("\(path): \(String(cString: strerror(errno)))") }
        return try open(
            SQLiteDatabase(path: folder.databasePath), "the folder \(path)", in: folder, policy: policy)
    }

    private static func open(
        _ database: any SQLDatabase, _ name: String, in folder: DataFolder? = nil, policy: StorePolicy
    ) throws -> CloudStore {
        do {
            return try CloudStore(database, folder: folder, policy: policy, clock: SystemTime.milliseconds)
        } catch let error as SQLError {
            throw Failure("cannot use \(name): \(error.message)")
        }
    }
}
