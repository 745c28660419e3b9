import CloudKit
import CloudTestSupport
import Testing

@Suite struct `Saving from two devices` {
    @Test(arguments: CloudSetUp.available)
    func `a record saved on one device is fetched on the other, whole and stamped`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            let tablet = try await phones.database()
            try await phone.save(CKRecordZone(zoneID: notes))
            let saved = try await phone.save(note("a", title: "bread"))
            #expect(saved.changedKeys().isEmpty)
            let found = try await tablet.record(for: saved.recordID)
            #expect(found["title"] as? String == "bread")
            #expect(found.recordID == saved.recordID)
            #expect(found.recordChangeTag == saved.recordChangeTag)
            #expect(found.creatorUserRecordID?.recordName == CKCurrentUserDefaultName)
            let error = await #expect(throws: CKError.self) {
                try await tablet.record(for: CKRecord.ID(recordName: "absent", zoneID: notes))
            }
            #expect(error?.code == .unknownItem)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `a stale save is refused with the server's, the client's and the ancestor record`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            let tablet = try await phones.database()
            try await phone.save(CKRecordZone(zoneID: notes))
            let mine = try await phone.save(note("a", title: "one"))
            let theirs = try await tablet.record(for: mine.recordID)
            theirs["title"] = "two"
            try await tablet.save(theirs)
            mine["title"] = "three"
            let error = await #expect(throws: CKError.self) { try await phone.save(mine) }
            #expect(error?.code == .serverRecordChanged)
            #expect(error?.serverRecord?["title"] as? String == "two")
            #expect(error?.clientRecord?["title"] as? String == "three")
            #expect(error?.ancestorRecord?["title"] as? String == "one")
            let merged = try #require(error?.serverRecord)
            merged["title"] = "two and three"
            try await phone.save(merged)
            #expect(try await tablet.record(for: mine.recordID)["title"] as? String == "two and three")
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `policies: changed keys overwrites what changed, a fresh record over an existing one is a conflict`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            try await phone.save(CKRecordZone(zoneID: notes))
            let first = note("a", title: "one")
            first["color"] = "red"
            try await phone.save(first)
            let second = note("a", title: "two")
            let error = await #expect(throws: CKError.self) { try await phone.save(second) }
            #expect(error?.code == .serverRecordChanged)
            #expect(error?.serverRecord?["title"] as? String == "one")
            let results = try await phone.modifyRecords(saving: [second], deleting: [], savePolicy: .changedKeys)
            _ = try results.saveResults[second.recordID]?.get()
            let found = try await phone.record(for: second.recordID)
            #expect(found["title"] as? String == "two")
            #expect(found["color"] as? String == "red")
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `in an atomic zone one bad record fails the others with it, and the result block still succeeds`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            try await phone.save(CKRecordZone(zoneID: notes))
            try await phone.save(note("taken", title: "one"))
            let bad = note("taken", title: "two")
            let good = note("good", title: "fine")
            let results = try await phone.modifyRecords(saving: [bad, good], deleting: [])
            #expect(results.saveResults[bad.recordID]?.code == .serverRecordChanged)
            #expect(results.saveResults[good.recordID]?.code == .batchRequestFailed)

            let operation = CKModifyRecordsOperation(recordsToSave: [note("taken", title: "3"), note("b", title: "4")])
            let whole: Bool = await withCheckedContinuation { continuation in
                operation.modifyRecordsResultBlock = { result in
                    if case .success = result {
                        continuation.resume(returning: true)
                    } else {
                        continuation.resume(returning: false)
                    }
                }
                phone.add(operation)
            }
            #expect(whole)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `a missing zone fails its own records only; deleting what is not there succeeds`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            try await phone.save(CKRecordZone(zoneID: notes))
            let lost = note("a", title: "lost", in: CKRecordZone.ID(zoneName: "Nowhere"))
            let kept = note("b", title: "kept")
            let absent = CKRecord.ID(recordName: "absent", zoneID: notes)
            let results = try await phone.modifyRecords(saving: [lost, kept], deleting: [absent])
            #expect(results.saveResults[lost.recordID]?.code == .zoneNotFound)
            #expect(try results.saveResults[kept.recordID]?.get()["title"] as? String == "kept")
            #expect(results.deleteResults[absent]?.isSuccess == true)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `without an account the private database says so`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let device = try await phones.device("alice@example.com")
            let container = Phones.container(on: device)
            #expect(try await container.accountStatus() == .available)
            let name = try await container.userRecordID().recordName
            #expect(name.hasPrefix("_") && name.utf8.count == 33)
            try await device.signOut()
            #expect(try await container.accountStatus() == .noAccount)
            let error = await #expect(throws: CKError.self) {
                try await container.privateCloudDatabase.allRecordZones()
            }
            #expect(error?.code == .notAuthenticated)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `a batch over several zones is atomic in each by itself`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let other = CKRecordZone.ID(zoneName: "Other")
            try await phone.save(CKRecordZone(zoneID: other))
            try await phone.save(note("taken", title: "one"))
            let records = [
                note("taken", title: "two"), note("beside", title: "two"), note("taken", title: "two", in: other),
                note("taken", title: "two", in: .default),
            ]
            let results = try await phone.modifyRecords(saving: records, deleting: [])
            #expect(
                records.map { results.saveResults[$0.recordID]?.code }
                    == [.serverRecordChanged, .batchRequestFailed, nil, nil])
            #expect(results.saveResults.values.count(where: \.isSuccess) == 2)
            #expect(try await phone.follow(other, since: nil).changed == ["taken"])
            #expect(try await phone.follow(notes, since: nil).changed == ["taken"])
        }
    }
}
