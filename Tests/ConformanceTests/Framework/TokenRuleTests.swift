import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `A change token` {
    @Test(arguments: CloudSetUp.ways)
    func `is of one database or one zone, kept by an archive, and of no other`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let other = CKRecordZone.ID(zoneName: "Other")
            try await database.save(CKRecordZone(zoneID: other))
            try await database.save(note("a"))
            let whole = try await database.databaseChanges(since: nil).changeToken
            let zone = try await database.recordZoneChanges(inZoneWith: notes, since: nil).changeToken
            let archive = try NSKeyedArchiver.archivedData(withRootObject: zone, requiringSecureCoding: true)
            let kept = try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: CKServerChangeToken.self, from: archive))
            #expect(
                try await database.recordZoneChanges(inZoneWith: notes, since: kept).modificationResultsByID.isEmpty)
            let calls: [() async throws -> Void] = [
                { _ = try await database.databaseChanges(since: zone) },
                { _ = try await database.recordZoneChanges(inZoneWith: notes, since: whole) },
                { _ = try await database.recordZoneChanges(inZoneWith: other, since: zone) },
            ]
            for call in calls {
                let error = await #expect(throws: CKError.self) { try await call() }
                #expect(error?.code == .changeTokenExpired)
            }
        }
    }

    @Test func `is not to be had in the public database, nor for a zone that is missing`() async throws {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let open = container.publicCloudDatabase
            let whole = await #expect(throws: CKError.self) { _ = try await open.databaseChanges(since: nil) }
            #expect(whole?.code == .badDatabase)
            let zone = await #expect(throws: CKError.self) {
                _ = try await open.recordZoneChanges(inZoneWith: CKRecordZone.ID.default, since: nil)
            }
            #expect(zone?.code == .badDatabase)
            let absent = CKRecordZone.ID(zoneName: "Absent")
            let error = await #expect(throws: CKError.self) {
                _ = try await container.privateCloudDatabase.recordZoneChanges(inZoneWith: absent, since: nil)
            }
            #expect(error?.code == .zoneNotFound)
        }
    }

    @Test func `handed out before a failure is good after it`() async throws {
        try await quick.withPhones { phones in
            let transport = InterruptedTransport(phones.cloud.transport)
            let database = Phones.container(on: try await phones.device(transport: transport)).privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            _ = try await database.modifyRecords(saving: (0..<5).map { note("n\($0)") }, deleting: [])
            let operation = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [notes], configurationsByRecordZoneID: [notes: .init(resultsLimit: 2)])
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var token: CKServerChangeToken?
            nonisolated(unsafe) var code: CKError.Code?
            operation.recordZoneChangeTokensUpdatedBlock = { _, latest, _ in token = latest }
            operation.fetchRecordZoneChangesResultBlock = { code = $0.code }
            transport.once(.before, "changes/zone", skipping: 2, losing: true) {}
            await database.run(operation)
            #expect(code == .networkFailure)
            let last = try #require(token)
            let rest = try await database.follow(since: last).changed
            #expect(rest == ["n4"])
        }
    }

    @Test func `that is nil brings deletions as well; a record made and deleted since comes as one`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let start = try await database.follow(since: nil).token
            try await database.save(note("gone"))
            try await database.save(note("here"))
            try await database.deleteRecord(withID: noteID("gone"))
            for token in [start, nil] {
                let changes = try await database.follow(since: token)
                #expect(changes.changed == ["here"] && changes.deleted == ["gone"])
            }
        }
    }

    @Test func `tells a share whenever its participants change`() async throws {
        try await withTwo(quick) { owner, friend in
            let (share, _) = try await shareTree(owner)
            let database = owner.privateCloudDatabase
            let before = try await database.recordZoneChanges(inZoneWith: notes, since: nil).changeToken
            try await join(friend, share)
            let changes = try await database.recordZoneChanges(inZoneWith: notes, since: before)
            let found = try #require(
                try changes.modificationResultsByID[share.recordID]?.get().record as? CKShare)
            #expect(found.participants[1].acceptanceStatus == .accepted)
            #expect(changes.modificationResultsByID.count == 1)
        }
    }

    @Test func `of the database follows zones that are new, changed and deleted`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let start = try await database.databaseChanges(since: nil)
            #expect(start.modifications.map(\.zoneID) == [notes])
            let other = CKRecordZone.ID(zoneName: "Other")
            try await database.save(CKRecordZone(zoneID: other))
            try await database.save(note("n"))
            let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: start.changeToken)
            let log = Log()
            operation.resultsLimit = 1
            operation.recordZoneWithIDChangedBlock = { log.add("changed \($0.zoneName)") }
            operation.recordZoneWithIDWasDeletedBlock = { log.add("deleted \($0.zoneName)") }
            operation.changeTokenUpdatedBlock = { _ in log.add("token") }
            operation.fetchDatabaseChangesResultBlock = { log.add("\((try? $0.get())?.moreComing as Any)") }
            await database.run(operation)
            #expect(log.all == ["changed Other", "token", "changed Notes", "Optional(false)"])
            try await database.deleteRecordZone(withID: other)
            let gone = try await database.databaseChanges(since: start.changeToken).deletions
            #expect(gone.map(\.zoneID) == [other] && gone.map(\.reason) == [.deleted])
        }
    }
}
