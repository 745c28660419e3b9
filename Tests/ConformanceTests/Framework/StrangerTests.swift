import CloudKit
import CloudTestSupport
import Testing

@Suite struct `Another account's zone` {
    @Test(arguments: CloudSetUp.available)
    func `is not found by any call of an app, and nothing in it changes`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let device = try await phones.device()
            let mine = Phones.container(on: device).privateCloudDatabase
            try await mine.save(CKRecordZone(zoneID: notes))
            try await mine.save(note("secret", title: "one"))
            let start = try await mine.follow(since: nil)
            let owner = try await Phones.container(on: device).userRecordID().recordName

            let stranger = try await phones.device("bob@example.com")
            for scope in [CKDatabase.Scope.private, .shared] {
                let database = Phones.container(on: stranger).database(with: scope)
                for zone in ["Notes", "Nowhere"].map({ CKRecordZone.ID(zoneName: $0, ownerName: owner) }) {
                    let id = noteID("secret", in: zone)
                    #expect(try await database.records(for: [id])[id]?.code == .zoneNotFound)
                    #expect(
                        try await database.result(of: note("secret", title: "two", in: zone))?.code == .zoneNotFound)
                    #expect(
                        try await database.result(of: note("secret", title: "two", in: zone), .allKeys)?.code
                            == .zoneNotFound)
                    let deleted = try await database.modifyRecords(saving: [], deleting: [id])
                    #expect(deleted.deleteResults[id]?.code == .zoneNotFound)
                    #expect(try await database.recordZones(for: [zone])[zone]?.code == .zoneNotFound)
                    let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
                    await expectNotFound { _ = try await database.records(matching: query, inZoneWith: zone) }
                    await expectNotFound { _ = try await database.follow(zone, since: nil) }
                    await expectNotFound { _ = try await database.follow(zone, since: start.token) }
                    await expectNotFound { _ = try await database.recordZoneChanges(inZoneWith: zone, since: nil) }
                    if scope == .private {
                        let zones = try await database.modifyRecordZones(
                            saving: [CKRecordZone(zoneID: zone)], deleting: [])
                        #expect(zones.saveResults[zone]?.code == .zoneNotFound)
                        let gone = try await database.modifyRecordZones(saving: [], deleting: [zone])
                        #expect(gone.deleteResults[zone]?.code == .zoneNotFound)
                        await expectNotFound {
                            _ = try await database.save(CKRecordZoneSubscription(zoneID: zone, subscriptionID: "s"))
                        }
                    }
                }
                #expect(try await database.allSubscriptions().isEmpty)
            }
            #expect(try await mine.record(for: noteID("secret"))["title"] as? String == "one")
            let after = try await mine.follow(since: start.token)
            #expect(after.changed == [] && after.deleted == [])
        }
    }

    private func expectNotFound(_ body: () async throws -> Void, at location: SourceLocation = #_sourceLocation) async {
        let error = await #expect(throws: CKError.self, sourceLocation: location) { try await body() }
        #expect(error?.code == .zoneNotFound, sourceLocation: location)
    }
}
