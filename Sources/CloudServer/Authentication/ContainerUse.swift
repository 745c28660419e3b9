import CloudCore
import CloudStorage

/// What happens when a container is named.
enum ContainerUse {
    /// - Throws: `BAD_REQUEST` when there is no such container and none may be made.
    static func require(_ container: ContainerID, in transaction: CloudTransaction) throws {
        if try transaction.containerExists(container) { return }
        guard transaction.policy.createsContainers else {
            throw CloudError(.badRequest, "there is no container '\(container)'", nativeCode: 5)
        }
        try transaction.createContainer(container)
    }
}
