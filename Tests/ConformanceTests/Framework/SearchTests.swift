import CloudKit
import CloudTestSupport
import Testing

/// Words and places by way of the module.
@Suite struct `A search through the module` {
    @Test(arguments: CloudSetUp.available)
    func `by words finds any of them in all text, or all of them, whatever the case and the accents`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let texts = ["a": "Crème Brûlée", "b": "creme caramel", "c": "Bread"]
            let records = texts.sorted { $0.key < $1.key }.map { name, title in note(name, title: title) }
            records[2]["tags"] = ["caramel"]
            #expect(try await phone.modifyRecords(saving: records, deleting: []).saveResults.failures().isEmpty)
            func find(_ format: String, _ arguments: String...) async throws -> Set<String> {
                let query = CKQuery(
                    recordType: "Note", predicate: NSPredicate(format: format, argumentArray: arguments))
                return Set(
                    try await phone.records(matching: query, inZoneWith: notes).matchResults.map(\.0.recordName))
            }
            #expect(try await find("self contains 'BRULEE caramel'") == ["a", "b", "c"])
            #expect(try await find("self contains %@ AND self contains %@", "creme", "caramel") == ["b"])
            #expect(try await find("allTokens TOKENMATCHES[cdl] %@", "caramel bread") == ["c"])
            #expect(try await find("title TOKENMATCHES[cdl] %@", "caramel") == ["b"])
        }
    }
}
