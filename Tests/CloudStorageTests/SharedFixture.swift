import CloudCore
import DatabaseTestSupport
import SQLCore

@testable import CloudStorage

/// A zone of Alice's, shares of it or of trees in it, and the shared databases of those who take part.
final class SharedFixture: Sendable {
    let cloud: RecordFixture
    let zone: ZoneID

    init(limits: CloudLimits = .init(), database: (any SQLDatabase)? = nil) async throws {
        cloud = try RecordFixture(limits: limits, database: database)
        zone = cloud.zone("Notes")
        try await cloud.makeZone("Notes")
        try await enrol(alice)
    }

    var alice: Writer { cloud.alice }
    var bob: Writer { cloud.bob }
    let carol = Writer(userName: "_cccccccccccccccccccccccccccccccc", clientID: "carol-phone")

    func view(_ user: Writer) -> DatabaseID { cloud.database(.shared, of: user) }

    // MARK: Records

    func save(
        _ name: String, under parent: String?? = nil, _ title: String = "t", _ type: RecordOperationType = .forceUpdate
    ) -> RecordOperation {
        cloud.operation(type, name, ["title": .string(title)], zone: zone, parent: parent)
    }

    func delete(_ name: String) -> RecordOperation { cloud.operation(.forceDelete, name, zone: zone) }

    /// As the owner, or as a participant in his shared database.
    @discardableResult
    func modify(_ operations: [RecordOperation], by user: Writer? = nil, atomic: Bool = false) async throws
        -> [Result<ModifiedRecord, CloudError>]
    {
        let database = user.map { $0 == alice ? cloud.database() : view($0) } ?? cloud.database()
        return try await cloud.store.write(for: cloud.database()) { [self] in
            try $0.modify(operations, in: database, zone: zone, atomic: atomic, by: user ?? alice)
        }
    }

    /// What one operation says: the code of its refusal, or `nil`.
    func refusal(_ operation: RecordOperation, by user: Writer) async throws -> ServerErrorCode? {
        do { return try await modify([operation], by: user)[0].error?.code } catch let error as CloudError {
            return error.code
        }
    }

    func lookup(_ names: [String], by user: Writer) async throws -> [Record?] {
        try await cloud.store.read { [self] in try $0.records(names, zone: zone, in: view(user)) }
    }

    func changes(_ user: Writer, since token: String? = nil, limit: Int = 200, reverse: Bool = false) async throws
        -> ZoneChangesPage
    {
        try await cloud.store.read { [self] in
            try $0.zoneChanges(zone, in: view(user), since: token, limit: limit, reverse: reverse)
        }
    }

    func zones(_ user: Writer, since token: String? = nil, limit: Int = 200) async throws -> DatabaseChangesPage {
        try await cloud.store.read { [self] in try $0.databaseChanges(in: view(user), since: token, limit: limit) }
    }

    /// The users whose devices a push waits for.
    func told() async throws -> [String] {
        try await cloud.store.read { transaction in
            var users: [String] = []
            try transaction.connection.query("SELECT user_name FROM outbox ORDER BY user_name", []) { row in
                users.append(row.text(0))
                return true
            }
            return users
        }
    }

    func forgetPushes() async throws {
        try await cloud.store.write { try $0.connection.post("DELETE FROM outbox") }
    }

    func subscribe(_ user: Writer, to recordType: String? = nil) async throws {
        try await cloud.store.write { [self] in
            try $0.saveSubscription(
                Subscription(id: "s", kind: .database(recordType: recordType)), in: view(user), of: user.userName)
        }
    }

    // MARK: Sharing

    /// Gives somebody an account, by the address `NAME@example.com`.
    private func enrol(_ user: Writer) async throws {
        try await cloud.store.write { transaction in
            let account = try transaction.addAccount(
                email: "\(user.userName)@example.com", phone: nil, name: NameComponents(), passwordHash: nil)
            try transaction.connection.post(
                "INSERT INTO container_user (account, container, name) VALUES (?1, ?2, ?3)", .integer(account.id),
                .text(RecordFixture.container.rawValue), .text(user.userName))
        }
    }

    static func shareName(_ root: String?) -> String { root.map { "share-\($0)" } ?? Sharing.zoneWideName }

    private func operation(_ type: RecordOperationType, _ root: String?, tag: String?, _ draft: SharingDraft)
        -> RecordOperation
    {
        RecordOperation(
            type: type, id: RecordID(name: Self.shareName(root), zone: zone), recordType: Sharing.recordType,
            changeTag: tag, sharing: draft)
    }

    private func invitation(_ user: Writer, _ permission: SharePermission) -> ShareParticipant {
        ShareParticipant(
            identity: UserIdentity(lookup: .userRecordName(user.userName)), permission: permission)
    }

    /// Shares a tree, or with `nil` the zone, with users who accept.
    func share(_ root: String?, _ people: [(Writer, SharePermission)]) async throws {
        for (user, _) in people { try await enrolOnce(user) }
        let draft = SharingDraft(root: root, participants: people.map { invitation($0.0, $0.1) })
        _ = try await modify([operation(.create, root, tag: nil, draft)])[0].get()
        for (user, _) in people { try await take(root, user) }
    }

    /// Invites a user, who accepts.
    func accept(_ root: String?, _ user: Writer, _ permission: SharePermission = .readWrite) async throws {
        try await enrolOnce(user)
        guard let share = try await cloud.record(Self.shareName(root), zone: zone), let sharing = share.sharing else {
            throw CloudError(.notFound, "there is no share")
        }
        let draft = SharingDraft(participants: sharing.participants + [invitation(user, permission)])
        _ = try await modify([operation(.update, root, tag: share.changeTag, draft)])[0].get()
        try await take(root, user)
    }

    private func take(_ root: String?, _ user: Writer) async throws {
        let share = try await cloud.record(Self.shareName(root), zone: zone)
        let link = ShareLink(shortGUID: share?.shortGUID ?? "")
        _ = try await cloud.store.write(for: cloud.database()) { [self] transaction in
            let account = try transaction.connection.first(
                "SELECT account FROM container_user WHERE container = ?1 AND name = ?2",
                .text(RecordFixture.container.rawValue), .text(user.userName)
            ) { $0.integer(0) }
            return try transaction.acceptShare(link, in: cloud.database(.public), for: account ?? 0, by: user)
        }
    }

    private func enrolOnce(_ user: Writer) async throws {
        let isKnown = try await cloud.store.read {
            try $0.connection.first(
                "SELECT 1 FROM container_user WHERE container = ?1 AND name = ?2",
                .text(RecordFixture.container.rawValue), .text(user.userName)
            ) { _ in true } ?? false
        }
        if !isKnown { try await enrol(user) }
    }

    /// Ends a user's part in a share, by his deleting the share record.
    func leave(_ root: String?, _ user: Writer) async throws {
        _ = try await modify([delete(Self.shareName(root))], by: user)[0].get()
    }

    /// Stops a share.
    func stop(_ root: String?) async throws { _ = try await modify([delete(Self.shareName(root))])[0].get() }
}
