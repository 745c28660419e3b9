import CloudKit
import CloudTestSupport
import CoreLocation
import Testing

private let quick = CloudSetUp.ways[0]
private func all() -> CKQuery { CKQuery(recordType: "Note", predicate: NSPredicate(value: true)) }

@Suite struct `The reach of a query` {
    @Test(arguments: CloudSetUp.ways)
    func `without a zone is every zone, in the shared database none`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let database = container.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            try await database.save(note("a", title: "in a zone"))
            try await database.save(note("b", title: "in the default zone", in: .default))
            try await container.publicCloudDatabase.save(note("c", title: "public", in: .default))
            let found = titles(try await database.records(matching: all()).matchResults)
            #expect(found.sorted() == ["in a zone", "in the default zone"])
            #expect(
                titles(try await database.records(matching: all(), inZoneWith: notes).matchResults) == ["in a zone"])
            #expect(titles(try await container.publicCloudDatabase.records(matching: all()).matchResults) == ["public"])
            let error = await #expect(throws: CKError.self) {
                try await container.sharedCloudDatabase.records(matching: all())
            }
            #expect(error?.code == .invalidArguments)
        }
    }

    @Test func `is not the users' records, nor a type without a name`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            for type in [CKRecordTypeUserRecord, ""] {
                let query = CKQuery(recordType: type, predicate: NSPredicate(value: true))
                let error = await #expect(throws: CKError.self) { try await database.records(matching: query) }
                #expect(error?.code == .invalidArguments || error?.code == .permissionFailure, "\(error as Any)")
            }
        }
    }
}

@Suite struct `A cursor` {
    @Test func `carries its query, order and zone, but neither keys nor limit`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            let records = (0..<6).map { number in
                let record = note("n\(number)", title: "t\(number)")
                record["color"] = "red"
                return record
            }
            _ = try await database.modifyRecords(saving: records, deleting: [])
            let query = all()
            query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
            let first = try await database.records(
                matching: query, inZoneWith: notes, desiredKeys: ["title"], resultsLimit: 2)
            #expect(titles(first.matchResults) == ["t5", "t4"])
            let cursor = try #require(first.queryCursor)

            let rest = CKQueryOperation(cursor: cursor)
            rest.query = CKQuery(recordType: "Other", predicate: NSPredicate(value: false))
            rest.zoneID = .default
            // Written on the operation's serial queue only, and read when it has called its last block.
            nonisolated(unsafe) var found: [CKRecord] = []
            nonisolated(unsafe) var end: CKQueryOperation.Cursor??
            rest.recordMatchedBlock = { if case .success(let record) = $1 { found.append(record) } }
            rest.queryResultBlock = { end = try? $0.get() }
            await database.run(rest)
            #expect(found.map { $0["title"] as? String } == ["t3", "t2", "t1", "t0"])
            #expect(found.allSatisfy { $0.allKeys().sorted() == ["color", "title"] })
            #expect(end == .some(nil), "only the cursor tells the end")

            let more = try await database.records(continuingMatchFrom: cursor, desiredKeys: [], resultsLimit: 1)
            #expect(more.matchResults.count == 1 && more.queryCursor != nil)
            #expect(try more.matchResults[0].1.get().allKeys() == [])
        }
    }

    @Test func `goes on in the changed database, since it is no snapshot`() async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            _ = try await database.modifyRecords(
                saving: ["b", "d", "f"].map { note($0, title: $0) }, deleting: [])
            let query = all()
            query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            let first = try await database.records(matching: query, inZoneWith: notes, resultsLimit: 1)
            _ = try await database.modifyRecords(saving: [note("e", title: "e")], deleting: [noteID("d")])
            let rest = try await database.records(continuingMatchFrom: try #require(first.queryCursor))
            #expect(titles(rest.matchResults) == ["e", "f"])
        }
    }
}

