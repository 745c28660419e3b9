import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `A zone` {
    @Test(arguments: CloudSetUp.ways)
    func `shows what it can do once it was saved or fetched`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let owner = Phones.container(on: try await phones.device())
            let database = owner.privateCloudDatabase
            let all: CKRecordZone.Capabilities = [.fetchChanges, .atomic, .sharing, .zoneWideSharing]
            #expect(CKRecordZone(zoneID: notes).capabilities == [])
            #expect(CKRecordZone.default().capabilities == [])
            let saved = try await database.save(CKRecordZone(zoneID: notes))
            #expect(saved.capabilities == all && saved.share == nil)
            let fetched = try await database.recordZone(for: notes)
            #expect(fetched.capabilities == all)
            #expect(try await database.recordZone(for: .default).capabilities == [])
            #expect(try await owner.publicCloudDatabase.recordZone(for: .default).capabilities == [])
            let archive = try NSKeyedArchiver.archivedData(withRootObject: fetched, requiringSecureCoding: true)
            let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecordZone.self, from: archive)
            #expect(back?.capabilities == all)

            let share = CKShare(recordZoneID: notes)
            share.publicPermission = .readWrite
            try await database.save(share)
            let friend = Phones.container(on: try await phones.device("bob@example.com"))
            try await friend.accept(try await friend.shareMetadata(for: try #require(share.url)))
            let joined = try #require(try await friend.sharedCloudDatabase.allRecordZones().first)
            #expect(joined.capabilities == [.fetchChanges, .atomic])
            let results = try await friend.sharedCloudDatabase.modifyRecords(
                saving: [
                    note("a", in: joined.zoneID), CKRecord(recordType: "_", recordID: noteID("b", in: joined.zoneID)),
                ],
                deleting: [])
            #expect(results.saveResults[noteID("a", in: joined.zoneID)]?.code == .batchRequestFailed)
        }
    }

    @Test func `has an owner with a name`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let nobodys = CKRecordZone.ID(zoneName: "Notes", ownerName: "")
            #expect(try await database.result(of: note("n", in: nobodys))?.code == .invalidArguments)
            let results = try await database.modifyRecordZones(saving: [CKRecordZone(zoneID: nobodys)], deleting: [])
            #expect(results.saveResults.failures() == [nobodys: .invalidArguments])
        }
    }

    @Test func `is made and deleted in the private database only`() async throws {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            for database in [container.publicCloudDatabase, container.sharedCloudDatabase] {
                let made = await #expect(throws: CKError.self) { try await database.save(CKRecordZone(zoneName: "Z")) }
                #expect(made?.code == .badDatabase, "\(database.databaseScope)")
                let gone = await #expect(throws: CKError.self) { try await database.deleteRecordZone(withID: notes) }
                #expect(gone?.code == .badDatabase, "\(database.databaseScope)")
            }
        }
    }

    @Test func `of the default name is always there, is in every list but the shared one and follows no changes`()
        async throws
    {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            for database in [container.privateCloudDatabase, container.publicCloudDatabase] {
                #expect(try await database.allRecordZones().map(\.zoneID) == [.default])
                try await database.save(note("n", in: .default))
            }
            #expect(try await container.sharedCloudDatabase.allRecordZones().isEmpty)
            let error = await #expect(throws: CKError.self) {
                try await container.privateCloudDatabase.recordZoneChanges(inZoneWith: .default, since: nil)
            }
            #expect(error?.code == .invalidArguments)
            #expect(try await container.privateCloudDatabase.databaseChanges(since: nil).modifications.isEmpty)
            let root = note("root", in: .default)
            let share = CKShare(rootRecord: root)
            let shared = try await container.privateCloudDatabase.modifyRecords(saving: [root, share], deleting: [])
            #expect(shared.saveResults[share.recordID]?.code == .invalidArguments)
        }
    }

    @Test func `of another user is not reached by the private database`() async throws {
        try await quick.withPhones { phones in
            let owner = Phones.container(on: try await phones.device())
            try await owner.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
            try await owner.privateCloudDatabase.save(note("n", title: "secret"))
            let name = try await owner.userRecordID().recordName
            let friend = try await phones.database("bob@example.com")
            let foreign = noteID("n", in: CKRecordZone.ID(zoneName: "Notes", ownerName: name))
            let error = await #expect(throws: CKError.self) { try await friend.record(for: foreign) }
            #expect(error?.code == .zoneNotFound || error?.code == .invalidArguments, "\(error as Any)")
            let saved = await #expect(throws: CKError.self) { try await friend.save(note("m", in: foreign.zoneID)) }
            #expect(saved?.code == error?.code)
        }
    }

    @Test func `deleted and made again is empty, and its share is shown by a fetched one only`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            try await database.save(note("n"))
            try await database.deleteRecordZone(withID: notes)
            let gone = await #expect(throws: CKError.self) { try await database.record(for: noteID("n")) }
            #expect(gone?.code == .zoneNotFound)
            try await database.save(CKRecordZone(zoneID: notes))
            let left = try await database.follow(since: nil).changed
            #expect(left.isEmpty)
            let share = CKShare(recordZoneID: notes)
            try await database.save(share)
            #expect(CKRecordZone(zoneID: notes).share == nil)
            #expect(try await database.recordZone(for: notes).share?.recordID == share.recordID)
            #expect(try await database.save(CKRecordZone(zoneID: notes)).zoneID == notes, "saved again is no error")
        }
    }
}
