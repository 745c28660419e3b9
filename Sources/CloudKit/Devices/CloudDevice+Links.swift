import CloudClient
import CloudCore
import CloudWire
import Foundation

extension CloudDevice {
    /// Whether an address is that of a share, here or on another service.
    package static func isShare(_ url: URL) -> Bool { WireShareLink(url) != nil }

    /// What a share's address leads to, as the system finds it out for an app. Containers are not told apart by it: one that this
    /// process uses is asked, or the default one.
    /// - Throws: ``CKError``
    package func shareMetadata(for url: URL) async throws -> CKShare.Metadata {
        let container = containerInUse ?? ContainerID(CKContainer.defaultIdentifier)
        let context = CloudContext(device: self, container: container)
        let client = DatabaseClient(context: context, scope: .public, settings: CallSettings())
        return try await Dictionary(client.shareMetadatas([url])) { first, _ in first }.only(url)
    }
}
