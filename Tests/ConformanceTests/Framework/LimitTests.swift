import CloudKit
import CloudTestSupport
import Testing

@Suite struct `A limit` {
    @Test(arguments: CloudSetUp.available)
    func `of 400 items counts saves and deletions together, names both numbers and stores nothing beyond`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let full = try await phone.modifyRecords(saving: (0..<400).map { note("n\($0)") }, deleting: [])
            #expect(full.saveResults.count == 400 && full.saveResults.failures().isEmpty)
            let mixed = try await phone.modifyRecords(
                saving: (0..<100).map { note("m\($0)") }, deleting: (0..<300).map { noteID("n\($0)") })
            #expect(mixed.saveResults.failures().isEmpty && mixed.deleteResults.failures().isEmpty)
            for (saves, deletes) in [(401, 0), (300, 101), (0, 401)] {
                let error = await #expect(throws: CKError.self) {
                    _ = try await phone.modifyRecords(
                        saving: (0..<saves).map { note("x\($0)") }, deleting: (0..<deletes).map { noteID("m\($0)") })
                }
                #expect(error?.code == .limitExceeded)
                #expect(error?.localizedDescription.contains("401") == true)
                #expect(error?.localizedDescription.contains("400") == true)
            }
            let left = try await phone.follow(since: nil).changed
            #expect(left.count == 200 && !left.contains { $0.hasPrefix("x") })
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `of a record's bytes refuses that record, and the others by atomicity`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let room = 1_048_576 - "title".utf8.count
            let largest = note("largest", title: String(repeating: "x", count: room))
            #expect(try await phone.result(of: largest)?.isSuccess == true)
            let over = note("over", title: String(repeating: "x", count: room + 1))
            let other = note("other", title: "fine")
            let atomic = try await phone.modifyRecords(saving: [other, over], deleting: [])
            let error = try #require(atomic.saveResults[over.recordID]?.ckError)
            #expect(error.code == .limitExceeded)
            #expect(error.localizedDescription.contains("1048577") && error.localizedDescription.contains("1048576"))
            #expect(atomic.saveResults[other.recordID]?.code == .batchRequestFailed)
            let each = try await phone.modifyRecords(saving: [over, other], deleting: [], atomically: false)
            #expect(each.saveResults[over.recordID]?.code == .limitExceeded)
            #expect(each.saveResults[other.recordID]?.isSuccess == true)
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `of a request's bytes is told as such, so that halving helps`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let text = String(repeating: "x", count: 100_000)
            let records = (0..<170).map { note("n\($0)", title: text) }
            let error = await #expect(throws: CKError.self) {
                _ = try await phone.modifyRecords(saving: records, deleting: [])
            }
            #expect(error?.code == .limitExceeded, "\(error as Any)")
            #expect(try await phone.follow(since: nil).changed == [])
            for half in [records[..<85], records[85...]] {
                let saved = try await phone.modifyRecords(saving: Array(half), deleting: [])
                #expect(saved.saveResults.failures().isEmpty)
            }
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `of 400 records holds for one fetch too`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            try await phone.save(note("n7"))
            let ids = (0..<401).map { noteID("n\($0)") }
            let found = try await phone.records(for: Array(ids.prefix(400)))
            #expect(found.count == 400 && found.values.count(where: \.isSuccess) == 1)
            let error = await #expect(throws: CKError.self) { try await phone.records(for: ids) }
            #expect(error?.code == .limitExceeded && error?.localizedDescription.contains("401") == true)
        }
    }
}
