import CloudKit
import CloudTestSupport
import Synchronization
import Testing

/// What a reader made of the feed: records by their tags, and everything that was told twice.
private struct Mirror: Sendable {
    var tags: [String: String] = [:]
    var repeated: [String] = []
    private var told: Set<String> = []

    mutating func change(_ name: String, _ tag: String) {
        if !told.insert("\(name) \(tag)").inserted { repeated.append("\(name) \(tag)") }
        tags[name] = tag
    }

    mutating func deletion(_ name: String) {
        if !told.insert("\(name) deleted").inserted { repeated.append("\(name) deleted") }
        tags[name] = nil
    }
}

@Suite(.serialized) struct `A zone's feed under eight writers` {
    private static let writers = 8
    private static let rounds = 12

    @Test(.timeLimit(.minutes(5)), arguments: CloudSetUp.all, [false, true])
    func `skips and repeats nothing for readers with tokens`(on setUp: CloudSetUp, isClockSetBack: Bool) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let user = try await phones.cloud.signIn("alice@example.com", device: "web")
            var devices: [CKDatabase] = []
            for _ in 0..<Self.writers { devices.append(try await phones.database()) }
            let isOver = Mutex(false)
            let isDone: @Sendable () -> Bool = { isOver.withLock { $0 } }

            async let byOperation = mirror(of: phone, until: isDone)
            async let byRequest = mirror(of: user, until: isDone)
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, device) in devices.enumerated() {
                        group.addTask {
                            try await write(device, number) { round in
                                guard isClockSetBack, number == 0, round == Self.rounds / 2 else { return }
                                phones.cloud.clock.advance(milliseconds: -3_600_000)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                isOver.withLock { $0 = true }
            } catch {
                isOver.withLock { $0 = true }
                throw error
            }

            var whole = Mirror()
            try await operation(on: phone, since: nil, into: &whole)
            #expect(whole.tags.count == Self.writers * Self.rounds * 2 / 3)
            for read in [try await byOperation, try await byRequest] {
                #expect(read.repeated == [])
                #expect(read.tags == whole.tags)
            }
        }
    }

    /// Saves, changes every other record and deletes every third.
    private func write(_ device: CKDatabase, _ number: Int, before: (Int) -> Void) async throws {
        for round in 0..<Self.rounds {
            before(round)
            let record = try await device.save(note("w\(number)-\(round)", title: "one"))
            if round % 2 == 1 {
                record["title"] = "two"
                try await device.save(record)
            }
            if round % 3 == 2 { try await device.deleteRecord(withID: record.recordID) }
        }
    }

    // MARK: - Reading

    /// Follows the feed with the fetch operation, until it is over and nothing more came.
    private func mirror(of database: CKDatabase, until isOver: @Sendable () -> Bool) async throws -> Mirror {
        var mirror = Mirror()
        var token: CKServerChangeToken?
        while true {
            let wasOver = isOver()
            let (next, count) = try await operation(on: database, since: token, into: &mirror)
            token = next
            if wasOver, count == 0 { return mirror }
        }
    }

    @discardableResult
    private func operation(
        on database: CKDatabase, since token: CKServerChangeToken?, into mirror: inout Mirror
    ) async throws -> (CKServerChangeToken?, count: Int) {
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [notes],
            configurationsByRecordZoneID: [notes: .init(previousServerChangeToken: token, resultsLimit: 7)])
        // Written on the operation's serial queue only, and read when it has called its last block.
        nonisolated(unsafe) var found = mirror
        nonisolated(unsafe) var count = 0
        nonisolated(unsafe) var end: CKServerChangeToken?
        operation.recordWasChangedBlock = { id, result in
            found.change(id.recordName, (try? result.get().recordChangeTag) ?? "failed")
            count += 1
        }
        operation.recordWithIDWasDeletedBlock = { id, _ in
            found.deletion(id.recordName)
            count += 1
        }
        operation.recordZoneFetchResultBlock = { _, result in end = try? result.get().serverChangeToken }
        let result = try await withCheckedThrowingContinuation { continuation in
            operation.fetchRecordZoneChangesResultBlock = { continuation.resume(with: $0.map { (found, end, count) }) }
            database.add(operation)
        }
        mirror = result.0
        return (result.1, result.2)
    }

    /// Follows the feed with requests, until it is over and nothing more came.
    private func mirror(of user: TestUser, until isOver: @Sendable () -> Bool) async throws -> Mirror {
        var mirror = Mirror()
        var token = ""
        while true {
            let wasOver = isOver()
            let answer = await user.post(
                "private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"},"resultsLimit":7\#(token)}]}"#)
            let zone = try #require(try JSONText.items("zones", in: answer.body).first, "\(answer)")
            let records = try #require(zone["records"] as? [[String: Any]], "\(answer)")
            for record in records {
                let name = try #require(record["recordName"] as? String)
                if record["deleted"] as? Bool == true {
                    mirror.deletion(name)
                } else {
                    mirror.change(name, try #require(record["recordChangeTag"] as? String))
                }
            }
            token = #","syncToken":\#(JSONText.quoted(try #require(zone["syncToken"] as? String)))"#
            if wasOver, records.isEmpty { return mirror }
        }
    }
}
