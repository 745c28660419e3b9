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

/// For whom a call works. What was begun for one account is never sent for another one.
package enum Principal: Hashable, Sendable {
    /// Whoever is signed in when a request is sent.
    case anybody
    /// Only the account that was signed in when the work began.
    case account(DeviceSettings.Account)
    /// Nobody was signed in when the work began: only what needs no account.
    case nobody
}

extension DeviceSettings {
    /// Whoever is signed in now, and nobody who comes later.
    package var principal: Principal { account.map { .account($0) } ?? .nobody }
}

/// How patient a call is, and for whom it is.
package struct CallOptions: Hashable, Sendable {
    package var retry: RetryPolicy
    /// Longest wait for one answer.
    package var requestTimeout: Duration
    /// Longest time for the call with all its attempts; `nil`: no limit.
    package var resourceTimeout: Duration?
    package var principal: Principal
    /// Whether a cellular modem may be used.
    package var allowsCellularAccess: Bool

    package init(
        retry: RetryPolicy = .failFast, requestTimeout: Duration = .seconds(60), resourceTimeout: Duration? = nil,
        principal: Principal = .anybody, allowsCellularAccess: Bool = true
    ) {
        self.retry = retry
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
        self.principal = principal
        self.allowsCellularAccess = allowsCellularAccess
    }
}
