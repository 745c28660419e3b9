import CloudCore
@testable import CloudStorage
import DatabaseTestSupport
import SQLCore
import Testing

@Suite struct `An account that is closed` {
    private static let container = ContainerID("iCloud.org.example.notes")
    private static let email = "ann@example.org"

    private struct Ann {
        let account: Account
        let name: String
        let session: WebSession
        let device: String
    }

    /// Ann has 40 records in a zone of her private database, some in the public one, subscriptions and a push token.
    private func withAnn(_ body: (CloudStore, Ann) async throws -> Void) async throws {
        let store = try CloudStore(StorageTestDatabase.make(), policy: .dev) { 1000 }
        let ann = try await store.write { transaction in
            let account = try transaction.addAccount(
                email: Self.email, phone: "+49 170 1234567", name: NameComponents(givenName: "Ann"),
                isDiscoverable: true, passwordHash: "hash")
            try transaction.createContainer(Self.container)
            let session = try transaction.startWebSession(
                account: account.id, container: Self.container, environment: .development, deviceSession: nil,
                lifetime: 1_000_000)
            let device = try transaction.startDeviceSession(account: account.id, deviceID: "d", deviceName: "d")
            let push = try transaction.registerPushToken(account: account.id, clientID: "d")
            try transaction.bindPushToken(
                push.token, userName: session.userName, container: Self.container, environment: .development)
            return Ann(account: account, name: session.userName, session: session, device: device)
        }
        for scope in [DatabaseScope.private, .public] {
            let database = database(scope, of: ann)
            try await store.write(for: database) { transaction in
                let writer = Writer(userName: ann.name)
                let zone = ZoneID(name: scope == .private ? "Notes" : ZoneID.defaultName, owner: database.owner)
                if scope == .private { _ = try transaction.createZone(zone, in: database, by: writer) }
                let notes = (0..<40).map { number in
                    RecordOperation(
                        type: .create, id: RecordID(name: "\(scope)-\(number)", zone: zone), recordType: "Note",
                        fields: [FieldDraft(name: "title", value: .string("note \(number)"), isTyped: true)])
                }
                _ = try transaction.modify(notes, in: database, zone: zone, atomic: false, by: writer)
                let own = RecordOperation(
                    type: .forceUpdate,
                    id: RecordID(name: ann.name, zone: ZoneID(name: ZoneID.defaultName, owner: database.owner)),
                    recordType: "Users", fields: [FieldDraft(name: "city", value: .string("Bonn"), isTyped: true)])
                _ = try transaction.modify([own], in: database, zone: own.id.zone, atomic: false, by: writer)
                try transaction.build(MissingIndexes(database: database, zones: [zone], kinds: [.values, .words]))
                try transaction.saveSubscription(
                    Subscription(
                        id: "s",
                        kind: .query(
                            RecordQuery(recordType: "Note", filters: [], sorts: []), zone: nil, firesOn: [.create],
                            firesOnce: false)),
                    in: database, of: ann.name)
            }
        }
        try await body(store, ann)
        await store.close()
    }

    private func database(_ scope: DatabaseScope, of ann: Ann) -> DatabaseID {
        DatabaseID(container: Self.container, environment: .development, scope: scope, owner: ann.name)
    }

    private func remove(_ store: CloudStore) async throws {
        try await store.write { try $0.removeAccount($0.requireAccount(email: Self.email)) }
    }

    private func rows(_ store: CloudStore, _ sql: String) async throws -> Int64 {
        try await store.read { try $0.connection.first(sql) { $0.integer(0) } ?? 0 }
    }

