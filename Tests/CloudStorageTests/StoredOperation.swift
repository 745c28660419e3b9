import CloudCore
@testable import CloudStorage
import SQLCore

/// Something that a client or an administrator asks of a store, and the store it is asked of.
struct StoredOperation: Sendable, CustomStringConvertible {
    let description: String
    /// What a repeat may be told when the first time took effect.
    var whenDone: Set<ServerErrorCode> = []
    let run: @Sendable (CloudStore) async throws -> Void

    static let alice = Writer(userName: "_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", clientID: "phone")
    static let container = ContainerID("iCloud.org.example.notes")
    static let database = DatabaseID(
        container: container, environment: .development, scope: .private, owner: alice.userName)
    static let zone = ZoneID(name: "Notes", owner: alice.userName)

    /// A zone without an index.
    static let unsearched = ZoneID(name: "Unsearched", owner: alice.userName)

    private static let deviceSecret = "the secret of a device's session"

    /// Writes what the operations find.
    static func prepare(_ transaction: CloudTransaction) throws {
        let account = try transaction.addAccount(
            email: "ann@example.com", name: NameComponents(givenName: "Ann"), passwordHash: nil)
        try transaction.createContainer(container)
        _ = try transaction.startDeviceSession(account: account.id, deviceID: "phone", deviceName: "phone")
        try transaction.connection.execute(
            "UPDATE device_session SET hash = ?1", .blob(CloudTransaction.hash(deviceSecret)))
        let device = try transaction.deviceSession(deviceSecret)?.id
        for client in ["phone", "tablet"] {
            let token = try transaction.registerPushToken(
                account: account.id, clientID: client, deviceSession: client == "phone" ? device : nil)
            try transaction.bindPushToken(
                token.token, userName: alice.userName, container: container, environment: .development)
        }
        try transaction.createZone(zone, in: database, by: alice)
        for (id, kind) in [
            ("d", Subscription.Kind.database(recordType: nil)), ("z", .zone(zone, recordType: nil)),
            ("q", .query(RecordQuery(recordType: "Note"), zone: nil, firesOn: [.update], firesOnce: true)),
        ] {
            try transaction.saveSubscription(Subscription(id: id, kind: kind), in: database, of: alice.userName)
        }
        let results = try transaction.modify(
            [
                record(.create, "a", [("title", .string("a"))]), record(.create, "b", [("title", .string("b"))]),
                record(.create, "leaf", [("owner", .reference(Reference(recordName: "b", action: .deleteSelf)))]),
            ], in: database, zone: zone, atomic: true, by: alice)
        for result in results { _ = try result.get() }
        try transaction.build(MissingIndexes(database: database, zones: [zone], kinds: [.values, .words]))
        try transaction.createZone(unsearched, in: database, by: alice)
        let note = RecordOperation(
            type: .create, id: RecordID(name: "u", zone: unsearched), recordType: "Note",
            fields: [FieldDraft(name: "title", value: .string("two words"), isTyped: true)])
        _ = try transaction.modify([note], in: database, zone: unsearched, atomic: true, by: alice)[0].get()
        try prepareAssets(transaction)
        try prepareSharing(transaction)
    }

    private static func record(
        _ type: RecordOperationType, _ name: String, _ fields: [(String, FieldValue)] = []
    ) -> RecordOperation {
        RecordOperation(
            type: type, id: RecordID(name: name, zone: zone), recordType: "Note",
            fields: fields.map { FieldDraft(name: $0.0, value: $0.1, isTyped: true) })
    }

    /// - Parameter refused: Positions of operations that must be refused.
    private static func modify(
        _ store: CloudStore, _ operations: [RecordOperation], atomic: Bool = false, refused: Set<Int> = []
    ) async throws {
        let ahead = ReadAhead(RecordNeeds(operations), in: database, zone: zone)
        let results = try await store.write(for: database, ahead: ahead) {
            try $0.modify(operations, in: database, zone: zone, atomic: atomic, by: alice)
        }
        for (position, result) in results.enumerated() {
            guard refused.contains(position) else {
                _ = try result.get()
                continue
            }
            if case .success = result { throw CloudError(.internalError, "the bad record was saved") }
        }
    }

    static let writes = records + assets + others + sharing

    private static let records = [
        StoredOperation(description: "a save with a new field") {
            try await modify($0, [record(.forceUpdate, "a", [("pages", .int64(7))])])
        },
        StoredOperation(description: "a save of a new type") { store in
            try await modify(
                store,
                [
                    RecordOperation(
                        type: .forceReplace, id: RecordID(name: "r", zone: zone), recordType: "Recipe",
                        fields: [FieldDraft(name: "name", value: .string("soup"), isTyped: true)])
                ])
        },
        StoredOperation(description: "an atomic batch", whenDone: [.exists, .atomicError, .notFound]) {
            try await modify(
                $0,
                [
                    record(.create, "c", [("title", .string("c")), ("pages", .int64(1))]),
                    record(.forceReplace, "a", [("title", .string("second"))]), record(.delete, "b"),
                ], atomic: true)
        },
        StoredOperation(description: "a batch with a bad record", whenDone: [.exists]) {
            try await modify(
                $0,
                [
                    record(.create, "c", [("title", .string("c"))]), record(.create, "d", [("title", .int64(1))]),
                    record(.create, "e", [("owner", .reference(Reference(recordName: "none", action: .validate)))]),
                    record(.forceReplace, "a", [("title", .string("second"))]),
                ], refused: [1, 2])
        },
        StoredOperation(description: "a delete with what it owns", whenDone: [.notFound]) {
            try await modify($0, [record(.delete, "b")])
        },
        StoredOperation(description: "a first save in a database", whenDone: [.exists]) { store in
            let bob = Writer(userName: "_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb")
            let own = DatabaseID(
                container: container, environment: .development, scope: .private, owner: bob.userName)
            let zone = ZoneID(name: ZoneID.defaultName, owner: bob.userName)
            let operation = RecordOperation(
                type: .create, id: RecordID(name: "n", zone: zone), recordType: "Note",
                fields: [FieldDraft(name: "title", value: .string("n"), isTyped: true)])
            _ = try await store.write(for: own) {
                try $0.modify([operation], in: own, zone: zone, atomic: false, by: bob)[0].get()
            }
        },
    ]

