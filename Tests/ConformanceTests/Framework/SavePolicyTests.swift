import CloudKit
import CloudTestSupport
import Testing

private let quick = CloudSetUp.ways[0]
private typealias Policy = CKModifyRecordsOperation.RecordSavePolicy

@Suite struct `A save policy` {
    /// What the device has of a record.
    enum Local: String, CaseIterable { case untagged, current, stale }
    /// What the service has.
    enum Remote: String, CaseIterable { case present, absent }

    @Test func `is ifServerRecordUnchanged, and the operation atomic, unless it says otherwise`() {
        let operation = CKModifyRecordsOperation()
        #expect(operation.savePolicy == .ifServerRecordUnchanged && operation.isAtomic)
        #expect(operation.recordsToSave == nil && operation.recordIDsToDelete == nil)
        let fetch = CKFetchRecordZoneChangesOperation()
        #expect(fetch.fetchAllChanges && CKFetchDatabaseChangesOperation().fetchAllChanges)
        #expect(CKFetchRecordZoneChangesOperation.ZoneConfiguration().resultsLimit == 0)
        #expect(CKQueryOperation().resultsLimit == CKQueryOperation.maximumResults)
    }

    @Test(arguments: [0, 1, 2], Remote.allCases)
    func `decides by the tag on the device and the record at the service`(_ policy: Int, _ remote: Remote) async throws
    {
        let policy = try #require(Policy(rawValue: policy))
        for local in Local.allCases {
            try await quick.withPhones { phones in
                let phone = try await phones.databaseWithNotes()
                let tablet = try await phones.database()
                let record = note("n", title: "one")
                if local != .untagged || remote == .present { try await phone.save(record) }
                let mine = local == .untagged ? note("n") : record
                if local == .stale {
                    let theirs = try await tablet.record(for: record.recordID)
                    theirs["title"] = "theirs"
                    try await tablet.save(theirs)
                }
                if remote == .absent { try await tablet.deleteRecord(withID: noteID("n")) }
                mine["title"] = "mine"
                let result = try await phone.result(of: mine, policy)
                let expected: CKError.Code? =
                    switch (policy, local, remote) {
                    case (.ifServerRecordUnchanged, .untagged, .absent), (.ifServerRecordUnchanged, .current, .present):
                        nil
                    case (.ifServerRecordUnchanged, _, .present): .serverRecordChanged
                    case (.ifServerRecordUnchanged, _, .absent): .unknownItem
                    default: nil
                    }
                #expect(result?.code == expected, "\(policy), \(local), \(remote)")
                let left = try await tablet.records(for: [noteID("n")])[noteID("n")]
                let title = try? left?.get()["title"] as? String
                switch expected {
                case nil: #expect(title == "mine")
                case .serverRecordChanged: #expect(title == (local == .stale ? "theirs" : "one"), "nothing is written")
                default: #expect(left?.code == .unknownItem)
                }
            }
        }
    }

    @Test(arguments: [0, 1, 2])
    func `sends the changed keys or all local ones, and leaves those that only the service has`(_ policy: Int)
        async throws
    {
        let policy = try #require(Policy(rawValue: policy))
        try await quick.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let record = note("n", title: "one")
            record["color"] = "red"
            record["size"] = 1
            try await phone.save(record)
            let part = try #require(
                try await phone.records(for: [noteID("n")], desiredKeys: ["title", "color"])[noteID("n")]
            ).get()
            if policy != .ifServerRecordUnchanged {
                let theirs = try await tablet.record(for: record.recordID)
                theirs["color"] = "blue"
                theirs["size"] = 2
                try await tablet.save(theirs)
            }
            part["title"] = "mine"
            #expect(try await phone.result(of: part, policy)?.isSuccess == true)
            let left = try await tablet.record(for: record.recordID)
            #expect(left["title"] as? String == "mine")
            #expect(left["color"] as? String == (policy == .changedKeys ? "blue" : "red"))
            #expect(left["size"] as? Int == (policy == .ifServerRecordUnchanged ? 1 : 2))
        }
    }

    @Test func `of a conflict shows three records, and the server's is the one to save again`() async throws {
        try await quick.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            try await phone.save(note("n", title: "theirs"))
            let fresh = note("n", title: "mine")
            let error = try #require(try await phone.result(of: fresh)?.ckError)
            #expect(error.code == .serverRecordChanged)
            #expect(error.clientRecord === fresh)
            #expect(error.serverRecord?["title"] as? String == "theirs")
            #expect(error.ancestorRecord?.allKeys() == [], "it was never fetched")
            #expect(try await phone.result(of: fresh)?.code == .serverRecordChanged, "it still has no tag")
            let server = try #require(error.serverRecord)
            server["title"] = "merged"
            try await phone.save(server)
            #expect(CKError(.unknownItem).serverRecord == nil && CKError(.unknownItem).ancestorRecord == nil)
        }
    }

    @Test func `does not hold for a share, which is always checked by its tag`() async throws {
        try await quick.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let share = CKShare(recordZoneID: notes)
            try await phone.save(share)
            let theirs = try #require(try await tablet.record(for: share.recordID) as? CKShare)
            theirs[CKShare.SystemFieldKey.title] = "theirs"
            try await tablet.save(theirs)
            share[CKShare.SystemFieldKey.title] = "mine"
            for policy in [Policy.changedKeys, .allKeys] {
                #expect(try await phone.result(of: share, policy)?.code == .serverRecordChanged)
            }
        }
    }
}

