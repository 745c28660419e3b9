import CloudClient
import CloudCore

/// Who looks at an answer of the service, and through which database.
struct Viewpoint: Sendable {
    var scope: DatabaseScope
    /// The record name of the signed-in user, whose stamps show the placeholder.
    var currentUser: String?
    /// The service's address, where shares have their pages.
    var server: String?
    /// The assets' contents that are on the device.
    var files: [AssetKey: AssetFiles] = [:]
}

extension DatabaseClient {
    func viewpoint() async throws -> Viewpoint {
        Viewpoint(
            scope: core, currentUser: try await currentUser(),
            server: try context.device.connection.address(of: context.container).server)
    }
}

extension CKRecord {
    /// The record that an answer holds: a ``CKShare`` where it is one.
    static func received(_ record: Record, _ viewpoint: Viewpoint) -> CKRecord {
        guard let sharing = record.sharing else {
            return CKRecord(record: record, viewpoint)
        }
        return CKShare(record: record, sharing: sharing, viewpoint)
    }
}
