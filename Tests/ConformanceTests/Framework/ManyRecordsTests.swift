import CloudCore
import CloudKit
import CloudStorage
import CloudTestSupport
import Foundation
import HTTPCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Many records` {
    @Test(arguments: CloudSetUp.ways)
    func `are saved by the operations of one group, 400 at a time, and in no other way at once`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withPhones { phones in
            let phone = try await phones.databaseWithNotes()
            let records = (0..<5000).map { note("n\($0)", title: "t\($0)") }
            // One operation takes 400, as the service does, and says so with both numbers.
            let all = CKModifyRecordsOperation(recordsToSave: records)
            let refusal = try #require(await Self.end(of: all, on: phone).ckError)
            #expect(refusal.code == .limitExceeded)
            #expect(refusal.localizedDescription.contains("5000") && refusal.localizedDescription.contains("400"))
            #expect(try await phone.follow(since: nil).changed == [])
            let group = CKOperationGroup()
            group.name = "import"
            group.expectedSendSize = .megabytes
            let saved = Mutex<Set<CKRecord.ID>>([])
            let ends = await withTaskGroup(of: Result<Void, any Error>.self) { tasks in
                for start in stride(from: 0, to: records.count, by: 400) {
                    let operation = CKModifyRecordsOperation(
                        recordsToSave: Array(records[start..<min(start + 400, records.count)]))
                    operation.group = group
                    operation.perRecordSaveBlock = { id, result in
                        if result.isSuccess { saved.withLock { _ = $0.insert(id) } }
                    }
                    tasks.addTask { await Self.end(of: operation, on: phone) }
                }
                return await tasks.reduce(into: []) { $0.append($1) }
            }
            #expect(ends.count == 13 && ends.allSatisfy(\.isSuccess))
            #expect(saved.withLock { $0.count } == 5000 && records.allSatisfy { $0.recordChangeTag != nil })
            let found = try await phone.follow(since: nil).changed
            #expect(found.count == 5000 && Set(found) == Set(records.map(\.recordID.recordName)))
        }
    }

    /// 100,000 records of 500 bytes by one operation: what it holds is bounded by pages, not by the feed.
    @Test func `are told by one operation in the memory of a few pages, with tokens on the way`() async {
        await #expect(processExitsWith: .success) {
            try await CloudSetUp.ways[0].withPhones { phones in
                let count = 100_000
                let phone = try await phones.databaseWithNotes()
                try await Self.fill(phones.cloud, count)
                // What the first page needs besides itself.
                _ = try await phone.recordZoneChanges(inZoneWith: notes, since: nil)
                let before = try Self.residentBytes()
                let operation = CKFetchRecordZoneChangesOperation(recordZoneIDs: [notes])
                operation.fetchAllChanges = true
                let seen = Mutex<(records: Int, tokens: [CKServerChangeToken], most: Int)>((0, [], 0))
                operation.recordWasChangedBlock = { _, result in
                    let isWhole = ((try? result.get())?["title"] as? String)?.utf8.count == 500
                    seen.withLock { $0.records += isWhole ? 1 : 0 }
                }
                operation.recordZoneChangeTokensUpdatedBlock = { _, token, _ in
                    // What cannot be read is more than allowed.
                    let now = (try? Self.residentBytes()) ?? .max
                    seen.withLock { seen in
                        seen.most = max(seen.most, now)
                        if let token { seen.tokens.append(token) }
                    }
                }
                #expect(await Self.end(of: operation, on: phone).isSuccess)
                let (records, tokens, most) = seen.withLock { $0 }
                #expect(records == count && tokens.count == count / 200 - 1)
                #expect(most - before < 32 << 20, "\((most - before) >> 20) MiB more while 100,000 records came")
                // Each token on the way is one to go on from.
                let rest = try await phone.follow(since: tokens[tokens.count - 3])
                #expect(rest.changed.count == 600)
            }
        }
    }

    @Test func `are not fetched faster than the app takes them`() async throws {
        try await CloudSetUp.ways[0].withCloud { cloud in
            let traffic = PageCounter(cloud.transport)
            let phone = try await Phones(cloud: cloud).databaseWithNotes(traffic)
            for start in stride(from: 0, to: 1200, by: 400) {
                _ = try await phone.modifyRecords(saving: (start..<(start + 400)).map { note("n\($0)") }, deleting: [])
            }
            let tablet = try await Phones(cloud: cloud).database()
            let configuration = CKFetchRecordZoneChangesOperation.ZoneConfiguration(resultsLimit: 20)
            let slow = CKFetchRecordZoneChangesOperation(
                recordZoneIDs: [notes], configurationsByRecordZoneID: [notes: configuration])
            let (begins, begin) = AsyncStream.makeStream(of: Void.self)
            let goOn = DispatchSemaphore(value: 0)
            let told = Mutex(0)
            slow.recordWasChangedBlock = { _, _ in
                if told.withLock({ told in
                    told += 1
                    return told == 1
                }) {
                    begin.finish()
                    goOn.wait()
                }
            }
            async let end = Self.end(of: slow, on: phone)
            for await _ in begins {}
            // In the time in which another device reads all of it, page by page.
            #expect(try await tablet.follow(since: nil, limit: 20).changed.count == 1200)
            #expect(traffic.pages <= 3, "\(traffic.pages) pages were fetched while the app was at the first record")
            goOn.signal()
            #expect(await end.isSuccess && told.withLock { $0 } == 1200 && traffic.pages == 60)
        }
    }

    private static func end(
        of operation: CKModifyRecordsOperation, on database: CKDatabase
    ) async -> Result<Void, any Error> {
        await withCheckedContinuation { waiter in
            operation.modifyRecordsResultBlock = { waiter.resume(returning: $0) }
            database.add(operation)
        }
    }

    private static func end(
        of operation: CKFetchRecordZoneChangesOperation, on database: CKDatabase
    ) async -> Result<Void, any Error> {
        await withCheckedContinuation { waiter in
            operation.fetchRecordZoneChangesResultBlock = { waiter.resume(returning: $0) }
            database.add(operation)
        }
    }

    /// Puts records of 500 bytes into the zone that a phone has made, without a client.
    private static func fill(_ cloud: TestCloud, _ count: Int) async throws {
        let user = try await cloud.signIn("alice@example.com")
        let database = DatabaseID(
            container: ContainerID(TestCloud.container), environment: .development, scope: .private, owner: user.name)
        let zone = ZoneID(name: notes.zoneName, owner: user.name)
        let writer = Writer(userName: user.name)
        let title = String(repeating: "x", count: 500)
        for start in stride(from: 0, to: count, by: 400) {
            let operations = (start..<(start + 400)).map { number in
                RecordOperation(
                    type: .create, id: RecordID(name: "n\(number)", zone: zone), recordType: "Note",
                    fields: [FieldDraft(name: "title", value: .string(title), isTyped: true)])
            }
            let results = try await cloud.store.write(for: database) {
                try $0.modify(operations, in: database, zone: zone, atomic: true, by: writer)
            }
            for result in results { _ = try result.get() }
        }
    }

    /// The memory that the process has now, as the system tells it.
    private static func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) }) * 1024
    }
}

/// Carries requests to a service and counts those for pages of a zone's feed.
private final class PageCounter: HTTPTransport {
    private let base: any HTTPTransport
    private let count = Mutex(0)

    init(_ base: any HTTPTransport) { self.base = base }

    var pages: Int { count.withLock { $0 } }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        if request.target.contains("/changes/zone") { count.withLock { $0 += 1 } }
        return try await base.send(request, timeout: timeout)
    }
}
