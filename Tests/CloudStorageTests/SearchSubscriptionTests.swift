import CloudCore
import CloudStorage
import SQLCore
import Testing

/// Subscriptions to queries by places and words.
@Suite struct SearchSubscriptionTests {
    @Test func `a subscription near a place or for words is kept whole and fires for what it finds`() async throws {
        let cloud = try RecordFixture()
        let near = QueryFilter(
            field: .user("place"), comparator: .near, value: .location(Location(latitude: 0, longitude: 179.9)),
            distance: 30_000)
        let words = QueryFilter(field: .text, comparator: .containsAllTokens, value: .string("Crème cake"))
        let subscriptions = [("near", near), ("words", words)].map { name, filter in
            Subscription(
                id: name,
                kind: .query(
                    RecordQuery(
                        recordType: "Note", filters: [filter],
                        sorts: [
                            QuerySort(field: .user("place"), relativeLocation: Location(latitude: 1, longitude: 2))
                        ]), zone: nil, firesOn: [.create], firesOnce: false))
        }
        try await cloud.store.write { [cloud] transaction in
            for subscription in subscriptions {
                try transaction.saveSubscription(subscription, in: cloud.database(), of: cloud.alice.userName)
            }
        }
        let kept = try await cloud.store.read { [cloud] in
            try $0.subscriptions(in: cloud.database(), of: cloud.alice.userName)
        }
        #expect(kept.map(\.kind) == subscriptions.map(\.kind))
        func fired(_ fields: [String: FieldValue?], _ name: String) async throws -> Int {
            try await cloud.modify(cloud.operation(.create, name, fields))
            return try await cloud.store.write { transaction in
                let count = try transaction.connection.first("SELECT COUNT(*) FROM outbox") { Int($0.integer(0)) }
                try transaction.connection.execute("DELETE FROM outbox")
                return count ?? 0
            }
        }
        let here = FieldValue.location(Location(latitude: 0, longitude: -179.9))
        let there = FieldValue.location(Location(latitude: 0, longitude: 0))
        #expect(try await fired(["place": there, "title": .string("cake")], "a") == 0)
        #expect(try await fired(["place": here, "title": .string("cake")], "b") == 1)
        #expect(try await fired(["title": .string("CREME"), "note": .string("a cake")], "c") == 1)
        #expect(try await fired(["place": here, "title": .string("cake, crème")], "d") == 2)
    }
}
