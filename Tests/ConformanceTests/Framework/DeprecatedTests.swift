import CloudKit
import CloudTestSupport
import Testing

@Suite struct `Deprecated API` {
    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `tells the changes of one zone, a page an operation`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            _ = try await phone.modifyRecords(saving: ["a", "b", "c"].map { note($0) }, deleting: [])
            let first = try await changes(in: phone, since: nil)
            #expect(first.lines == ["a", "b"] && first.moreComing)
            try await phone.deleteRecord(withID: noteID("a"))
            let second = try await changes(in: phone, since: first.token)
            #expect(second.lines == ["c", "no a"] && !second.moreComing)
            let lost = CKFetchRecordChangesOperation()
            lost.recordZoneID = CKRecordZone.ID(zoneName: "Nowhere")
            await #expect(throws: CKError.self) { try await run(lost, on: phone) }
        }
    }

    @available(*, deprecated)
    @Test(arguments: CloudSetUp.ways)
    func `queries the first batch, and names a zone's owner by nil`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            try await phone.save(note("a"))
            let zone = CKRecordZone.ID(zoneName: "Notes", ownerName: Optional<String>.none)
            #expect(zone == notes)
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            #expect(try await phone.perform(query, inZoneWith: zone).map(\.recordID) == [noteID("a")])
        }
    }

    @available(*, deprecated)
    private func changes(
        in database: CKDatabase, since token: CKServerChangeToken?
    ) async throws -> (lines: [String], token: CKServerChangeToken?, moreComing: Bool) {
        let operation = CKFetchRecordChangesOperation(recordZoneID: notes, previousServerChangeToken: token)
        operation.resultsLimit = 2
        // Written on the operation's serial queue, read after its last block.
        nonisolated(unsafe) var lines: [String] = []
        operation.recordChangedBlock = { lines.append($0.recordID.recordName) }
        operation.recordWithIDWasDeletedBlock = { lines.append("no " + $0.recordName) }
        let last = try await run(operation, on: database)
        return (lines, last, operation.moreComing)
    }

    @available(*, deprecated)
    @discardableResult
    private func run(
        _ operation: CKFetchRecordChangesOperation, on database: CKDatabase
    ) async throws -> CKServerChangeToken? {
        try await withCheckedThrowingContinuation { continuation in
            operation.fetchRecordChangesCompletionBlock = { token, _, error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: token) }
            }
            database.add(operation)
        }
    }
}
