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
        // What others invited the person by is needed until it has been found with them.
        for (word, contact) in [(ErasedPerson.email, account.email), (ErasedPerson.phone, account.phone)] {
            guard let contact else { continue }
            try connection.execute(
                "INSERT INTO erasure (account, container, user_name) VALUES (?1, ?2, ?3)", .integer(account.id),
                .text(word), .text(contact))
        }
    }

    /// Goes on erasing what removed accounts have stored, and what others keep of them.
    /// - Parameters:
    ///   - limit: The most rows to look at or to delete now.
    ///   - place: What the step before this one returned; without it the search among the shares of others begins anew.
    /// - Returns: Where to go on; `nil` when nothing was left to do.
    func continueErasure(limit: Int, from place: ErasurePlace? = nil) throws -> ErasurePlace? {
        guard let gone = try nextErased() else { return nil }
        var start = ErasurePlace(account: gone.account)
        if let place, place.account == gone.account { start = place }
        for user in gone.users {
            guard try eraseDatabases(of: user, limit: limit) else { return start }
        }
        if let next = try leaveShares(gone, after: start, limit: limit) { return next }
        for user in gone.users {
            guard try forgetMemberships(of: user, limit: limit) else { return start }
            for environment in CloudEnvironment.allCases {
                try leavePublicDatabase(of: user.container, environment, user: user.name)
            }
        }
        try connection.execute("DELETE FROM erasure WHERE account = ?1", .integer(gone.account))
        return start
    }

    private func nextErased() throws -> ErasedPerson? {
        let account = try connection.first("SELECT account FROM erasure ORDER BY account LIMIT 1") { $0.integer(0) }
        guard let account else { return nil }
        var gone = ErasedPerson(account: account)
        try connection.query(
            "SELECT container, user_name FROM erasure WHERE account = ?1 ORDER BY container", [.integer(account)]
        ) { row in
            gone.add(container: row.text(0), row.text(1))
            return true
        }
        return gone
    }

    /// - Returns: Whether nothing is left of the user's databases.
    private func eraseDatabases(of user: ErasedPerson.User, limit: Int) throws -> Bool {
        for environment in CloudEnvironment.allCases {
            for scope in [DatabaseScope.private, .shared] {
                let id = DatabaseID(container: user.container, environment: environment, scope: scope, owner: user.name)
                guard let row = try databaseRow(id) else { continue }
                guard try endShares(of: id, row, limit: limit) else { return false }
                guard try releaseAssets(ofDatabase: row, limit: limit) else { return false }
                guard try eraseRows(of: row, limit: limit) else { return false }
                try connection.execute("DELETE FROM cloud_database WHERE id = ?1", .integer(row))
                memory.forget()
            }
        }
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
        var place: ErasurePlace?
        repeat {
            place = try await write { [place] in try $0.continueErasure(limit: Self.erasedTogether, from: place) }
        } while place != nil
    }
}
