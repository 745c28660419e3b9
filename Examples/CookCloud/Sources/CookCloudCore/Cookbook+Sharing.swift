public import CloudKit

extension Cookbook {
    /// Shares one of one's own recipes, so that everybody who has the address may edit it; shared already, it keeps its
    /// address.
    public func share(_ recipe: Recipe) async throws -> URL {
        guard let url = try await shareToEdit(recipe).share.url else { throw CKError(.internalError) }
        return url
    }

    /// The saved share of a recipe, which is made if there is none, and the container it is in.
    public func shareToEdit(_ recipe: Recipe) async throws -> (share: CKShare, container: CKContainer) {
        try await prepare(.own)
        let id = recordID(recipe, .own)
        let record = try await database(.own).record(for: id)
        if let share = try await existingShare(of: record) { return (share, container) }
        let share = CKShare(rootRecord: record)
        share.publicPermission = .readWrite
        share[CKShare.SystemFieldKey.title] = recipe.title
        let results = try await database(.own).modifyRecords(saving: [record, share], deleting: []).saveResults
        for result in results.values { _ = try result.get() }
        return (share, container)
    }

    /// Ends the sharing of a recipe: nobody else sees it any more.
    public func unshare(_ recipe: Recipe) async throws {
        try await prepare(.own)
        let record = try await database(.own).record(for: recordID(recipe, .own))
        guard let share = record.share else { return }
        try await database(.own).deleteRecord(withID: share.recordID)
    }

    /// What an app's delegate does when its user has opened the address of a shared recipe.
    public func userDidAcceptCloudKitShare(with metadata: CKShare.Metadata) async throws {
        let container = CKContainer(identifier: metadata.containerIdentifier)
        try await container.accept(metadata)
    }

    /// The same for an address that was passed on as text.
    public func accept(_ url: URL) async throws {
        try await userDidAcceptCloudKitShare(with: try await container.shareMetadata(for: url))
    }

    private func existingShare(of record: CKRecord) async throws -> CKShare? {
        guard let share = record.share else { return nil }
        return try await existing(share.recordID, on: .own) as? CKShare
    }
}
