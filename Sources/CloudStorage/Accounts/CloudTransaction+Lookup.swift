package import CloudCore
import SQLCore

extension CloudTransaction {
    /// Finds the person that a lookup means, as a container knows him: also one who is not discoverable, since who may
    /// learn of him is the caller's to decide.
    ///
    /// In a transaction that writes, the person has a user record name in the container from now on, so that he is found by
    /// it later.
    /// - Parameter lookup: Addresses compare without case, telephone numbers by their digits.
    /// - Returns: `nil` when nobody has the address, number or name; also when the text can be none.
    package func user(matching lookup: UserLookup, in container: ContainerID) throws -> KnownUser? {
        let (condition, text) =
            switch lookup {
            case .emailAddress(let email): ("a.email", UserLookup.normalized(emailAddress: email))
            case .phoneNumber(let phone): ("a.phone", UserLookup.normalized(phoneNumber: phone) ?? "")
            case .userRecordName(let name): ("u.name", name)
            }
        // No text has a NUL in it, and not every database takes one.
        guard !text.isEmpty, !text.utf8.contains(0) else { return nil }
        let found = try connection.first(
            """
            SELECT \(Self.accountColumns), u.name, u.discoverable FROM account a
            LEFT JOIN container_user u ON u.account = a.id AND u.container = ?2
            WHERE \(condition) = ?1 AND a.state <= ?3
            """, .text(text), .text(container.rawValue), .integer(AccountState.disabled.rawValue)
        ) { row -> (Account, String?, Bool?) in
            let next = Self.accountColumnCount
            return (Self.account(row), row.optionalText(next), row.isNull(next + 1) ? nil : row.integer(next + 1) != 0)
        }
        guard let (account, name, isDiscoverable) = found else { return nil }
        return KnownUser(
            account: account, userRecordName: try name ?? userName(of: account.id, in: container),
            isDiscoverable: isDiscoverable ?? account.isDiscoverable)
    }

    /// - Returns: The user's account.
    /// - Throws: `ACCESS_DENIED` when a user has left the service since something was made out to him: his account is
    ///   disabled or removed, or the server-to-server key is revoked.
    package func requireActive(_ user: String, in container: ContainerID) throws -> Int64 {
        let account = try connection.first(
            """
            SELECT u.account FROM container_user u JOIN account a ON a.id = u.account
            WHERE u.container = ?1 AND u.name = ?2 AND (a.state = ?3
                OR a.state = ?4 AND EXISTS (SELECT 1 FROM server_key k WHERE k.account = a.id))
            """, .text(container.rawValue), .text(user), .integer(AccountState.active.rawValue),
            .integer(AccountState.serverKey.rawValue)
        ) { $0.integer(0) }
        guard let account else {
            throw CloudError(.accessDenied, "the user may not use the service any more", nativeCode: 10)
        }
        return account
    }
}
