package import CloudCore
import CloudCrypto
import SQLCore

/// The public half of a server-to-server key, and whom it acts for.
package struct ServerKey: Hashable, Sendable {
    /// 64 hexadecimal digits.
    package let id: String
    package let container: ContainerID
    package let environment: CloudEnvironment
    package let name: String
    /// DER `SubjectPublicKeyInfo` on P-256.
    package let publicKey: [UInt8]
    /// The account that stands for the key; nobody signs in with it.
    package let account: Int64
    /// The user record name of all that the key does.
    package let userRecordName: String
    /// Milliseconds since 1970.
    package let created: Int64
}

extension CloudTransaction {
    /// Lets a key act in the public database of a container, as a user of its own.
    /// - Parameter publicKey: DER `SubjectPublicKeyInfo` on P-256.
    /// - Throws: `notFound` when there is no such container.
    package func addServerKey(
        container: ContainerID, environment: CloudEnvironment, name: String, publicKey: [UInt8]
    ) throws -> ServerKey {
        guard try containerExists(container) else {
            throw CloudError(.notFound, "there is no container \(container)")
        }
        let id = Hex.encode(Crypto.random(32))
        // An account has an address; this one is none that anybody can type at a sign-in.
        try connection.execute(
            "INSERT INTO account (email, state, created) VALUES (?1, ?2, ?3)", .text("key:" + id),
            .integer(AccountState.serverKey.rawValue), .integer(now))
        let account = try connection.first("SELECT id FROM account WHERE email = ?1", .text("key:" + id)) {
            $0.integer(0)
        }
        guard let account else { throw CloudError(.internalError, "the key's account was not kept") }
        try connection.execute(
            """
            INSERT INTO server_key (id, container, environment, name, public_key, account, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """, .text(id), .text(container.rawValue), .text(environment.rawValue), .text(name), .blob(publicKey),
            .integer(account), .integer(now))
        return ServerKey(
            id: id, container: container, environment: environment, name: name, publicKey: publicKey,
            account: account, userRecordName: try userName(of: account, in: container), created: now)
    }

    /// The key of an id; `nil` when there is none or it was revoked.
    package func serverKey(_ id: String) throws -> ServerKey? {
        guard id.utf8.count == 64, !id.utf8.contains(0) else { return nil }
        return try serverKeys("WHERE id = ?1", [.text(id.lowercased())]).first
    }

    /// All keys, by container and age; of one container if it is given.
    package func serverKeys(of container: ContainerID? = nil) throws -> [ServerKey] {
        let condition = container == nil ? "" : "WHERE container = ?1"
        return try serverKeys(
            condition + " ORDER BY container, created, id", container.map { [.text($0.rawValue)] } ?? [])
    }

    /// Ends a key with its subscriptions and push tokens, which no process remembers then. Its records stay.
    /// - Throws: `notFound` when there is none of that id.
    package func revokeServerKey(_ id: String) throws {
        guard let key = try serverKey(id) else {
            throw CloudError(.notFound, "there is no server-to-server key '\(id)'")
        }
        try connection.execute("DELETE FROM server_key WHERE id = ?1", .text(key.id))
        let database = try database(
            DatabaseID(
                container: key.container, environment: key.environment, scope: .public, owner: DatabaseID.publicOwner))
        for stored in try storedSubscriptions(in: database, user: key.userRecordName) {
            try removeSubscription(stored, in: database)
        }
        try dropPushTokens(ofAccount: key.account)
        try raise(.callers, to: try hold(.callers) + 1)
    }

    private func serverKeys(_ condition: String, _ binds: [SQLValue]) throws -> [ServerKey] {
        var keys: [ServerKey] = []
        try connection.query(
            "SELECT id, container, environment, name, public_key, account, created FROM server_key " + condition, binds
        ) { row in
            guard let environment = CloudEnvironment(rawValue: row.text(2)) else { return true }
            keys.append(
                ServerKey(
                    id: row.text(0), container: ContainerID(row.text(1)), environment: environment, name: row.text(3),
                    publicKey: row.blob(4), account: row.integer(5), userRecordName: "", created: row.integer(6)))
            return true
        }
        return try keys.map { key in
            ServerKey(
                id: key.id, container: key.container, environment: key.environment, name: key.name,
                publicKey: key.publicKey, account: key.account,
                userRecordName: try userName(of: key.account, in: key.container), created: key.created)
        }
    }
}
