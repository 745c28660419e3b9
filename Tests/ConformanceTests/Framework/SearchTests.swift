import CloudKit
import CloudTestSupport
import CoreLocation
import Foundation
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
            #expect(try await find("ALL tokenize(%@, 'Cdl') IN allTokens", "CARAMEL bread") == ["c"])
            #expect(try await find("ANY tokenize(%@, 'Cdl') IN allTokens", "bread brulee") == ["a", "c"])
            #expect(try await find("allTokens TOKENMATCHES tokenize:using:(%@, 'cdl')", "creme brulee") == ["a"])
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `by place finds what is within so many metres, and orders by the distance`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let here = CLLocation(latitude: 52.52, longitude: 13.405)
            // A degree of latitude is 111.2 km.
            let records = [("far", 0.5), ("near", 0.001), ("middle", 0.02)].map { name, north in
                let record = note(name)
                record["place"] = CLLocation(latitude: 52.52 + north, longitude: 13.405)
                return record
            }
            let saved = try await phone.modifyRecords(saving: records + [note("nowhere")], deleting: [])
            #expect(saved.saveResults.failures().isEmpty)
            func names(_ predicate: NSPredicate) async throws -> [String] {
                let query = CKQuery(recordType: "Note", predicate: predicate)
                query.sortDescriptors = [CKLocationSortDescriptor(key: "place", relativeLocation: here)]
                return try await phone.records(matching: query, inZoneWith: notes).matchResults.map(\.0.recordName)
            }
            let within = "distanceToLocation:fromLocation:(%K, %@) < %f"
            #expect(try await names(NSPredicate(value: true)) == ["near", "middle", "far", "nowhere"])
            #expect(try await names(NSPredicate(format: within, "place", here, 5_000.0)) == ["near", "middle"])
            #expect(try await names(NSPredicate(format: within, "place", here, 112.0)) == ["near"])
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `by words, as a subscription keeps it, means the same again`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let predicate = NSPredicate(format: "ANY tokenize(%@, 'Cdl') IN title", "bread milk")
            try await phone.save(
                CKQuerySubscription(
                    recordType: "Note", predicate: predicate, subscriptionID: "s", options: .firesOnRecordCreation))
            let kept = try #require(try await phone.subscription(for: "s") as? CKQuerySubscription)
            try await phone.save(note("n", title: "rye bread"))
            let found = try await phone.records(
                matching: CKQuery(recordType: "Note", predicate: kept.predicate), inZoneWith: notes)
            #expect(found.matchResults.map(\.0.recordName) == ["n"])
        }
    }
}
