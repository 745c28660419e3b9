import CloudKit
import CloudTestSupport
import Testing

@Suite struct `A reference` {
    @Test(arguments: CloudSetUp.available)
    func `that owns needs its target on the server or in the same request, in any order`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            func family(_ name: String) -> (child: CKRecord, parent: CKRecord) {
                let parent = note("parent \(name)", title: "p")
                let child = note("child \(name)", title: "c")
                if name == "owner" {
                    child["owner"] = CKRecord.Reference(record: parent, action: .deleteSelf)
                } else {
                    child.setParent(parent)
                }
                return (child, parent)
            }
            for name in ["owner", "parent"] {
                let (child, parent) = family(name)
                let alone = try #require(try await phone.result(of: child)?.ckError)
                #expect(alone.code == .referenceViolation)
                #expect(alone.localizedDescription.contains(parent.recordID.recordName))
                let together = try await phone.modifyRecords(saving: [child, parent], deleting: [])
                #expect(together.saveResults.failures().isEmpty)
            }
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `that owns nothing is not checked, even round in a circle of types`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let circle = ["Author", "Book", "Shelf"].map { type in
                CKRecord(recordType: type, recordID: noteID(type))
            }
            for (index, record) in circle.enumerated() {
                record["next"] = CKRecord.Reference(record: circle[(index + 1) % 3], action: .none)
            }
            for record in circle { try await phone.save(record) }
            let lone = note("lone")
            lone["gone"] = CKRecord.Reference(recordID: noteID("never was"), action: .none)
            try await phone.save(lone)
            let target = try await phone.record(for: lone.recordID)["gone"] as? CKRecord.Reference
            #expect(target?.recordID == noteID("never was"))
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `takes its record with its owner, which the feed tells`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let owner = note("owner")
            let owned = note("owned")
            owned["owner"] = CKRecord.Reference(record: owner, action: .deleteSelf)
            let deep = note("deep")
            deep["owner"] = CKRecord.Reference(record: owned, action: .deleteSelf)
            _ = try await phone.modifyRecords(saving: [deep, owned, owner], deleting: [])
            let start = try await phone.follow(since: nil)
            try await phone.deleteRecord(withID: owner.recordID)
            #expect(Set(try await phone.follow(since: start.token).deleted) == ["owner", "owned", "deep"])
        }
    }
}
