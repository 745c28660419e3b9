import CloudKit
import CloudTestSupport
import Testing

@Suite struct `Change tags` {
    @Test(arguments: CloudSetUp.available)
    func `a save whose reply was lost and a stale one are settled in two round trips by the server's records`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let transport = FaultyTransport(phones.cloud.transport)
            let device = try await phones.device(transport: transport)
            let phone = Phones.container(on: device).privateCloudDatabase
            let tablet = try await phones.databaseWithNotes()
            let stale = try await phone.save(note("stale", title: "one"))
            let other = try await tablet.record(for: stale.recordID)
            other["title"] = "two"
            try await tablet.save(other)

            let new = note("new", title: "sent")
            transport.loseReply(to: "records/modify")
            let lost = await #expect(throws: CKError.self) { try await phone.save(new) }
            #expect(lost?.code == .serverResponseLost)

            stale["title"] = "three"
            let first = try await phone.modifyRecords(saving: [new, stale], deleting: [], atomically: false)
            let servers = try [new, stale].map { record in
                let error = try #require(first.saveResults[record.recordID]?.ckError)
                #expect(error.code == .serverRecordChanged)
                return try #require(error.serverRecord)
            }
            #expect(servers.map { $0["title"] as? String } == ["sent", "two"])
            for server in servers { server["title"] = "merged" }
            let second = try await phone.modifyRecords(saving: servers, deleting: [], atomically: false)
            #expect(second.saveResults.failures().isEmpty)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `saving a child leaves the parent's tag as it was, and the feed tells the child only`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let parent = try await phone.save(note("parent", title: "one"))
            let start = try await phone.follow(since: nil)
            let child = note("child", title: "c")
            child.setParent(parent)
            child["owner"] = CKRecord.Reference(record: parent, action: .deleteSelf)
            try await tablet.save(child)
            let changes = try await phone.follow(since: start.token)
            #expect(changes.changed == ["child"])
            parent["title"] = "two"
            #expect(try await phone.result(of: parent)?.isSuccess == true)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `a record deleted elsewhere is unknown to a checked save and made again by a forced one`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            for policy in [CKModifyRecordsOperation.RecordSavePolicy.changedKeys, .allKeys] {
                let copy = try await tablet.save(note("x\(policy.rawValue)", title: "one"))
                try await phone.deleteRecord(withID: copy.recordID)
                let start = try await phone.follow(since: nil)
                copy["title"] = "two"
                #expect(try await tablet.result(of: copy)?.code == .unknownItem)
                #expect(try await phone.follow(since: start.token).changed == [])
                #expect(try await tablet.result(of: copy, policy)?.isSuccess == true)
                let changes = try await phone.follow(since: start.token)
                #expect(changes.changed == [copy.recordID.recordName] && changes.deleted == [])
                #expect(try await phone.record(for: copy.recordID)["title"] as? String == "two")
            }
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `a new child in one batch with its parent's conflict waits in an atomic zone and is saved without atomicity`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let parent = try await phone.save(note("parent", title: "one"))
            let other = try await tablet.record(for: parent.recordID)
            other["title"] = "two"
            try await tablet.save(other)
            parent["title"] = "three"
            let child = note("child", title: "c")
            child.setParent(parent)

            let atomic = try await phone.modifyRecords(saving: [parent, child], deleting: [])
            #expect(atomic.saveResults[parent.recordID]?.code == .serverRecordChanged)
            #expect(atomic.saveResults[child.recordID]?.code == .batchRequestFailed)
            await #expect(throws: CKError.self) { try await tablet.record(for: child.recordID) }

            let operation = CKModifyRecordsOperation(recordsToSave: [child, parent])
            operation.isAtomic = false
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var results: [String: CKError.Code?] = [:]
            operation.perRecordSaveBlock = { results[$0.recordName] = .some($1.code) }
            await withCheckedContinuation { continuation in
                operation.modifyRecordsResultBlock = { _ in continuation.resume() }
                phone.add(operation)
            }
            #expect(results == ["parent": .serverRecordChanged, "child": nil])
            #expect(try await tablet.record(for: child.recordID).parent?.recordID == parent.recordID)
        }
    }
}