@Suite struct `An atomic batch` {
    @Test func `fails with its one bad item, saves and deletions alike, and only in its zone`() async throws {
        try await quick.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let other = CKRecordZone.ID(zoneName: "Other")
            try await phone.save(CKRecordZone(zoneID: other))
            _ = try await phone.modifyRecords(
                saving: [note("taken"), note("old"), note("old", in: other)], deleting: [])
            let results = try await phone.modifyRecords(
                saving: [note("taken"), note("new"), note("new", in: other)],
                deleting: [noteID("old"), noteID("old", in: other)])
            #expect(
                results.saveResults.failures()
                    == [noteID("taken"): .serverRecordChanged, noteID("new"): .batchRequestFailed])
            #expect(results.deleteResults.failures() == [noteID("old"): .batchRequestFailed])
            #expect(try await phone.record(for: noteID("old")).recordChangeTag != nil)
        }
    }

    @Test func `is none where it says so, nor in the default zone, whatever it says`() async throws {
        try await quick.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            for (zone, isAtomic) in [(notes, false), (CKRecordZone.ID.default, true)] {
                try await phone.save(note("taken", in: zone))
                let results = try await phone.modifyRecords(
                    saving: [note("taken", in: zone), note("new", in: zone)], deleting: [], atomically: isAtomic)
                #expect(results.saveResults.failures() == [noteID("taken", in: zone): .serverRecordChanged])
            }
        }
    }

    @Test func `is not sent when one of its records cannot be, in the default zone either`() async throws {
        try await quick.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            for zone in [notes, CKRecordZone.ID.default] {
                let bad = note("bad", in: zone)
                bad["number"] = Double.nan
                let results = try await phone.modifyRecords(saving: [bad, note("new", in: zone)], deleting: [])
                #expect(
                    results.saveResults.failures()
                        == [bad.recordID: .invalidArguments, noteID("new", in: zone): .batchRequestFailed])
            }
        }
    }

    @Test func `of a missing zone fails whole, of nothing at all succeeds`() async throws {
        try await quick.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let nowhere = CKRecordZone.ID(zoneName: "Nowhere")
            let results = try await phone.modifyRecords(
                saving: [note("a", in: nowhere), note("b", in: nowhere)], deleting: [noteID("c", in: nowhere)])
            #expect(Set(results.saveResults.failures().values) == [.zoneNotFound])
            #expect(results.deleteResults.failures() == [noteID("c", in: nowhere): .zoneNotFound])
            let nothing = try await phone.modifyRecords(saving: [], deleting: [])
            #expect(nothing.saveResults.isEmpty && nothing.deleteResults.isEmpty)
        }
    }

    @Test func `names no record twice`() async throws {
        try await quick.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            for (saves, deletes) in [
                ([note("a"), note("a")], []), ([], [noteID("a"), noteID("a")]), ([note("a")], [noteID("a")]),
            ] {
                let error = await #expect(throws: CKError.self) {
                    _ = try await phone.modifyRecords(saving: saves, deleting: deletes)
                }
                #expect(error?.code == .invalidArguments)
            }
            let names = try await phone.follow(since: nil).changed
            #expect(names.isEmpty)
        }
    }
}
