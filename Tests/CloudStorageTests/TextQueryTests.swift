import CloudCore
import Testing

@testable import CloudStorage

@Suite struct TextQueryTests {
    let cloud: RecordFixture

    init() throws { cloud = try RecordFixture() }

    private func filter(_ comparator: Comparator, _ text: String, in field: QueryField = .user("title")) -> QueryFilter
    {
        QueryFilter(field: field, comparator: comparator, value: .string(text))
    }

    private func names(_ filters: QueryFilter..., sorts: [QuerySort] = [], zone: ZoneID? = nil, limit: Int = 200)
        async throws -> [String]
    {
        try await cloud.query(
            RecordQuery(recordType: "Note", filters: filters, sorts: sorts), zone: zone ?? cloud.zone(), limit: limit
        ).map(\.id.name)
    }

    private func save(_ name: String, _ fields: [String: FieldValue?]) async throws {
        try await cloud.modify(cloud.operation(.create, name, fields))
        cloud.advance(1)
    }

    @Test func `words are runs of letters and digits, without case and accents`() {
        let cases: [(String, Set<String>)] = [
            ("Hello, World!", ["hello", "world"]), ("", []), (" \t–—!?…😀🇩🇪", []), ("can't stop", ["can", "t", "stop"]),
            ("snake_case v2.0 x", ["snake", "case", "v2", "0", "x"]),
            ("Crème brûlée CRE\u{0300}ME", ["creme", "brulee"]), ("Straße STRASSE strasse", ["strasse"]),
            ("ΟΔΟΣ οδος οδός", ["οδοσ"]), ("İstanbul istanbul", ["istanbul"]), ("Ærø", ["ærø"]),
            ("Привет ПРИВЕТ", ["привет"]), ("\u{FB03}", ["ffi"]),
            // Scripts without spaces are cut into characters, marks stay on them.
            ("東京タワー", ["東", "京", "タ", "ワ", "ー"]), ("がか", ["か\u{3099}", "か"]), ("東京tower1", ["東", "京", "tower1"]),
            ("한국어 검색", ["한국어".decomposed, "검색".decomposed]), ("हिन्दी", ["हिन्दी"]), ("שלום", ["שלום"]),
            (String(repeating: "a", count: 65) + " b", [String(repeating: "a", count: 64), "b"]),
            (String(repeating: "ж", count: 33), [String(repeating: "ж", count: 32)]),
        ]
        for (text, words) in cases {
            #expect(
                Set(TextTokens.of(text).map { Array($0.unicodeScalars) })
                    == Set(words.map { Array($0.unicodeScalars) }), "\(text)")
        }
    }

    @Test func `any word or all words of a field are found, whatever their case, accents and order`() async throws {
        try await save("a", ["title": .string("Crème Brûlée with berries")])
        try await save("b", ["title": .string("Berries and CREAM")])
        try await save("c", ["title": .string("Bread"), "note": .string("berries")])
        try await save("d", ["n": .int64(1)])
        #expect(try await names(filter(.containsAnyTokens, "BERRIES bread")) == ["a", "b", "c"])
        #expect(try await names(filter(.containsAnyTokens, "creme")) == ["a"])
        #expect(try await names(filter(.containsAllTokens, "berries, brulee")) == ["a"])
        #expect(try await names(filter(.containsAllTokens, "berries cream")) == ["b"])
        #expect(try await names(filter(.containsAllTokens, "berries nothing")) == [])
        #expect(try await names(filter(.containsAnyTokens, "berr")) == [])
        let newest = [QuerySort(field: .system(.createdTimestamp), ascending: false)]
        #expect(try await names(filter(.containsAnyTokens, "berries"), sorts: newest, limit: 1) == ["b", "a"])
        let byTitle = [QuerySort(field: .user("title"))]
        #expect(try await names(filter(.containsAnyTokens, "berries"), sorts: byTitle, limit: 1) == ["b", "a"])
        #expect(
            try await names(filter(.containsAnyTokens, "berries"), filter(.containsAnyTokens, "cream creme")) == [
                "a", "b",
            ])
    }

    @Test func `without a field all text of a record is searched, lists too`() async throws {
        try await save(
            "a", ["title": .string("red"), "tags": .list(.string, [.string("Green apples"), .string("blue")])])
        try await save("b", ["title": .string("green"), "note": .string("red")])
        #expect(try await names(filter(.containsAllTokens, "red green", in: .text)) == ["a", "b"])
        #expect(try await names(filter(.containsAllTokens, "red blue", in: .text)) == ["a"])
        #expect(try await names(filter(.containsAnyTokens, "apples", in: .text)) == ["a"])
        #expect(try await names(filter(.containsAllTokens, "apples blue", in: .user("tags"))) == ["a"])
        #expect(try await names(filter(.containsAnyTokens, "red", in: .user("tags"))) == [])
    }

    @Test func `a text that changes or goes is found by the words it has`() async throws {
        try await save("a", ["title": .string("one two")])
        try await cloud.modify(cloud.operation(.forceUpdate, "a", ["title": .string("two three")]))
        #expect(try await names(filter(.containsAnyTokens, "one")) == [])
        #expect(try await names(filter(.containsAllTokens, "two three")) == ["a"])
        try await cloud.modify(cloud.operation(.forceUpdate, "a", ["title": nil]))
        #expect(try await names(filter(.containsAnyTokens, "two three")) == [])
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    @Test func `a refusal names the field and what is wrong with it or the words`() async throws {
        try await save("a", ["title": .string("x"), "n": .int64(1)])
        func refusal(_ filter: QueryFilter) async -> CloudError? {
            await #expect(throws: CloudError.self) { _ = try await names(filter) }
        }
        #expect(await refusal(filter(.containsAnyTokens, "x", in: .user("n")))?.reason.contains("INT64") == true)
        #expect(await refusal(filter(.containsAnyTokens, "x", in: .user("m")))?.reason.contains("'m'") == true)
        #expect(await refusal(filter(.containsAnyTokens, "?! "))?.reason.contains("no word") == true)
        let number = QueryFilter(field: .user("title"), comparator: .containsAllTokens, value: .int64(1))
        #expect(await refusal(number)?.reason.contains("INT64") == true)
        let name = filter(.containsAnyTokens, "x", in: .system(.recordName))
        #expect(await refusal(name)?.reason.contains("recordName") == true)
        #expect(try await names(filter(.containsAnyTokens, (0..<250).map { "w\($0)" }.joined(separator: " "))) == [])
        let many = await refusal(filter(.containsAnyTokens, (0..<251).map { "w\($0)" }.joined(separator: " ")))
        #expect(many?.reason.contains("251 words") == true && many?.nativeCode == 27)
    }

    @Test func `the first thousand words of a value and ten thousand of a record can be found, no more`() async throws {
        func text(_ prefix: String, _ count: Int) -> FieldValue {
            .string((0..<count).map { "\(prefix)\($0)" }.joined(separator: " "))
        }
        try await save("a", ["title": text("w", 1001)])
        #expect(try await names(filter(.containsAllTokens, "w0 w999")) == ["a"])
        #expect(try await names(filter(.containsAnyTokens, "w1000")) == [])
        var fields: [String: FieldValue?] = [:]
        for number in 0...10 { fields["f\(10 + number)"] = text("x\(number)y", number == 0 ? 999 : 1000) }
        try await save("b", fields)
        #expect(try await names(filter(.containsAllTokens, "x0y0 x9y999 x10y0", in: .text)) == ["b"])
        #expect(try await names(filter(.containsAnyTokens, "x10y1", in: .text)) == [])
        #expect(try await names(filter(.containsAnyTokens, "x10y1", in: .user("f20"))) == [])
        #expect(try await cloud.store.read { try $0.verify() } == [])
    }

    @Test(arguments: UInt64(1)...6)
    func `random texts: the index finds what a look at all records does, and pages join`(seed: UInt64) async throws {
        var random = SeededGenerator(state: seed)
        var limits = CloudLimits()
        limits.rowsPerQuery = Int.random(in: 1...30, using: &random)
        let tight = try RecordFixture(limits: limits)
        let zones = [cloud.zone(), cloud.zone("A")]
        for cloud in [cloud, tight] { try await cloud.makeZone("A") }
        let words = ["red", "Green", "blue", "Été", "ete", "x1", "東", "京"]
        func text() -> String {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: [" ", ", ", "-"].randomElement(using: &random) ?? " ")
        }
        for step in 0..<220 {
            let zone = zones.randomElement(using: &random) ?? zones[0]
            let (title, tag) = (text(), text())
            let name = "n\(step % 170)"
            let fields: [String: FieldValue?] = [
                "title": step == 0 || step % 4 > 0 ? .string(title) : nil,
                "tags": step % 3 == 0 ? .list(.string, [.string(tag), .string("end")]) : nil,
            ]
            let operation =
                step % 9 == 8
                ? cloud.operation(.forceDelete, name, zone: zone)
                : cloud.operation(.forceReplace, name, fields, zone: zone)
            for cloud in [cloud, tight] {
                try await cloud.modify(operation)
                if step % 3 == 0 { cloud.advance(1) }
            }
        }
        #expect(try await cloud.store.read { try $0.verify() } == [])
        let everything = try await cloud.query(RecordQuery(recordType: "Note"), zone: nil)
        for _ in 0..<20 {
            let field = [QueryField.text, .user("title"), .user("tags")].randomElement(using: &random) ?? .text
            let wanted = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                words.randomElement(using: &random) ?? "red"
            }
            let isAll = Bool.random(using: &random)
            let filter = filter(
                isAll ? .containsAllTokens : .containsAnyTokens, wanted.joined(separator: " "), in: field)
            let sorts =
                [
                    [], [QuerySort(field: .system(.createdTimestamp), ascending: false)],
                    [QuerySort(field: .user("title"))],
                ].randomElement(using: &random) ?? []
            let query = RecordQuery(recordType: "Note", filters: [filter], sorts: sorts)
            let zone = Bool.random(using: &random) ? zones.randomElement(using: &random) : nil
            let context = "seed \(seed), \(limits.rowsPerQuery) rows, \(query)"
            let found = try await cloud.query(query, zone: zone, limit: Int.random(in: 1...20, using: &random))
            #expect(try await found == cloud.query(query, zone: zone), "\(context)")
            #expect(try await found == tight.query(query, zone: zone, limit: 7), "\(context)")
            let expected = everything.filter { record in
                guard zone == nil || record.id.zone == zone else { return false }
                let has = plainWords(record, field)
                let sought = wanted.map(plain)
                return isAll ? sought.allSatisfy(has.contains) : sought.contains(where: has.contains)
            }
            #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(context)")
            #expect(found.count == expected.count, "\(context)")
        }
    }

    private func plain(_ word: String) -> String { word == "Été" ? "ete" : word.lowercased() }

    private func plainWords(_ record: Record, _ field: QueryField) -> Set<String> {
        var texts: [String] = []
        if field != .user("tags"), case .string(let title)? = record.fields["title"] { texts.append(title) }
        if field != .user("title"), case .list(_, let tags)? = record.fields["tags"] {
            texts += tags.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
        }
        return Set(texts.flatMap { $0.split { " ,-".contains($0) } }.map { plain(String($0)) })
            .union(texts.flatMap { $0.filter { "東京".contains($0) }.map(String.init) })
    }
}

extension String {
    /// Hangul as the index has it: each letter by itself.
    fileprivate var decomposed: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
                    let code = Int(scalar.value) - 0xAC00
                    let parts =
                        [0x1100 + code / 588, 0x1161 + code % 588 / 28] + (code % 28 > 0 ? [0x11A7 + code % 28] : [])
                    return parts.compactMap { Unicode.Scalar($0) }
                }))
    }
}
