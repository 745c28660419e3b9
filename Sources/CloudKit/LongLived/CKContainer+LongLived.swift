import CloudClient
import CloudCore
import Foundation

extension CKContainer {
    /// The long-lived operations of this container that have not ended, in this process or in one that did, the oldest
    /// first. After a day an operation is given up.
    public func allLongLivedOperationIDs() async throws -> [CKOperation.ID] {
        context.device.noticeAccount()
        return longLivedEntries().map(\.id)
    }

    public func fetchAllLongLivedOperationIDs(
        completionHandler: @escaping ([CKOperation.ID]?, (any Error)?) -> Void
    ) {
        deliver({ try await self.allLongLivedOperationIDs() }, to: completionHandler)
    }

    /// An operation that has not ended, to set blocks on and to add again; `nil` when there is none of that ID.
    ///
    /// One that this process is running is that operation itself; adding it again changes nothing. Another one does its
    /// work from the beginning when it is added; what its process had saved already counts as saved.
    public func longLivedOperation(for operationID: CKOperation.ID) async throws -> CKOperation? {
        guard let entry = longLivedEntries().first(where: { $0.id == operationID }) else { return nil }
        if let running = RunningOperations.shared[operationID] { return running }
        guard let operation = LongLivedKinds.make(entry.kind) else { return nil }
        do {
            try operation.resume(entry, in: context)
        } catch {
            throw CKError(.internalError, reason: "the long-lived operation '\(operationID)' cannot be read: \(error)")
        }
        return operation
    }

    public func fetchLongLivedOperation(
        withID operationID: CKOperation.ID, completionHandler: @escaping (CKOperation?, (any Error)?) -> Void
    ) {
        deliver({ try await self.longLivedOperation(for: operationID) }) { (result: Result<CKOperation?, any Error>) in
            completionHandler(result.value ?? nil, result.error)
        }
    }

    private func longLivedEntries() -> [OperationStore.Entry] {
        context.device.operations.entries(
            container: context.container.rawValue, account: context.device.store.settings.accountHash)
    }
}
