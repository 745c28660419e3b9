package import CloudCore
import CloudCrypto
import SQLCore

/// What is to be changed of an account; what is `nil` stays.
package struct AccountChange: Hashable, Sendable {
    package var email: String?
    /// Empty takes the number away.
    package var phone: String?
    /// Of these an empty part is taken away.
    package var name = NameComponents()
    package var isDiscoverable: Bool?
    /// Another password ends the account's sessions.
    package var passwordHash: String?

    package init() {}
}

extension CloudTransaction {
    /// People's accounts in the order of their addresses.
    /// - Parameter after: The address to begin behind; empty for the first.
    package func accounts(after email: String, limit: Int) throws -> [Account] {
        var accounts: [Account] = []
        try connection.query(
            """
            SELECT \(Self.accountColumns) FROM account a WHERE a.email > ?1 AND a.state <= ?2 ORDER BY a.email LIMIT ?3
            """, [.text(email), .integer(AccountState.disabled.rawValue), .integer(Int64(limit))]
        ) { row in
            accounts.append(Self.account(row))
            return true
        }
        return accounts
    }

    /// - Throws: `notFound` when nobody has the address.
    package func requireAccount(email: String) throws -> Account {
        if !email.utf8.contains(0), let account = try account(email: email) { return account }
        throw CloudError(.notFound, "there is no account \(email)")
    }

    /// - Throws: `exists` when another account has the new address or number.
    package func changeAccount(_ account: Account, _ change: AccountChange) throws {
        let email = change.email.map { UserLookup.normalized(emailAddress: $0) } ?? account.email
        if let violation = Self.violation(inEmail: email) { throw CloudError(.badRequest, violation) }
        var phone = account.phone
        if let given = change.phone { phone = given.isEmpty ? nil : try Self.digits(ofPhone: given) }
        let taken = try connection.first(
            "SELECT email FROM account WHERE id <> ?1 AND (email = ?2 OR phone = ?3)", .integer(account.id),
            .text(email), .optional(phone)
        ) { $0.text(0) }
        if let taken {
            throw CloudError(
                .exists,
                taken == email
                    ? "the account \(email) exists already"
                    : "another account has the telephone number \(phone ?? "")")
        }
        func part(_ path: KeyPath<NameComponents, String?>) -> SQLValue {
            guard let given = change.name[keyPath: path] else { return .optional(account.name[keyPath: path]) }
            return given.isEmpty ? .null : .text(given)
        }
        let isDiscoverable = change.isDiscoverable ?? account.isDiscoverable
        try connection.execute(
            """
            UPDATE account SET email = ?2, phone = ?3, name_prefix = ?4, given_name = ?5, middle_name = ?6,
                family_name = ?7, name_suffix = ?8, nickname = ?9, discoverable = ?10, password_hash = ?11
            WHERE id = ?1
            """, .integer(account.id), .text(email), .optional(phone), part(\.namePrefix), part(\.givenName),
            part(\.middleName), part(\.familyName), part(\.nameSuffix), part(\.nickname),
            .integer(isDiscoverable ? 1 : 0), .optional(change.passwordHash ?? account.passwordHash))
        if change.passwordHash != nil { try endSessions(of: account.id) }
    }

    /// Sets whether others may find a person in one container, whatever holds for the others.
    package func setDiscoverable(_ isDiscoverable: Bool, account: Int64, in container: ContainerID) throws {
        try connection.execute(
            """
            INSERT INTO container_user (account, container, name, discoverable) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (account, container) DO UPDATE SET discoverable = excluded.discoverable
            """, .integer(account), .text(container.rawValue), .text(try userName(of: account, in: container)),
            .integer(isDiscoverable ? 1 : 0))
    }

    /// Ends a person's sessions and refuses new ones, or lets him sign in again.
    package func setDisabled(_ isDisabled: Bool, account: Account) throws {
        let state: AccountState = isDisabled ? .disabled : .active
        try connection.execute(
            "UPDATE account SET state = ?2 WHERE id = ?1", .integer(account.id), .integer(state.rawValue))
        if isDisabled { try endSessions(of: account.id) }
    }

    /// Ends all sessions of an account, of devices and of the web, and its push tokens, and no process remembers them.
    func endSessions(of account: Int64) throws {
        try connection.execute("DELETE FROM web_session WHERE account = ?1", .integer(account))
        try connection.execute("DELETE FROM device_session WHERE account = ?1", .integer(account))
        try dropPushTokens(ofAccount: account)
        try raise(.callers, to: try hold(.callers) + 1)
    }
}
