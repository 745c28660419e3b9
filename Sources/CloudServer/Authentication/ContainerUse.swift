import CloudCore
import CloudStorage

/// What happens when a container is named.
enum ContainerUse {
    /// - Throws: `BAD_REQUEST` when there is no such container and none may be made.
    static func require(_ container: ContainerID, in transaction: CloudTransaction) throws {
        try check(container, in: transaction)
        if try !transaction.containerExists(container) { try transaction.createContainer(container) }
    }

    /// The same without making it.
    static func check(_ container: ContainerID, in transaction: CloudTransaction) throws {
        if try transaction.policy.createsContainers || transaction.containerExists(container) { return }
        throw CloudError(.badRequest, "there is no container '\(container)'", nativeCode: 5)
    }
}