    @Test func `has no sessions and no push tokens at once, and starts none while it is disabled`() async throws {
        try await withAnn { store, ann in
            let before = try await store.read { try $0.news(since: nil).position.callers }
            try await store.write { try $0.setDisabled(true, account: $0.requireAccount(email: Self.email)) }
            try await store.write { transaction throws in
                #expect(try transaction.webSession(id: ann.session.id, secret: ann.session.secret) == nil)
                #expect(try transaction.deviceSession(ann.device) == nil)
                #expect(try transaction.news(since: nil).position.callers > before)
                #expect(throws: CloudError.self) {
                    try transaction.startDeviceSession(account: ann.account.id, deviceID: "d", deviceName: "")
                }
                try transaction.setDisabled(false, account: transaction.requireAccount(email: Self.email))
                _ = try transaction.startDeviceSession(account: ann.account.id, deviceID: "d", deviceName: "")
            }
            #expect(try await rows(store, "SELECT COUNT(*) FROM push_token") == 0)
            #expect(try await rows(store, "SELECT COUNT(*) FROM record WHERE deleted = 0") == 82)
        }
    }

    @Test func `loses its private databases, subscriptions and user record; what it made public stays`() async throws {
        try await withAnn { store, ann in
            try await remove(store)
            try await store.finishErasures()
            let found = try await store.read { transaction in
                (
                    try transaction.account(email: Self.email),
                    try transaction.user(matching: .userRecordName(ann.name), in: Self.container),
                    try transaction.records(
                        ["public-1", ann.name], zone: ZoneID(name: ZoneID.defaultName, owner: DatabaseID.publicOwner),
                        in: database(.public, of: ann)),
                    try transaction.verify()
                )
            }
            #expect(found.0 == nil && found.1 == nil && found.3 == [])
            #expect(found.2[0]?.created.userRecordName == ann.name)
            #expect(found.2[1]?.fields == [:])
            #expect(try await rows(store, "SELECT COUNT(*) FROM cloud_database") == 1)
            for table in ["subscription", "web_session", "device_session", "push_token", "push_binding", "erasure"] {
                #expect(try await rows(store, "SELECT COUNT(*) FROM \(table)") == 0, "\(table)")
            }
            let left = try await store.read { transaction in
                try transaction.connection.first(
                    "SELECT COUNT(*) FROM account WHERE given_name = 'Ann' OR phone IS NOT NULL OR password_hash IS NOT NULL"
                ) { $0.integer(0) }
            }
            #expect(left == 0)
        }
    }

    @Test func `is erased in bounded steps, and whoever comes next goes on`() async throws {
        try await withAnn { store, ann in
            let before = try await rows(store, "SELECT COUNT(*) FROM record")
            try await remove(store)
            // Its zones go first: nothing is reached any more while the rest goes.
            var place = try await store.write { try $0.continueErasure(limit: 10) }
            #expect(place != nil)
            let zones = try await store.read { try $0.zones(in: database(.private, of: ann)).map(\.id.name) }
            #expect(zones == ["_defaultZone"])
            var steps = 0
            while place != nil {
                place = try await store.write { [place] in try $0.continueErasure(limit: 10, from: place) }
                steps += 1
            }
            #expect(steps > 8)
            #expect(try await rows(store, "SELECT COUNT(*) FROM record") == before - 41)
            #expect(try await store.write { try $0.continueErasure(limit: 10) } == nil)
        }
    }

    @Test func `gives neither its number nor its names to the account that gets its address`() async throws {
        try await withAnn { store, ann in
            try await remove(store)
            try await store.finishErasures()
            let (next, name) = try await store.write { transaction in
                let next = try transaction.addAccount(email: Self.email, phone: "+49 170 1234567", passwordHash: nil)
                return (next, try transaction.userName(of: next.id, in: Self.container))
            }
            #expect(next.id != ann.account.id && name != ann.name)
        }
    }

    @Test func `is erased from every table that belongs to databases`() async throws {
        try await withAnn { store, _ in
            let isFile = try await store.read { $0.connection.dialect.lock.isEmpty }
            let sql =
                isFile
                ? "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'db' WHERE m.type = 'table'"
                : """
                SELECT table_name::text FROM information_schema.columns
                WHERE table_schema = current_schema() AND column_name = 'db'
                """
            let tables = try await store.read { transaction in
                var tables: Set<String> = []
                try transaction.connection.query(sql, []) { row in
                    tables.insert(row.text(0))
                    return true
                }
                return tables
            }
            #expect(tables.subtracting(["asset_release", "membership"]) == Set(CloudSchema.databaseTables.map(\.name)))
        }
    }
}

@Suite struct `An account that changes` {
    private func withAnn(_ body: @escaping @Sendable (CloudTransaction, Account) throws -> Void) async throws {
        let store = try CloudStore(StorageTestDatabase.make(), policy: .dev) { 1000 }
        try await store.write { transaction throws in
            let ann = try transaction.addAccount(
                email: "ann@example.org", phone: "4917012345", name: NameComponents(givenName: "Ann", nickname: "An"),
                passwordHash: "hash")
            _ = try transaction.addAccount(email: "bob@example.org", phone: "4917099999", passwordHash: nil)
            try body(transaction, ann)
        }
        await store.close()
    }

    @Test func `keeps what is not named and loses what is empty`() async throws {
        try await withAnn { transaction, ann throws in
            var change = AccountChange()
            change.email = "Ann.Lee@example.org"
            change.phone = ""
            change.name = NameComponents(familyName: "Lee", nickname: "")
            change.isDiscoverable = true
            try transaction.changeAccount(ann, change)
            let changed = try #require(try transaction.account(email: "ann.lee@example.org"))
            #expect(changed.id == ann.id && changed.phone == nil && changed.isDiscoverable)
            #expect(changed.name == NameComponents(givenName: "Ann", familyName: "Lee"))
            #expect(changed.passwordHash == "hash")
            #expect(try transaction.account(email: "ann@example.org") == nil)
        }
    }

    @Test func `takes no address or number of another`() async throws {
        try await withAnn { transaction, ann throws in
            var change = AccountChange()
            change.email = "BOB@example.org"
            let address = #expect(throws: CloudError.self) { try transaction.changeAccount(ann, change) }
            #expect(address?.code == .exists && address?.reason.contains("bob@example.org") == true)
            change = AccountChange()
            change.phone = "+4917099999"
            let number = #expect(throws: CloudError.self) { try transaction.changeAccount(ann, change) }
            #expect(number?.code == .exists && number?.reason.contains("4917099999") == true)
            change.phone = "4917012345"
            try transaction.changeAccount(ann, change)
        }
    }

    @Test func `is listed by its address, page by page`() async throws {
        try await withAnn { transaction, ann throws in
            #expect(try transaction.accounts(after: "", limit: 1) == [ann])
            #expect(try transaction.accounts(after: ann.email, limit: 1).map(\.email) == ["bob@example.org"])
            #expect(try transaction.accounts(after: "bob@example.org", limit: 1) == [])
        }
    }
}
