import CloudKit
import CloudTestSupport
import Testing

@Suite(.serialized) struct `Many clients at once` {
    @Test(.timeLimit(.minutes(5)), arguments: CloudSetUp.all)
    func `that create one record name make one record, and the others are shown the winner's`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withPhones { phones in
            let clients = try await clients(phones)
            let results = await withTaskGroup(of: Result<CKRecord, any Error>.self) { group in
                for (index, client) in clients.enumerated() {
                    group.addTask {
                        let record = note("only", title: "client \(index)", in: .default)
                        do { return .success(try await client.save(record)) } catch { return .failure(error) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let winners = results.compactMap { try? $0.get() }
            #expect(winners.count == 1)
            let title = try #require(winners.first?["title"] as? String)
            for case .failure(let error) in results {
                let error = try #require(error as? CKError)
                #expect(error.code == .serverRecordChanged)
                #expect(error.serverRecord?["title"] as? String == title)
            }
            #expect(try await clients[0].record(for: noteID("only", in: .default))["title"] as? String == title)
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: CloudSetUp.all)
    func `that look before they create make each record once`(on setUp: CloudSetUp) async throws {
        try await setUp.withPhones { phones in
            let clients = try await clients(phones)
            try await clients[0].save(note("seed", title: "client", in: .default))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, client) in clients.enumerated() {
                    group.addTask {
                        let mine = "client \(index)"
                        let query = CKQuery(recordType: "Note", predicate: NSPredicate(format: "title == %@", mine))
                        #expect(try await client.records(matching: query).matchResults.isEmpty)
                        try await client.save(note("n\(index)", title: mine, in: .default))
                        #expect(try await client.records(matching: query).matchResults.count == 1)
                    }
                }
                try await group.waitForAll()
            }
            let all = CKQuery(recordType: "Note", predicate: NSPredicate(value: true))
            #expect(try await clients[0].records(matching: all).matchResults.count == clients.count + 1)
        }
    }

    /// The public database as fifty devices of ten users see it.
    private func clients(_ phones: Phones) async throws -> [CKDatabase] {
        var clients: [CKDatabase] = []
        for number in 0..<50 { clients.append(try await phones.database("user\(number % 10)@example.com", .public)) }
        return clients
    }
}
