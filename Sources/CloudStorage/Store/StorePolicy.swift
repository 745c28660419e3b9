/// What a store makes on its own when a request names it for the first time.
package struct StorePolicy: Hashable, Sendable {
    package var createsContainers: Bool
    package var createsAccounts: Bool

    package init(createsContainers: Bool, createsAccounts: Bool) {
        self.createsContainers = createsContainers
        self.createsAccounts = createsAccounts
    }

    /// For one developer: containers and accounts come with their first use.
    package static let dev = StorePolicy(createsContainers: true, createsAccounts: true)
    /// For people: an administrator makes everything.
    package static let strict = StorePolicy(createsContainers: false, createsAccounts: false)
}
