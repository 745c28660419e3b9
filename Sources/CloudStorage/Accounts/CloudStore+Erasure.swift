import CloudCore
import SQLCore

extension CloudTransaction {
    /// Takes everything personal from an account and ends its sessions. Its number stays, so that no other account gets the
    /// user record names that are made of it; what is stored for it goes with ``CloudStore/finishErasures()``.
    package func removeAccount(_ account: Account) throws {
        try connection.execute(
            """
            UPDATE account SET email = ?2, phone = NULL, name_prefix = NULL, given_name = NULL, middle_name = NULL,
                family_name = NULL, name_suffix = NULL, nickname = NULL, password_hash = NULL, discoverable = 0,
                state = ?3
            WHERE id = ?1
            """, .integer(account.id), .text("removed:\(account.id)"), .integer(AccountState.erased.rawValue))
        try endSessions(of: account.id)
        try connection.execute(
            """
            INSERT INTO erasure (account, container, user_name)
            SELECT account, container, name FROM container_user WHERE account = ?1
            """, .integer(account.id))
        try connection.execute("DELETE FROM container_user WHERE account = ?1", .integer(account.id))
    }

    /// Goes on erasing what removed accounts have stored.
    /// - Parameter limit: The most rows to delete now.
    /// - Returns: Whether anything was left to do.
    func continueErasure(limit: Int) throws -> Bool {
        let next = try connection.first("SELECT account, container, user_name FROM erasure ORDER BY account LIMIT 1") {
            (account: $0.integer(0), container: ContainerID($0.text(1)), user: $0.text(2))
        }
        guard let next else { return false }
        for environment in CloudEnvironment.allCases {
            for scope in [DatabaseScope.private, .shared] {
                let id = DatabaseID(container: next.container, environment: environment, scope: scope, owner: next.user)
                guard let row = try databaseRow(id) else { continue }
                guard try releaseAssets(ofDatabase: row, limit: limit) else { return true }
                guard try eraseRows(of: row, limit: limit) else { return true }
                try connection.execute("DELETE FROM cloud_database WHERE id = ?1", .integer(row))
                memory.forget()
            }
            try leavePublicDatabase(of: next.container, environment, user: next.user)
        }
        try connection.execute(
            "DELETE FROM erasure WHERE account = ?1 AND container = ?2", .integer(next.account),
            .text(next.container.rawValue))
        return true
    }

    /// Of the public database go the user's subscriptions and what he wrote into his own user record. Other records of his
    /// stay there, as everybody's.
    private func leavePublicDatabase(of container: ContainerID, _ environment: CloudEnvironment, user: String) throws {
        let id = DatabaseID(
            container: container, environment: environment, scope: .public, owner: DatabaseID.publicOwner)
        guard let row = try databaseRow(id) else { return }
        memory.subscriptions = [:]
        try connection.execute(
            "DELETE FROM subscription WHERE db = ?1 AND user_name = ?2", .integer(row), .text(user))
        let zone = ZoneID(name: ZoneID.defaultName, owner: id.owner)
        guard let record = try records([user], zone: zone, in: id).first ?? nil, !record.fields.isEmpty else { return }
        _ = try modify(
            [RecordOperation(type: .forceReplace, id: record.id, recordType: UserRecord.type)], in: id, zone: zone,
            atomic: false, by: Writer(userName: user))
    }

    private func databaseRow(_ id: DatabaseID) throws -> Int64? {
        try connection.first(
            """
            SELECT id FROM cloud_database WHERE container = ?1 AND environment = ?2 AND scope = ?3 AND owner = ?4
            \(connection.dialect.lock)
            """, .text(id.container.rawValue), .text(id.environment.rawValue), .integer(Int64(id.scope.rawValue)),
            .text(id.owner)
        ) { $0.integer(0) }
    }
}

extension CloudStore {
    /// Rows that one transaction of an erasure deletes.
    private static let erasedTogether = 2000

    /// Erases what removed accounts have stored, in transactions of bounded size. After a crash the next call goes on.
    package func finishErasures() async throws {
        while try await write({ try $0.continueErasure(limit: Self.erasedTogether) }) {}
    }
}
