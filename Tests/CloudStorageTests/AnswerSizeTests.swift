import CloudCore
import CloudStorage
import Testing

/// Answers are bounded by bytes as well as by count. Records here have about 1,000 bytes, an answer 2,500.
@Suite struct AnswerSizeTests {
    let cloud: RecordFixture
    let names = (0..<7).map { "n\($0)" }

    init() async throws {
        var limits = CloudLimits()
        limits.answerBytes = 2500
        cloud = try RecordFixture(limits: limits)
        for zone in ["A", "B"] {
            try await cloud.makeZone(zone)
            try await cloud.modify(
                names.map {
                    cloud.operation(
                        .create, $0, ["text": .string(String(repeating: "x", count: 1000))], zone: cloud.zone(zone))
                }, atomic: true)
        }
    }

    @Test func `pages of a feed end with the record that fills the answer, and join to the whole`() async throws {
        for reverse in [false, true] {
            var sizes: [Int] = []
            var seen: [String] = []
            var token: String?
            var more = true
            while more {
                let page = try await cloud.store.read { [cloud, token] in
                    try $0.zoneChanges(
                        cloud.zone("A"), in: cloud.database(), since: token, limit: 200, reverse: reverse)
                }
                sizes.append(page.changes.count)
                for case .record(let record) in page.changes { seen.append(record.id.name) }
                (token, more) = (page.syncToken, page.moreComing)
            }
            #expect(sizes == [3, 3, 1])
            #expect(seen == (reverse ? names.reversed() : names))
        }
    }

    @Test func `zones asked for together share one answer, and those left out say that more is coming`() async throws {
        let (first, second) = try await cloud.store.read { [cloud] transaction in
            let pages = try ["A", "B"].map {
                try transaction.zoneChanges(cloud.zone($0), in: cloud.database(), since: nil, limit: 200)
            }
            return (pages[0], pages[1])
        }
        #expect(first.changes.count == 3 && first.moreComing)
        #expect(second.changes.isEmpty && second.moreComing)
        let rest = try await cloud.store.read { [cloud] in
            try $0.zoneChanges(cloud.zone("B"), in: cloud.database(), since: second.syncToken, limit: 2)
        }
        #expect(rest.changes.count == 2)
    }

    @Test func `pages of a query end with the record that fills the answer, and join to the whole`() async throws {
        let query = RecordQuery(recordType: "Note")
        let page = try await cloud.page(query, zone: cloud.zone("A"))
        #expect(page.records.count == 3)
        #expect(page.marker != nil)
        #expect(try await Set(cloud.query(query, zone: cloud.zone("A")).map(\.id.name)) == Set(names))
    }

    @Test func `a lookup of more than an answer holds is refused by its bytes`() async throws {
        let few = try await cloud.store.read { [cloud, names] in
            try $0.records(Array(names.prefix(3)), zone: cloud.zone("A"), in: cloud.database())
        }
        #expect(few.compactMap(\.self).count == 3)
        let error = await #expect(throws: CloudError.self) {
            _ = try await cloud.store.read { [cloud, names] in
                try $0.records(names, zone: cloud.zone("A"), in: cloud.database())
            }
        }
        #expect(error?.code == .badRequest && error?.nativeCode == 27)
        #expect(error?.reason.contains("2500 bytes") == true)
    }
}
