package import CloudCore

/// The database that a request speaks to.
package struct CloudTarget: Hashable, Sendable {
    package var container: ContainerID
    package var scope: DatabaseScope

    package init(container: ContainerID, scope: DatabaseScope) {
        self.container = container
        self.scope = scope
    }
}

/// How patient a call is.
package struct CallOptions: Hashable, Sendable {
    package var retry: RetryPolicy
    /// Longest wait for one answer.
    package var requestTimeout: Duration
    /// Longest time for the call with all its attempts; `nil`: no limit.
    package var resourceTimeout: Duration?

    package init(
        retry: RetryPolicy = .failFast, requestTimeout: Duration = .seconds(60), resourceTimeout: Duration? = nil
    ) {
        self.retry = retry
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
    }
}
