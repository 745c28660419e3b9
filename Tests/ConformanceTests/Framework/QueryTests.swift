import CloudKit
import CloudTestSupport
import Testing

@Suite struct `A query` {
    private let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))

    /// Everything a query finds, page by page, and how many pages it took.
    private func walk(
        _ query: CKQuery, in database: CKDatabase, limit: Int = CKQueryOperation.maximumResults,
        between: (Int) async throws -> Void = { _ in }
    ) async throws -> (names: [String], largest: Int, pages: Int) {
        var page = try await database.records(matching: query, inZoneWith: notes, resultsLimit: limit)
        var names = page.matchResults.map(\.0.recordName)
        var (largest, pages) = (page.matchResults.count, 1)
        while let cursor = page.queryCursor {
            try await between(pages)
            page = try await database.records(continuingMatchFrom: cursor, resultsLimit: limit)
            names += page.matchResults.map(\.0.recordName)
            largest = max(largest, page.matchResults.count)
            pages += 1
        }
        return (names, largest, pages)
    }

    @Test(arguments: CloudSetUp.available)
    func `of a new type needs no index, and finds by a new field what was saved before the field was`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            for name in ["a", "b", "c"] { try await phone.save(note(name)) }
            #expect(try await walk(all, in: phone).names.sorted() == ["a", "b", "c"])
            let sorted = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            sorted.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
            #expect(try await walk(sorted, in: phone).names == ["c", "b", "a"])
            let late = note("d")
            late["rank"] = 1
            try await phone.save(late)
            let ranked = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            ranked.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
            #expect(Set(try await walk(ranked, in: phone).names) == ["a", "b", "c", "d"])
            let byRank = CKQuery(recordType: "Note", predicate: NSPredicate(format: "rank == 1"))
            #expect(try await walk(byRank, in: phone).names == ["d"])
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `by a field or of a type that nobody saved is refused by its name`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            try await phone.save(note("a", title: "x"))
            let unknownField = CKQuery(recordType: "Note", predicate: NSPredicate(format: "colour == 'red'"))
            let field = await #expect(throws: CKError.self) { try await phone.records(matching: unknownField) }
            #expect(field?.code == .invalidArguments && field?.localizedDescription.contains("colour") == true)
            let unknownType = CKQuery(recordType: "Letter", predicate: NSPredicate(value: true))
            let type = await #expect(throws: CKError.self) { try await phone.records(matching: unknownType) }
            #expect(type?.code == .unknownItem && type?.localizedDescription.contains("Letter") == true)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `by a list of values takes arrays and sets; no value finds nothing, and too many are refused by number`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            for name in ["a", "b", "c"] { try await phone.save(note(name, title: name)) }
            func found(_ list: Any) async throws -> [String] {
                try await walk(
                    CKQuery(recordType: "Note", predicate: NSPredicate(format: "title IN %@", list)), in: phone
                ).names.sorted()
            }
            #expect(try await found(NSArray(array: ["a", "c", "z"])) == ["a", "c"])
            #expect(try await found(NSSet(array: ["b"])) == ["b"])
            #expect(try await found(NSArray()) == [])
            #expect(try await found(NSSet()) == [])
            #expect(try await found(NSArray(array: (0..<250).map { "\($0)" })) == [])
            let many = await #expect(throws: CKError.self) {
                _ = try await found(NSArray(array: (0..<251).map { "\($0)" }))
            }
            #expect(many?.code == .limitExceeded)
            #expect(many?.localizedDescription.contains("251") == true)
            #expect(many?.localizedDescription.contains("250") == true)
            let mixed = await #expect(throws: CKError.self) { _ = try await found(NSArray(array: ["a", 1])) }
            #expect(mixed?.code == .invalidArguments && mixed?.localizedDescription.contains("title") == true)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `by a list in a request takes it typed or not, of one type only`(on setUp: CloudSetUp) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            for name in ["a", "b"] {
                _ = await user.post(
                    "private/records/modify", JSONText.create(name, fields: #""title":{"value":"\#(name)"}"#))
            }
            func ask(_ value: String) async -> TestAnswer {
                let filter = #"{"fieldName":"title","comparator":"IN","fieldValue":\#(value)}"#
                return await user.post(
                    "private/records/query", #"{"query":{"recordType":"Note","filterBy":[\#(filter)]}}"#)
            }
            let found = [
                (#"{"value":["a","z"]}"#, ["a"]), (#"{"value":["a","b"],"type":"STRING_LIST"}"#, ["a", "b"]),
                (#"{"value":[]}"#, []), (#"{"value":[],"type":"STRING_LIST"}"#, []),
            ]
            for (value, names) in found {
                let answer = await ask(value)
                #expect(answer.status == 200, "\(value): \(answer)")
                let records = try JSONText.items("records", in: answer.body)
                #expect(records.compactMap { $0["recordName"] as? String }.sorted() == names, "\(value)")
            }
            let many = (0..<251).map { "\"\($0)\"" }.joined(separator: ",")
            let refused = [
                (#"{"value":["a",1]}"#, "INT64"), (#"{"value":["a",1],"type":"STRING_LIST"}"#, "string"),
                (#"{"value":[1],"type":"INT64_LIST"}"#, "title"), (#"{"value":"a","type":"STRING"}"#, "title"),
                (#"{"value":[\#(many)]}"#, "251"),
            ]
            for (value, reason) in refused {
                let answer = await ask(value)
                #expect(answer.status == 400 && answer.isRefusal("BAD_REQUEST", naming: reason), "\(value): \(answer)")
            }
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `walks to its end within the page ceiling, tells no record twice and none that stayed is missed`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            let names = (0..<450).map { "n\($0)" }
            for batch in [names[..<400], names[400...]] {
                _ = try await phone.modifyRecords(saving: batch.map { note($0, title: "t") }, deleting: [])
            }
            for limit in [CKQueryOperation.maximumResults, 200, 1000] {
                let walked = try await walk(all, in: phone, limit: limit)
                #expect(walked.names.count == 450 && Set(walked.names) == Set(names))
                #expect(walked.largest <= 200)
            }
            let first = try await phone.records(matching: all, inZoneWith: notes, resultsLimit: 1)
            #expect(first.matchResults.count == 1 && first.queryCursor != nil)

            // Others come and go while it walks.
            let walked = try await walk(all, in: phone, limit: 50) { page in
                _ = try await tablet.modifyRecords(
                    saving: [note("new\(page)", title: "t")], deleting: [noteID("n\(page)"), noteID("n\(449 - page)")])
            }
            #expect(Set(walked.names).count == walked.names.count)
            let gone = Set((1..<walked.pages).flatMap { ["n\($0)", "n\(449 - $0)"] })
            #expect(Set(walked.names).isSuperset(of: Set(names).subtracting(gone)))
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `cursor may be used again, and a marker with another query is refused`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            _ = try await phone.modifyRecords(saving: (0..<6).map { note("n\($0)", title: "t\($0)") }, deleting: [])
            let cursor = try #require(
                try await phone.records(matching: all, inZoneWith: notes, resultsLimit: 2).queryCursor)
            let once = try await phone.records(continuingMatchFrom: cursor, resultsLimit: 2)
            let twice = try await phone.records(continuingMatchFrom: cursor, resultsLimit: 2)
            #expect(titles(once.matchResults) == titles(twice.matchResults) && once.matchResults.count == 2)

            let user = try await phones.cloud.signIn("alice@example.com")
            let page = await user.post(
                "private/records/query",
                #"{"query":{"recordType":"Note"},"zoneID":{"zoneName":"Notes"},"resultsLimit":2}"#)
            let marker = try #require(try JSONText.object(page.body)["continuationMarker"] as? String)
            let sorted = #"{"query":{"recordType":"Note","sortBy":[{"fieldName":"title"}]},"#
            let answer = await user.post(
                "private/records/query",
                sorted + #""zoneID":{"zoneName":"Notes"},"continuationMarker":\#(JSONText.quoted(marker))}"#)
            #expect(answer.status == 400 && answer.isRefusal("BAD_REQUEST", naming: "another query"), "\(answer)")
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `sees a record as soon as its save is acknowledged`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let tablet = try await phones.database()
            for number in 0..<50 {
                try await phone.save(note("n\(number)", title: "t\(number)"))
                let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "title == %@", "t\(number)"))
                async let found = tablet.records(matching: query, inZoneWith: notes).matchResults.count
                async let fetched = tablet.record(for: noteID("n\(number)"))["title"] as? String
                #expect(try await found == 1)
                #expect(try await fetched == "t\(number)")
            }
        }
    }
}
