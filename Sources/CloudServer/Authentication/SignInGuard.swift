import CloudCore
import CloudCrypto
import CloudStorage
import Synchronization

/// Checks passwords, away from the service's loop, and slows down who guesses them.
final class SignInGuard: Sendable {
    private struct Failures {
        var count = 0
        /// Milliseconds since 1970.
        var last: Int64 = 0
    }

    private static let allowedFailures = 10
    private static let pause: Int64 = 60_000
    private static let remembered = 10_000
    private static let refused = Authenticator.failed("the email address or the password is wrong")
    /// What an unknown address is checked against, so that it takes as long as a known one.
    private static let nobody = PasswordHash.make("")

    private let store: CloudStore
    private let configuration: ServiceConfiguration
    private let failures = Mutex<[String: Failures]>([:])

    init(store: CloudStore, configuration: ServiceConfiguration) {
        self.store = store
        self.configuration = configuration
    }

    /// The account of an address. In `dev` it is made if need be and no password is asked for.
    func account(email: String, password: String?) async throws -> Account {
        let email = UserLookup.normalized(emailAddress: email)
        if configuration.mode == .dev {
            return try await store.write { transaction in
                if let account = try transaction.account(email: email) { return try Self.enabled(account) }
                return try transaction.addAccount(email: email, passwordHash: nil)
            }
        }
        try requirePatience(email)
        guard let password, !password.isEmpty else {
            throw Authenticator.failed("a password is needed")
        }
        let account = try await store.read { try $0.account(email: email) }
        let hash = account?.passwordHash
        let fits = await Task.detached { PasswordHash.verify(password, hash ?? Self.nobody) }.value
        guard let account, hash != nil, fits else {
            noteFailure(email)
            throw Self.refused
        }
        failures.withLock { $0[email] = nil }
        return try Self.enabled(account)
    }

    private static func enabled(_ account: Account) throws(CloudError) -> Account {
        guard !account.isDisabled else {
            throw Authenticator.failed("the account is disabled; who runs the service can enable it")
        }
        return account
    }

    private func requirePatience(_ email: String) throws(CloudError) {
        let now = configuration.clock()
        let wait = failures.withLock { failures -> Int64 in
            guard let known = failures[email], known.count >= Self.allowedFailures else { return 0 }
            return known.last + Self.pause - now
        }
        if wait > 0 {
            throw CloudError(
                .throttled, "too many failed sign-ins; try again later", nativeCode: 7,
                retryAfter: (Double(wait) / 1000).rounded(.up))
        }
    }

    private func noteFailure(_ email: String) {
        let now = configuration.clock()
        failures.withLock {
            if $0.count >= Self.remembered { $0.removeAll() }
            $0[email, default: Failures()].count += 1
            $0[email]?.last = now
        }
    }
}
