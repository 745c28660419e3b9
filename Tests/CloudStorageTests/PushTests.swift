import CloudCore
import CloudStorage
import SQLCore
import DatabaseTestSupport
import Synchronization
import Testing

private let notes = ContainerID("iCloud.org.example.notes")

private func entry(_ payload: String, key: String = "", origin: String? = nil, user: String = "_u") -> OutboxEntry {
    OutboxEntry(
        container: notes, environment: .development, userName: user, payload: [UInt8](payload.utf8),
        collapseKey: key, originClientID: origin)
}

extension CloudTransaction {
    fileprivate func bound(_ client: String, user: String = "_u") throws -> PushToken {
        let token = try registerPushToken(account: 1, clientID: client)
        try bindPushToken(token.token, userName: user, container: notes, environment: .development)
        return token
    }

    /// Every waiting push after a number, as text.
    fileprivate func log(_ token: PushToken, after: Int64 = 0) throws -> [String] {
        var (texts, cursor): ([String], Int64) = ([], after)
        while let push = try nextPush(token: token.token, after: cursor) {
            texts.append(String(decoding: push.payload, as: UTF8.self))
            cursor = push.sequence
        }
        return texts
    }
}

@Suite struct `Pushes` {
    private let store: CloudStore

    private final class Clock: Sendable { let now = Mutex<Int64>(1000) }
    private let clock: Clock

    init() throws {
        let clock = Clock()
        self.clock = clock
        store = try CloudStore(StorageTestDatabase.make(), clock: { clock.now.withLock { $0 } })
    }

    @Test func `a client has one token per account`() async throws {
        try await store.write { cloud throws in
            let token = try cloud.registerPushToken(account: 1, clientID: "A")
            #expect(try cloud.registerPushToken(account: 1, clientID: "A") == token)
            #expect(try cloud.registerPushToken(account: 2, clientID: "A").token != token.token)
            #expect(try cloud.registerPushToken(account: 1, clientID: "B").token != token.token)
            #expect(try cloud.pushTokenID(token.token) == token.id)
            #expect(try cloud.pushTokenID("other") == nil)
            #expect(throws: CloudError.self) {
                try cloud.bindPushToken("other", userName: "_u", container: notes, environment: .development)
            }
        }
        await store.close()
    }

    @Test func `a push reaches the user's other clients, not the one that caused it`() async throws {
        try await store.write { cloud throws in
            let (first, second) = (try cloud.bound("A"), try cloud.bound("B"))
            let stranger = try cloud.bound("C", user: "_v")
            try cloud.bindPushToken(second.token, userName: "_u", container: notes, environment: .development)
            try cloud.enqueuePush(entry("1", origin: "A"))
            #expect(try cloud.expandOutbox(limit: 10) == [second.id])
            #expect(try cloud.log(first) == [])
            #expect(try cloud.log(second) == ["1"])
            #expect(try cloud.log(stranger) == [])
            #expect(try cloud.expandOutbox(limit: 10) == [])
        }
        await store.close()
    }

    @Test func `a waiting push of the same key is replaced under a new number`() async throws {
        try await store.write { cloud throws in
            let token = try cloud.bound("A")
            for (payload, key) in [("1", "k"), ("2", ""), ("3", ""), ("4", "k")] {
                try cloud.enqueuePush(entry(payload, key: key))
            }
            #expect(try cloud.expandOutbox(limit: 10) == [token.id])
            #expect(try cloud.log(token) == ["2", "3", "4"])
            #expect(try cloud.log(token, after: 1) == ["2", "3", "4"])
            #expect(try cloud.registerPushToken(account: 1, clientID: "A").tail == 4)
        }
        await store.close()
    }

    @Test func `without a cursor a push is taken once, with one it stays`() async throws {
        try await store.write { cloud throws in
            let token = try cloud.bound("A")
            for payload in ["1", "2"] { try cloud.enqueuePush(entry(payload)) }
            _ = try cloud.expandOutbox(limit: 10)
            #expect(try cloud.log(token) == ["1", "2"])
            #expect(try cloud.nextPush(token: token.token, after: nil)?.sequence == 1)
            #expect(try cloud.log(token) == ["2"])
            #expect(try cloud.nextPush(token: token.token, after: nil)?.sequence == 2)
            #expect(try cloud.nextPush(token: token.token, after: nil) == nil)
        }
        await store.close()
    }

    @Test func `a token keeps its newest thousand pushes`() async throws {
        try await store.write { cloud throws in
            let token = try cloud.bound("A")
            for number in 1...1003 { try cloud.enqueuePush(entry("\(number)")) }
            _ = try cloud.expandOutbox(limit: 2000)
            let log = try cloud.log(token)
            #expect(log.count == 1000)
            #expect(log.first == "4")
            #expect(log.last == "1003")
        }
        await store.close()
    }

    @Test func `expired pushes go whoever they wait for, some with each expansion`() async throws {
        try await store.write { cloud throws in
            let absent = try cloud.bound("A")
            for number in 1...700 { try cloud.enqueuePush(entry("\(number)")) }
            #expect(try cloud.expandOutbox(limit: 1000) == [absent.id])
        }
        func kept() async throws -> Int64? {
            try await store.read { try $0.connection.first("SELECT COUNT(*) FROM push") { $0.integer(0) } }
        }
        clock.now.withLock { $0 += 6 * 24 * 3600 * 1000 }
        _ = try await store.write { try $0.expandOutbox(limit: 10) }
        #expect(try await kept() == 700)
        clock.now.withLock { $0 += 24 * 3600 * 1000 }
        _ = try await store.write { try $0.expandOutbox(limit: 10) }
        #expect(try await kept() == 200)
        _ = try await store.write { try $0.expandOutbox(limit: 10) }
        #expect(try await kept() == 0)
        await store.close()
    }

    @Test func `a commit that leaves outbox rows is told, until none is left`() async throws {
        var pushes = store.news.makeAsyncIterator()
        _ = await pushes.next()  // the one of the start
        try await store.write { cloud throws in
            _ = try cloud.bound("A")
            for payload in ["1", "2", "3"] { try cloud.enqueuePush(entry(payload)) }
        }
        for expected in [1, 1, 1] {
            _ = await pushes.next()
            #expect(try await store.write { try $0.expandOutbox(limit: 1) }.count == expected)
        }
        await store.close()
        while await pushes.next() != nil {}
    }
}
