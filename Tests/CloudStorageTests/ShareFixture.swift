import CloudCore
@testable import CloudStorage
import DatabaseTestSupport
import SQLCore

/// A store with people who have accounts, a zone of Ann's, and short words for what they do with shares.
final class ShareFixture: Sendable {
    /// Somebody with an account.
    struct Person: Sendable {
        let account: Int64
        let name: String
        var writer: Writer { Writer(userName: name, clientID: "phone of \(name)") }
    }

    let store: CloudStore
    let ann, bob, cid: Person
    static let container = ContainerID("iCloud.org.example.notes")
    /// Ann's.
    let database: DatabaseID
    let zone: ZoneID

    init(limits: CloudLimits = .init(), on database: (any SQLDatabase)? = nil) async throws {
        let store = try CloudStore(
            database ?? StorageTestDatabase.make(), limits: limits, policy: .dev, clock: { 1_767_000_000_000 })
        let people = try await store.write { transaction in
            try ["Ann", "Bob", "Cid"].map { name in
                try Self.person(
                    "\(name)@example.com", NameComponents(givenName: name, familyName: "Example"),
                    phone: name == "Cid" ? "+49 170 1234567" : nil, in: transaction)
            }
        }
        (ann, bob, cid) = (people[0], people[1], people[2])
        let own = DatabaseID(
            container: Self.container, environment: .development, scope: .private, owner: people[0].name)
        let zone = ZoneID(name: "Notes", owner: people[0].name)
        (self.database, self.zone, self.store) = (own, zone, store)
        let writer = people[0].writer
        try await store.write(for: own) { _ = try $0.createZone(zone, in: own, by: writer) }
    }

    private static func person(
        _ email: String, _ name: NameComponents, phone: String? = nil, in transaction: CloudTransaction
    ) throws -> Person {
        let account = try transaction.addAccount(email: email, phone: phone, name: name, passwordHash: nil)
        return Person(account: account.id, name: try transaction.userName(of: account.id, in: container))
    }

    /// Somebody who comes later.
    func person(_ email: String) async throws -> Person {
        try await store.write { try Self.person(email, NameComponents(givenName: email), in: $0) }
    }

    // MARK: Operations

    func note(
        _ type: RecordOperationType, _ name: String, tag: String? = nil, parent: String? = nil, guid: Bool = false
    ) -> RecordOperation {
        RecordOperation(
            type: type, id: RecordID(name: name, zone: zone), recordType: "Note", changeTag: tag,
            fields: [FieldDraft(name: "title", value: .string(name), isTyped: true)],
            parent: parent.map { .some($0) }, createShortGUID: guid)
    }

    func share(
        _ type: RecordOperationType, _ name: String, tag: String? = nil, title: String? = nil, _ draft: SharingDraft
    ) -> RecordOperation {
        RecordOperation(
            type: type, id: RecordID(name: name, zone: zone), recordType: Sharing.recordType, changeTag: tag,
            fields: title.map { [FieldDraft(name: "cloudkit.title", value: .string($0), isTyped: true)] } ?? [],
            sharing: draft)
    }

    func delete(_ name: String, tag: String? = nil) -> RecordOperation {
        RecordOperation(type: .delete, id: RecordID(name: name, zone: zone), changeTag: tag)
    }

    @discardableResult
    func modify(_ operations: RecordOperation..., atomic: Bool = false, by person: Person? = nil) async throws
        -> [Result<ModifiedRecord, CloudError>]
    {
        try await modify(operations, atomic: atomic, by: person)
    }

    @discardableResult
    func modify(_ operations: [RecordOperation], atomic: Bool = false, by person: Person? = nil) async throws
        -> [Result<ModifiedRecord, CloudError>]
    {
        let (database, zone, writer) = (database, zone, (person ?? ann).writer)
        return try await store.write(for: database) {
            try $0.modify(operations, in: database, zone: zone, atomic: atomic, by: writer)
        }
    }

    /// The record that one operation saves.
    @discardableResult
    func save(_ operation: RecordOperation, by person: Person? = nil) async throws -> Record {
        let result = try await modify([operation], by: person)[0]
        guard case .saved(let record) = try result.get() else {
            throw CloudError(.internalError, "the operation deleted")
        }
        return record
    }

    /// A tree of `root` and `leaf`, shared by the share `S`.
    @discardableResult
    func shareTree(_ permission: SharePermission = .none, _ participants: ShareParticipant...) async throws -> Record {
        try await modify(note(.create, "root"), note(.create, "leaf", parent: "root"))
        let draft = SharingDraft(root: "root", publicPermission: permission, participants: participants)
        return try await save(share(.create, "S", title: "Groceries", draft))
    }

    /// The share of the whole zone.
    @discardableResult
    func shareZone(_ permission: SharePermission = .none, _ participants: ShareParticipant...) async throws -> Record {
        let draft = SharingDraft(publicPermission: permission, participants: participants)
        return try await save(share(.create, Sharing.zoneWideName, draft))
    }

    static func invite(
        _ lookup: UserLookup, _ permission: SharePermission = .readWrite, role: ParticipantRole = .privateUser
    ) -> ShareParticipant {
        ShareParticipant(
            identity: UserIdentity(userRecordName: nil, lookup: lookup), role: role, permission: permission)
    }

    // MARK: Links

    func link(_ share: Record, token: String? = nil) -> ShareLink {
        ShareLink(shortGUID: share.shortGUID ?? "", invitationToken: token)
    }

    func resolve(_ link: ShareLink, by person: Person?) async throws -> ShareMetadata {
        try await store.read { try $0.resolveShare(link, in: .development, for: person?.account) }
    }

    @discardableResult
    func accept(_ link: ShareLink, by person: Person) async throws -> ShareMetadata {
        let here = DatabaseID(
            container: Self.container, environment: .development, scope: .public, owner: DatabaseID.publicOwner)
        return try await store.write(for: here) {
            try $0.acceptShare(link, in: here, for: person.account, by: person.writer)
        }
    }

    func ask(_ link: ShareLink, by person: Person) async throws {
        let here = DatabaseID(
            container: Self.container, environment: .development, scope: .public, owner: DatabaseID.publicOwner)
        try await store.write(for: here) {
            try $0.requestAccess(link, in: here, for: person.account, by: person.writer)
        }
    }

    /// What a record looks like to its owner.
    func record(_ name: String) async throws -> Record? {
        try await store.read { [zone, database] in try $0.records([name], zone: zone, in: database)[0] }
    }

    /// What the share says to its owner.
    func sharing(_ name: String = "S") async throws -> Sharing? { try await record(name)?.sharing }

    /// Zones that a user has part in.
    func memberships(of person: Person) async throws -> [String] {
        try await store.read { transaction in
            var zones: [String] = []
            try transaction.connection.query(
                "SELECT zone_name, ended FROM membership WHERE user_name = ?1 ORDER BY db, share", [.text(person.name)]
            ) { row in
                zones.append(row.integer(1) == 0 ? row.text(0) : "-\(row.text(0))")
                return true
            }
            return zones
        }
    }

    func problems() async throws -> [String] { try await store.read { try $0.verify() } }
}
