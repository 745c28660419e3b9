import CloudCore
import CloudStorage
import DatabaseTestSupport
import SQLCore
import Synchronization

/// A new store with a clock that tests turn, and short words for what tests do with records.
final class RecordFixture: Sendable {
    let store: CloudStore
    let alice = Writer(userName: "_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", clientID: "alice-phone")
    let bob = Writer(userName: "_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", clientID: "bob-phone")

    private final class Clock: Sendable {
        let now = Mutex<Int64>(1_767_000_000_000)
    }
    private let time: Clock

    init(
        limits: CloudLimits = .init(), database: (any SQLDatabase)? = nil, patience: Duration = .seconds(120)
    ) throws {
        let time = Clock()
        self.time = time
        store = try CloudStore(database ?? StorageTestDatabase.make(), limits: limits, policy: .dev, patience: patience)
        {
            time.now.withLock { $0 }
        }
    }

    func advance(_ milliseconds: Int64) { time.now.withLock { $0 += milliseconds } }

    static let container = ContainerID("iCloud.org.example.notes")

    func database(_ scope: DatabaseScope = .private, of writer: Writer? = nil) -> DatabaseID {
        DatabaseID(
            container: Self.container, environment: .development, scope: scope, owner: (writer ?? alice).userName)
    }

    func zone(_ name: String = ZoneID.defaultName, _ scope: DatabaseScope = .private) -> ZoneID {
        ZoneID(name: name, owner: database(scope).owner)
    }

    func makeZone(_ name: String) async throws {
        try await store.write { [self] in
            _ = try $0.createZone(zone(name), in: database(), by: alice)
        }
    }

    /// An operation on a record of type `Note`.
    func operation(
        _ type: RecordOperationType, _ name: String, _ fields: [String: FieldValue?] = [:], zone: ZoneID? = nil,
        recordType: String? = "Note", tag: String? = nil, parent: String?? = nil, isTyped: Bool = true
    ) -> RecordOperation {
        RecordOperation(
            type: type, id: RecordID(name: name, zone: zone ?? self.zone()), recordType: recordType, changeTag: tag,
            fields: fields.map { FieldDraft(name: $0.key, value: $0.value, isTyped: isTyped) }, parent: parent)
    }

    @discardableResult
    func modify(
        _ operations: RecordOperation..., in database: DatabaseID? = nil, atomic: Bool = false, by writer: Writer? = nil
    ) async throws -> [Result<ModifiedRecord, CloudError>] {
        try await modify(operations, in: database, atomic: atomic, by: writer)
    }

    @discardableResult
    func modify(
        _ operations: [RecordOperation], in database: DatabaseID? = nil, atomic: Bool = false, by writer: Writer? = nil
    ) async throws -> [Result<ModifiedRecord, CloudError>] {
        let zone = operations.first?.id.zone ?? self.zone()
        let database = database ?? self.database()
        let ahead = ReadAhead(RecordNeeds(operations), in: database, zone: zone)
        return try await store.write(for: database, ahead: ahead) { [self] in
            try $0.modify(operations, in: database, zone: zone, atomic: atomic, by: writer ?? alice)
        }
    }

    func record(_ name: String, zone: ZoneID? = nil, in database: DatabaseID? = nil) async throws -> Record? {
        try await store.read { [self] in
            try $0.records([name], zone: zone ?? self.zone(), in: database ?? self.database())[0]
        }
    }

    /// One page of a query.
    func page(_ query: RecordQuery, zone: ZoneID?, limit: Int = 200, after marker: String? = nil) async throws
        -> QueryPage
    {
        try await store.read { [self] in
            try $0.query(query, in: database(), zone: zone, limit: limit, marker: marker)
        }
    }

    /// All pages of a query, joined.
    func query(_ query: RecordQuery, zone: ZoneID?, limit: Int = 200) async throws -> [Record] {
        var records: [Record] = []
        var marker: String?
        repeat {
            let page = try await page(query, zone: zone, limit: limit, after: marker)
            records += page.records
            marker = page.marker
        } while marker != nil
        return records
    }
}

extension Result where Success == ModifiedRecord, Failure == CloudError {
    var record: Record? {
        if case .success(.saved(let record)) = self { record } else { nil }
    }

    var error: CloudError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
