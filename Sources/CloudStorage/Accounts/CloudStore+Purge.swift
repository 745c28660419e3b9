package import CloudCore

extension CloudStore {
    /// Erases what an account has stored in its private database of a container: a transaction for each zone, so that a call
    /// after a crash does the rest.
    ///
    /// The account stays, and so do its records in the public database and its part in what others share.
    package func purge(email: String, container: ContainerID, environment: CloudEnvironment) async throws {
        let database = try await read { transaction in
            let user = try transaction.userName(of: transaction.requireAccount(email: email).id, in: container)
            return DatabaseID(container: container, environment: environment, scope: .private, owner: user)
        }
        let zones = try await read { try $0.existingDatabase(database) == nil ? [] : $0.zones(in: database) }
        for zone in zones {
            try await write { try $0.purgeZone(zone.id, in: database, by: Writer(userName: database.owner)) }
        }
    }
}
