import CloudCore
import CloudStorage
import DatabaseTestSupport
import Synchronization
import Testing

private let notes = ContainerID("iCloud.org.example.notes")
private let tasks = ContainerID("iCloud.org.example.tasks")

@Suite struct `Accounts and sessions` {
    private func store(clock: @escaping @Sendable () -> Int64 = { 1000 }) throws -> CloudStore {
        try CloudStore(StorageTestDatabase.make(), policy: .dev, clock: clock)
    }

    @Test func `an address names one account, whatever its case`() async throws {
        let store = try store()
        try await store.write { cloud throws in
            let made = try cloud.addAccount(
                email: "Ann@Example.org", name: NameComponents(givenName: "Ann"), passwordHash: "h")
            #expect(made.email == "ann@example.org")
            #expect(try cloud.account(email: "ANN@example.org") == made)
            #expect(try cloud.account(id: made.id) == made)
            #expect(try cloud.account(email: "bob@example.org") == nil)
            let error = #expect(throws: CloudError.self) {
                try cloud.addAccount(email: "ann@EXAMPLE.org", passwordHash: nil)
            }
            #expect(error?.code == .exists)
        }
        await store.close()
    }

    @Test(arguments: ["", "ann", "@example.org", "ann@", "a@b@c", "a b@c", "a@b\n"])
    func `text that is no address makes no account`(email: String) async throws {
        let store = try store()
        let error = await #expect(throws: CloudError.self) {
            try await store.write {
                _ = try $0.addAccount(email: email, passwordHash: nil)
            }
        }
        #expect(error?.code == .badRequest)
        await store.close()
    }

    @Test func `a user has another name in every container, the same in reads and writes`() async throws {
        let store = try store()
        let before = try await store.read { try $0.userName(of: 1, in: notes) }
        try await store.write { cloud throws in
            #expect(try cloud.userName(of: 1, in: notes) == before)
            #expect(try cloud.userName(of: 1, in: notes) == before)
            #expect(try cloud.userName(of: 1, in: tasks) != before)
            #expect(try cloud.userName(of: 2, in: notes) != before)
        }
        #expect(before.count == 33 && before.hasPrefix("_"))
        await store.close()
    }

    @Test func `an API token opens the container it was made for`() async throws {
        let store = try store()
        try await store.write { cloud throws in
            #expect(throws: CloudError.self) {
                try cloud.createAPIToken(container: notes, environment: .development, name: "web")
            }
            try cloud.createContainer(notes)
            #expect(throws: CloudError.self) { try cloud.createContainer(notes) }
            #expect(throws: CloudError.self) { try cloud.createContainer(ContainerID("a/b")) }
            let token = try cloud.createAPIToken(container: notes, environment: .development, name: "web")
            #expect(token.count == 64)
            let found = try cloud.apiToken(token)
            #expect(found?.container == notes)
            #expect(found?.environment == .development)
            #expect(try cloud.apiToken(String(repeating: "0", count: 64)) == nil)
        }
        await store.close()
    }

    @Test func `an adopted API token stays with the container that used it first`() async throws {
        let store = try store()
        try await store.write { cloud throws in
            let token = String(repeating: "ab", count: 32)
            try cloud.adoptAPIToken(token, container: notes, environment: .development)
            try cloud.adoptAPIToken(token, container: notes, environment: .development)
            for (container, environment) in [(tasks, CloudEnvironment.development), (notes, .production)] {
                let error = #expect(throws: CloudError.self) {
                    try cloud.adoptAPIToken(token, container: container, environment: environment)
                }
                #expect(error?.code == .authenticationFailed)
            }
            #expect(throws: CloudError.self) {
                try cloud.adoptAPIToken("short", container: notes, environment: .development)
            }
        }
        await store.close()
    }

    @Test func `signing a device out ends its web sessions and no others`() async throws {
        let store = try store()
        try await store.write { cloud throws in
            let first = try cloud.startDeviceSession(account: 7, deviceID: "D1", deviceName: "one")
            let second = try cloud.startDeviceSession(account: 7, deviceID: "D2", deviceName: "two")
            let web = try [first, second].map { token in
                try cloud.startWebSession(
                    account: 7, container: notes, environment: .development,
                    deviceSession: cloud.deviceSession(token)?.id, lifetime: 60_000)
            }
            #expect(try cloud.deviceSession(first)?.account == 7)
            #expect(try cloud.deviceSession(first)?.deviceID == "D1")
            try cloud.endDeviceSession(first)
            try cloud.endDeviceSession(first)
            #expect(try cloud.deviceSession(first) == nil)
            #expect(try cloud.webSession(id: web[0].id, secret: web[0].secret) == nil)
            #expect(try cloud.webSession(id: web[1].id, secret: web[1].secret) == web[1])
            try cloud.endWebSession(id: web[1].id)
            #expect(try cloud.webSession(id: web[1].id, secret: web[1].secret) == nil)
        }
        await store.close()
    }

    @Test func `a web auth token is good until its session expires, and so are its earlier forms`() async throws {
        let time = AtomicTime()
        let store = try store(clock: { time.value.load(ordering: .relaxed) })
        let tokens = try await store.write { cloud throws in
            let session = try cloud.startWebSession(
                account: 7, container: notes, environment: .development, deviceSession: nil, lifetime: 100)
            return [cloud.webAuthToken(for: session), cloud.webAuthToken(for: session)]
        }
        #expect(tokens[0] != tokens[1])
        for (now, isGood) in [(Int64(99), true), (100, false)] {
            time.value.store(now, ordering: .relaxed)
            for token in tokens {
                let session = try await store.read { try $0.webSession(token: token) }
                #expect((session?.container == notes) == isGood, "at \(now)")
            }
        }
        await store.close()
    }

    @Test func `a web auth token that anyone altered is refused`() {
        let key: [UInt8] = [1, 2, 3]
        let token = WebAuthToken(
            sessionID: .init(repeating: 1, count: 16), secret: .init(repeating: 2, count: 32), issued: 1_700_000_000_123
        )
        let text = token.encoded(key: key)
        #expect(text.count >= 100)
        #expect(WebAuthToken(text, key: key) == token)
        #expect(WebAuthToken(text, key: [1, 2, 4]) == nil)
        var characters = Array(text)
        characters[30] = characters[30] == "A" ? "B" : "A"
        #expect(WebAuthToken(String(characters), key: key) == nil)
        #expect(WebAuthToken(String(text.dropLast(4)), key: key) == nil)
        #expect(WebAuthToken("", key: key) == nil)
    }
}

private final class AtomicTime: Sendable {
    let value = Atomic<Int64>(0)
}