    private static let others = [
        StoredOperation(description: "the index of a zone") { store in
            let missing = MissingIndexes(database: database, zones: [unsearched], kinds: [.values, .words])
            try await store.write(for: database) { try $0.build(missing) }
        },
        StoredOperation(description: "a new zone") { store in
            try await store.write(for: database) {
                _ = try $0.createZone(ZoneID(name: "More", owner: alice.userName), in: database, by: alice)
            }
        },
        StoredOperation(description: "a zone's deletion", whenDone: [.zoneNotFound]) { store in
            try await store.write(for: database) { try $0.deleteZone(zone, in: database, by: alice) }
        },
        StoredOperation(description: "a subscription") { store in
            try await store.write(for: database) {
                try $0.saveSubscription(
                    Subscription(
                        id: "q",
                        kind: .query(
                            RecordQuery(recordType: "Note"), zone: zone, firesOn: [.create], firesOnce: false)),
                    in: database, of: alice.userName)
            }
        },
        StoredOperation(description: "a subscription's deletion", whenDone: [.notFound]) { store in
            try await store.write(for: database) {
                try $0.deleteSubscription("d", in: database, of: alice.userName)
            }
        },
        StoredOperation(description: "an API token") { store in
            _ = try await store.write {
                try $0.createAPIToken(
                    container: container, environment: .production, name: "web",
                    origins: ["https://a.example", "https://b.example"])
            }
        },
        StoredOperation(description: "a sign-in with its tokens") { store in
            try await store.write {
                guard let account = try $0.account(email: "ann@example.com") else {
                    throw CloudError(.notFound, "Ann's account is gone")
                }
                _ = try $0.startDeviceSession(account: account.id, deviceID: "pad", deviceName: "pad")
                let session = try $0.startWebSession(
                    account: account.id, container: container, environment: .development, deviceSession: nil,
                    lifetime: 1000)
                let token = try $0.registerPushToken(account: account.id, clientID: "pad")
                try $0.bindPushToken(
                    token.token, userName: session.userName, container: container, environment: .development)
            }
        },
        StoredOperation(description: "a sign-out") { store in
            try await store.write { _ = try $0.endDeviceSession(deviceSecret) }
        },
        StoredOperation(description: "an account", whenDone: [.exists]) { store in
            _ = try await store.write {
                try $0.addAccount(
                    email: "bob@example.com", name: NameComponents(familyName: "Bob"), passwordHash: "hash")
            }
        },
        StoredOperation(description: "an account's removal", whenDone: [.notFound]) { store in
            try await store.write { try $0.removeAccount($0.requireAccount(email: "carl@example.com")) }
        },
        StoredOperation(description: "a server-to-server key") { store in
            _ = try await store.write {
                try $0.addServerKey(
                    container: container, environment: .development, name: "robot", publicKey: [1, 2, 3])
            }
        },
        StoredOperation(description: "a container", whenDone: [.exists]) { store in
            try await store.write { try $0.createContainer(ContainerID("iCloud.org.example.other")) }
        },
        StoredOperation(description: "the outbox's expansion") { store in
            _ = try await store.write { try $0.expandOutbox(limit: 100) }
        },
    ]

    /// What changes nothing: reads, and what is refused.
    static let reads = [
        StoredOperation(description: "a refused atomic batch") { store in
            let operations = [
                record(.forceReplace, "a", [("title", .string("second"))]), record(.create, "b"),
                record(.create, "c", [("pages", .int64(1))]),
            ]
            let ahead = ReadAhead(RecordNeeds(operations), in: database, zone: zone)
            let results = try await store.write(for: database, ahead: ahead) {
                try $0.modify(operations, in: database, zone: zone, atomic: true, by: alice)
            }
            for result in results {
                if case .success = result { throw CloudError(.internalError, "the batch was saved") }
            }
        },
        StoredOperation(description: "a refused sign-up") { store in
            let refusal = try await store.write {
                do {
                    _ = try $0.addAccount(
                        email: "ann@example.com", passwordHash: nil)
                    return nil as CloudError?
                } catch let error as CloudError {
                    return error
                }
            }
            if refusal?.code != .exists { throw CloudError(.internalError, "the account was made twice") }
        },
        StoredOperation(description: "a page of changes") { store in
            _ = try await store.read { try $0.zoneChanges(zone, in: database, since: nil, limit: 2) }
        },
        StoredOperation(description: "a query") { store in
            _ = try await store.read {
                try $0.query(
                    RecordQuery(recordType: "Note", sorts: [QuerySort(field: .user("title"))]), in: database,
                    zone: zone,
                    limit: 1, marker: nil)
            }
        },
    ]
}
