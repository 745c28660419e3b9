import CloudKit
import CloudTestSupport
import Testing

/// Names of records and zones: the same rule in the module and in the service.
@Suite struct `A name` {
    static let accepted: [String] = [
        String(repeating: "a", count: 255), String(repeating: "é", count: 250), String(repeating: "🍞", count: 128),
        "caf\u{E9}", "cafe\u{301}", "a/b %41+? #c&d=e\"\\", "שלום \u{202E}עולם", " ", ".", "..",
    ]
    static let refused: [(name: String, reason: String)] = [
        (String(repeating: "a", count: 256), "256"), (String(repeating: "é", count: 256), "256"), ("", "empty"),
        ("_mine", "underscore"), ("a\nb", "U+A"), ("\u{0}", "U+0"), ("\u{7F}", "U+7F"),
    ]

    @Test(arguments: CloudSetUp.available)
    func `within the rule comes back byte for byte, in every place where it is told`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let records = Self.accepted.map { note($0, title: $0) }
            let saved = try await phone.modifyRecords(saving: records, deleting: [])
            #expect(saved.saveResults.failures().isEmpty)
            #expect(saved.saveResults.count == Self.accepted.count)
            for record in records {
                let found = try await phone.record(for: record.recordID)
                #expect(found.recordID == record.recordID)
                #expect((found["title"] as? String).map { Array($0.utf8) } == Array(record.recordID.recordName.utf8))
            }
            let changes = try await phone.follow(since: nil)
            #expect(changes.changed.map { Array($0.utf8) } == Self.accepted.map { Array($0.utf8) })
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            let found = try await phone.records(matching: query, inZoneWith: notes).matchResults
            #expect(Set(found.map { Array($0.0.recordName.utf8) }) == Set(Self.accepted.map { Array($0.utf8) }))
            for record in records { try await phone.deleteRecord(withID: record.recordID) }
            #expect(
                Set(try await phone.follow(since: changes.token).deleted.map { Array($0.utf8) }).count == records.count)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `outside the rule is refused with its reason, by the module and by the service`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let user = try await phones.cloud.signIn("alice@example.com")
            for (name, reason) in Self.refused {
                let error = try await phone.result(of: note(name, title: "x"))?.ckError
                #expect(error?.code == .invalidArguments)
                #expect(
                    error?.localizedDescription.contains(reason) == true, "\(name.debugDescription): \(error as Any)")
                let answer = await user.post("private/records/modify", JSONText.create(name, in: "Notes"))
                #expect(answer.isRefusal("BAD_REQUEST", naming: reason), "\(name.debugDescription): \(answer)")
                let zones = try await phone.modifyRecordZones(
                    saving: [CKRecordZone(zoneName: name)], deleting: [])
                #expect(zones.saveResults.values.first?.code == .invalidArguments, "\(name.debugDescription)")
                let zone = await user.post("private/zones/modify", JSONText.zone("create", name))
                #expect(zone.isRefusal("BAD_REQUEST", naming: reason), "\(name.debugDescription): \(zone)")
            }
            #expect(try await phone.follow(since: nil).changed == [])
            #expect(try await phone.allRecordZones().count == 2)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `of a zone may be in any script, and names that only look alike are two zones`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.database()
            let names = ["caf\u{E9}", "cafe\u{301}", "a/b %41+? #c", "\u{202E}שלום"]
            for name in names {
                let zone = CKRecordZone(zoneName: name)
                try await phone.save(zone)
                try await phone.save(note("n", title: name, in: zone.zoneID))
            }
            for name in names {
                let zone = CKRecordZone.ID(zoneName: name)
                #expect(try await phone.recordZone(for: zone).zoneID == zone)
                let found = try await phone.record(for: noteID("n", in: zone))
                #expect((found["title"] as? String)?.utf8.elementsEqual(name.utf8) == true)
            }
            #expect(try await phone.allRecordZones().count == names.count + 1)
        }
    }
}
