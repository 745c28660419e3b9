import CloudKit
import CloudTestSupport
import CoreLocation
import Foundation
import Testing

/// What is read by the initialisers that cannot fail from an archive that holds something else.
@Suite struct `An object read from a foreign archive` {
    /// A coder that returns no errors, of an archive that holds a text.
    private func coder() throws -> NSKeyedUnarchiver {
        let data = try NSKeyedArchiver.archivedData(withRootObject: "x" as NSString, requiringSecureCoding: true)
        return try NSKeyedUnarchiver(forReadingFrom: data)
    }

    @Test(arguments: CloudSetUp.available)
    func `is refused wherever it is used`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            try await phone.save(note("a", title: "one"))

            let query = try CKQuery(coder: coder())
            let found = await #expect(throws: CKError.self) { try await phone.records(matching: query) }
            #expect(found?.code == .invalidArguments, "\(found as Any)")

            let near = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            near.sortDescriptors = [try CKLocationSortDescriptor(coder: coder())]
            let sorted = await #expect(throws: CKError.self) {
                try await phone.records(matching: near, inZoneWith: notes)
            }
            #expect(sorted?.code == .invalidArguments, "\(sorted as Any)")

            let subscriptions = try [
                CKQuerySubscription(coder: coder()), CKRecordZoneSubscription(coder: coder()),
                CKDatabaseSubscription(coder: coder()),
            ]
            for subscription in subscriptions {
                let error = await #expect(throws: CKError.self) { try await phone.save(subscription) }
                #expect(error?.code == .invalidArguments, "\(error as Any)")
            }

            let share = try CKShare(coder: coder())
            let saved = await #expect(throws: CKError.self) { try await phone.save(share) }
            #expect(saved?.code == .invalidArguments, "\(saved as Any)")
        }
    }
}
