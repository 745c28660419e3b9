import CloudKit
import CloudTestSupport
import Foundation
import Testing

private let quick = CloudSetUp.ways[0]

@Suite struct `A saved record` {
    @Test(arguments: CloudSetUp.ways)
    func `has a tag, new with each save, and its stamps`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let record = try await database.save(note("n", title: "one"))
            let first = try #require(record.recordChangeTag)
            #expect(record.creationDate != nil && record.modificationDate == record.creationDate)
            #expect(record.creatorUserRecordID != nil && record.lastModifiedUserRecordID != nil)
            #expect(record.changedKeys().isEmpty)
            record["title"] = "two"
            let again = try await database.save(record)
            #expect(again.recordChangeTag != first && again.changedKeys().isEmpty)
            let (created, modified) = (try #require(again.creationDate), try #require(again.modificationDate))
            #expect(created < modified)
        }
    }

    @Test func `rebuilt from its system fields changes only the keys that are set`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let record = note("n", title: "kept")
            record["color"] = "red"
            try await database.save(record)
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            record.encodeSystemFields(with: archiver)
            let coder = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
            coder.requiresSecureCoding = true
            let rebuilt = try #require(CKRecord(coder: coder))
            #expect(rebuilt.allKeys().isEmpty && rebuilt.changedKeys().isEmpty)
            rebuilt["color"] = "blue"
            try await database.save(rebuilt)
            let found = try await database.record(for: record.recordID)
            #expect(found["title"] as? String == "kept" && found["color"] as? String == "blue")

            // It began with no values that the conflict could show.
            try await phones.database().save(found.changing("color", to: "green"))
            rebuilt["color"] = "grey"
            let error = await #expect(throws: CKError.self) { try await database.save(rebuilt) }
            #expect(error?.ancestorRecord?.recordChangeTag == rebuilt.recordChangeTag)
        }
    }

    @Test(arguments: ["_mine", "1st", "with space", "über", String(repeating: "k", count: 256), ""])
    func `takes no key but of ASCII letters, digits and underscores, a letter first, 255 at most`(_ key: String)
        async throws
    {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let record = note("n", title: "x")
            record[key] = 1
            #expect(try await database.result(of: record)?.code == .invalidArguments)
            let longest = note("m", title: "x")
            longest[String(repeating: "k", count: 255)] = 1
            longest["a_1"] = 2
            try await database.save(longest)
        }
    }

    @Test(arguments: ["", "1st", "with space", "_Note"])
    func `has a type of ASCII letters, digits and underscores, a letter first`(_ type: String) async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            #expect(
                try await database.result(of: CKRecord(recordType: type, recordID: noteID("n")))?.code
                    == .invalidArguments)
        }
    }

    @Test func `of a field of another type than it has is refused`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            try await database.save(note("n", title: "text"))
            let other = note("m")
            other["title"] = 5
            let error = try await database.result(of: other)?.ckError
            #expect(error?.code == .invalidArguments)
            #expect(error?.localizedDescription.contains("title") == true)
        }
    }

    @Test func `may have a name that the other databases and zones have too`() async throws {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            try await container.privateCloudDatabase.save(CKRecordZone(zoneID: notes))
            try await container.privateCloudDatabase.save(note("n", title: "zone"))
            try await container.privateCloudDatabase.save(note("n", title: "private", in: .default))
            try await container.publicCloudDatabase.save(note("n", title: "public", in: .default))
            let id = noteID("n", in: .default)
            #expect(try await container.privateCloudDatabase.record(for: id)["title"] as? String == "private")
            #expect(try await container.publicCloudDatabase.record(for: id)["title"] as? String == "public")
        }
    }
}

extension CKRecord {
    fileprivate func changing(_ key: String, to value: String) -> CKRecord {
        self[key] = value
        return self
    }
}

@Suite struct `A parent or an owner` {
    @Test func `is in the record's zone`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            try await database.save(note("there", in: .default))
            let elsewhere = CKRecord.ID(recordName: "there", zoneID: .default)
            let child = note("child")
            child.setParent(elsewhere)
            #expect(try await database.result(of: child)?.code == .invalidArguments)
            let owned = note("owned")
            owned["owner"] = CKRecord.Reference(recordID: elsewhere, action: .deleteSelf)
            #expect(try await database.result(of: owned)?.isSuccess == false)
        }
    }

    @Test func `is no parent with an action, and none after setParent(nil) is saved`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            try await database.save(note("parent"))
            let child = note("child")
            child.parent = CKRecord.Reference(recordID: noteID("parent"), action: .deleteSelf)
            #expect(try await database.result(of: child)?.code == .invalidArguments)
            child.setParent(noteID("parent"))
            try await database.save(child)
            #expect(try await database.record(for: noteID("child")).parent?.recordID == noteID("parent"))
            child.setParent(nil as CKRecord.ID?)
            try await database.save(child)
            #expect(try await database.record(for: noteID("child")).parent == nil)
            try await database.deleteRecord(withID: noteID("parent"))
        }
    }

    @Test func `that is missing is a referenceViolation, and a parent with children stays`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let child = note("child")
            child.setParent(noteID("parent"))
            #expect(try await database.result(of: child)?.code == .referenceViolation)
            let both = try await database.modifyRecords(saving: [child, note("parent")], deleting: [])
            #expect(both.saveResults.failures().isEmpty)
            let error = await #expect(throws: CKError.self) {
                try await database.deleteRecord(withID: noteID("parent"))
            }
            #expect(error?.code == .referenceViolation)
            let gone = try await database.modifyRecords(saving: [], deleting: [noteID("parent"), noteID("child")])
            #expect(gone.deleteResults.failures().isEmpty)
        }
    }

    @Test func `takes along what it owns, through cycles and of two owners either, and tells no one of it`()
        async throws
    {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let (a, b, c, free) = (note("a"), note("b"), note("c"), note("free"))
            a["owner"] = CKRecord.Reference(record: c, action: .deleteSelf)
            b["owner"] = CKRecord.Reference(record: a, action: .deleteSelf)
            c["owner"] = CKRecord.Reference(record: b, action: .deleteSelf)
            let shared = note("shared")
            shared["first"] = CKRecord.Reference(record: a, action: .deleteSelf)
            shared["second"] = CKRecord.Reference(record: free, action: .deleteSelf)
            let plain = note("plain")
            plain["target"] = CKRecord.Reference(record: a, action: .none)
            _ = try await database.modifyRecords(saving: [a, b, c, free, shared, plain], deleting: [])
            let gone = try await database.modifyRecords(saving: [], deleting: [noteID("a")])
            #expect(Array(gone.deleteResults.keys) == [noteID("a")])
            let left = try await database.records(for: ["a", "b", "c", "free", "shared", "plain"].map { noteID($0) })
            #expect(Set(left.failures().keys) == Set(["a", "b", "c", "shared"].map { noteID($0) }))
            let dangling = try left[noteID("plain")]?.get()["target"] as? CKRecord.Reference
            #expect(dangling?.recordID == noteID("a"))
        }
    }

    @Test func `is found in a query whatever the action of the reference`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let owner = try await database.save(note("owner"))
            let owned = note("owned", title: "owned")
            owned["owner"] = CKRecord.Reference(record: owner, action: .deleteSelf)
            try await database.save(owned)
            let reference = CKRecord.Reference(record: owner, action: .none)
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "owner == %@", reference))
            #expect(titles(try await database.records(matching: query, inZoneWith: notes).matchResults) == ["owned"])
        }
    }
}