@Suite struct `A predicate in a query` {
    /// What the records of ``records()`` answer.
    static let examples: [(String, [String])] = [
        ("title = 'Soup'", ["soup"]), ("title != 'Soup'", ["bread", "wine"]), ("title = 'soup'", []),
        ("n < 2", ["soup"]), ("n <= 2", ["bread", "soup"]), ("n > 2", ["wine"]), ("n >= 2", ["bread", "wine"]),
        ("n BETWEEN {2, 3}", ["bread", "wine"]), ("NOT (n = 2)", ["soup", "wine"]),
        ("TRUEPREDICATE", ["bread", "soup", "wine"]),
        ("FALSEPREDICATE", []), ("n = 1 AND title = 'Soup'", ["soup"]), ("n = 1 && title = 'Bread'", []),
        ("title BEGINSWITH 'So'", ["soup"]), ("title BEGINSWITH 'so'", []), ("ANY tags BEGINSWITH 're'", ["wine"]),
        ("title IN {'Soup', 'Wine'}", ["soup", "wine"]), ("'hot' IN tags", ["soup"]), ("tags CONTAINS 'hot'", ["soup"]),
        ("ANY {'Soup', 'Cake'} = title", ["soup"]), ("self CONTAINS 'red bread'", ["bread", "wine"]),
        ("self CONTAINS 'red' AND self CONTAINS 'Wine'", ["wine"]), ("self CONTAINS 'RED'", ["wine"]),
        ("isNew = YES", ["bread"]), ("title CONTAINS 'Sou'", []),
    ]

    private func records() -> [CKRecord] {
        let all: [(String, String, Int, [String], Bool)] = [
            ("soup", "Soup", 1, ["hot"], false), ("bread", "Bread", 2, ["dark"], true),
            ("wine", "Wine", 3, ["red"], false),
        ]
        return all.map { name, title, number, tags, isNew in
            let record = note(name, title: title)
            record["n"] = number
            record["tags"] = tags
            record["isNew"] = isNew
            return record
        }
    }

    @Test(arguments: CloudSetUp.ways) func `finds what it says`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            _ = try await database.modifyRecords(saving: records(), deleting: [])
            for (format, expected) in Self.examples {
                let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: format))
                do {
                    let found = try await database.records(matching: query, inZoneWith: notes).matchResults
                    #expect(found.map(\.0.recordName).sorted() == expected, "\(format)")
                } catch let error as CKError {
                    // What is no list has no members; it is refused by name.
                    #expect(error.code == .invalidArguments && expected.isEmpty, "\(format): \(error)")
                }
            }
        }
    }

    @Test(arguments: [
        "title ENDSWITH 'p'", "title LIKE 'S*'", "title MATCHES '.*'", "ALL tags = 'a'", "n = 1 OR n = 2",
        "NOT (n = 1 AND n = 2)", "NOT (n BETWEEN {1, 2})", "NOT (self CONTAINS 'x')", "author.name = 'a'",
    ])
    func `that CloudKit does not support is invalidArguments when it runs`(_ format: String) async throws {
        try await quick.withPhones { phones in
            let database = try await phones.databaseWithNotes()
            _ = try await database.modifyRecords(saving: records(), deleting: [])
            let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: format))
            let error = await #expect(throws: CKError.self) { try await database.records(matching: query) }
            #expect(error?.code == .invalidArguments)
        }
    }

    @Test func `may look at system fields and reference by ID, record or reference`() async throws {
        try await quick.withPhones { phones in
            let container = Phones.container(on: try await phones.device())
            let database = container.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: notes))
            let owner = try await database.save(note("owner", title: "owner"))
            let child = note("child", title: "child")
            child["owner"] = CKRecord.Reference(record: owner, action: .none)
            child.setParent(owner)
            try await database.save(child)
            let me = try await container.userRecordID()
            let created = try #require(child.creationDate)
            let predicates: [(NSPredicate, [String])] = [
                (NSPredicate(format: "owner = %@", CKRecord.Reference(record: owner, action: .none)), ["child"]),
                (NSPredicate(format: "parent = %@", CKRecord.Reference(record: owner, action: .none)), ["child"]),
                (NSPredicate(format: "recordID = %@", CKRecord.Reference(record: owner, action: .none)), ["owner"]),
                (NSPredicate(format: "creationDate >= %@", created as NSDate), ["child"]),
                (NSPredicate(format: "modificationDate < %@", created as NSDate), ["owner"]),
                (
                    NSPredicate(format: "creatorUserRecordID = %@", CKRecord.Reference(recordID: me, action: .none)),
                    ["child", "owner"]
                ),
            ]
            for (predicate, expected) in predicates {
                let query = CKQuery(recordType: "Note", predicate: predicate)
                let found = try await database.records(matching: query, inZoneWith: notes).matchResults
                #expect(titles(found).sorted() == expected, "\(predicate)")
            }
        }
    }
}
