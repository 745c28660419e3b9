import CloudKit
import CloudTestSupport
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `The desired keys` {
    @Test(arguments: CloudSetUp.ways)
    func `are all for nil, none for an empty list, else those named, in every way to read`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let owner = Phones.container(on: try await phones.device())
            let database = owner.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            let record = note("n", title: "t")
            record["color"] = "red"
            let share = CKShare(rootRecord: record)
            share.publicPermission = .readOnly
            _ = try await database.modifyRecords(saving: [record, share], deleting: [])
            let id = record.recordID
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            let friend = Phones.container(on: try await phones.device("bob@example.com"))
            let url = try #require(share.url)
            for (keys, expected) in [(nil, ["color", "title"]), ([], []), (["color"], ["color"])]
                as [([String]?, [String])]
            {
                let fetched = try #require(try await database.records(for: [id], desiredKeys: keys)[id]).get()
                let matched = try #require(
                    try await database.records(matching: query, desiredKeys: keys).matchResults.first?.1
                ).get()
                let changed = try #require(
                    try await database.recordZoneChanges(inZoneWith: notes, since: nil, desiredKeys: keys)
                        .modificationResultsByID[id]
                ).get().record
                let operation = CKFetchShareMetadataOperation(shareURLs: [url])
                operation.shouldFetchRootRecord = true
                operation.rootRecordDesiredKeys = keys
                // Written on the operation's serial queue only, and read when it has called its last block.
                nonisolated(unsafe) var root: CKRecord?
                operation.perShareMetadataResultBlock = { root = try? $1.get().rootRecord }
                await friend.run(operation)
                for found in [fetched, matched, changed, try #require(root)] {
                    #expect(found.allKeys().sorted() == expected)
                    #expect(found.recordChangeTag == record.recordChangeTag && found.creationDate != nil)
                }
            }
        }
    }

    @Test func `that leave keys out do not erase them by the next save`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let record = note("n", title: "t")
            record["color"] = "red"
            try await database.save(record)
            let part = try #require(try await database.records(for: [noteID("n")], desiredKeys: [])[noteID("n")]).get()
            part["title"] = "new"
            try await database.save(part)
            let whole = try await database.record(for: noteID("n"))
            #expect(whole["title"] as? String == "new" && whole["color"] as? String == "red")
        }
    }
}

@Suite struct `A fetch of records` {
    @Test func `spans zones, fetches none twice, and tells what is missing item by item`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            try await database.save(note("a", title: "zone"))
            try await database.save(note("a", title: "default", in: .default))
            let nowhere = noteID("a", in: CKRecordZone.ID(zoneName: "Nowhere"))
            let operation = CKFetchRecordsOperation(recordIDs: [
                noteID("a"), noteID("a", in: .default), noteID("a"), noteID("b"), nowhere,
            ])
            let log = Log()
            operation.perRecordResultBlock = { id, result in
                log.add("\(id.zoneID.zoneName) \(id.recordName) \(result.code.map { "\($0)" } ?? "fetched")")
            }
            await database.run(operation)
            #expect(
                log.all.sorted() == [
                    "Notes a fetched", "Notes b unknownItem", "Nowhere a zoneNotFound", "_defaultZone a fetched",
                ])
        }
    }

    @Test func `gives a share as CKShare`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let share = CKShare(recordZoneID: notes)
            try await database.save(share)
            #expect(try await database.record(for: share.recordID) is CKShare)
            let changed = try await database.recordZoneChanges(inZoneWith: notes, since: nil)
            #expect(try changed.modificationResultsByID[share.recordID]?.get().record is CKShare)
        }
    }
}
