import DatabaseTestSupport
import Foundation
import Glibc
import HTTPClient
import HTTPCore
import Synchronization
import Testing

/// Where a service that is killed keeps its data.
enum CrashPlace: String, CaseIterable, Sendable, CustomStringConvertible {
    case folder = "a folder"
    case postgres = "PostgreSQL"

    /// PostgreSQL is among them when `CUMULET_TEST_POSTGRES` is set.
    static let available = allCases.filter { $0 != .postgres || PostgresTestDatabase.address != nil }

    var description: String { rawValue }

    func withData(in folder: TemporaryFolder, _ body: (CrashData) async throws -> Void) async throws {
        guard self == .postgres else {
            return try await body(CrashData(words: ["--data", folder.path("data")], environment: [:], settle: {}))
        }
        let test = try PostgresTestDatabase()
        try await body(
            CrashData(
                words: ["--store", test.ownAddress, "--assets", folder.path("assets")],
                environment: ["PGAPPNAME": test.schema],
                settle: {
                    let left = try test.sessions { $0.isEmpty }
                    #expect(left == [])
                }))
        try test.remove()
    }
}

/// The data of services that are killed.
struct CrashData {
    /// What tells a service where the data is.
    let words: [String]
    /// For those services that ``settle`` waits for.
    let environment: [String: String]
    /// Waits, after a kill, until nothing of the killed service goes on: PostgreSQL carries out a statement that had been
    /// sent even when nobody waits for its answer.
    let settle: () throws -> Void

    /// `CUMULET_CRASH_ROUNDS`, or a few.
    static func rounds(_ few: Int) -> Int {
        ProcessInfo.processInfo.environment["CUMULET_CRASH_ROUNDS"].flatMap { Int($0) } ?? few
    }

    /// Starts the service, looks at what the one before left, and kills it at work, again and again.
    /// Starts it once more then and ends it in order.
    /// - Parameters:
    ///   - open: Makes a client of the server at this address and looks through it at what is there; in words, when.
    ///   - work: Asks for changes and calls `kill` in the midst of them.
    func kill<Client>(
        rounds: Int, in folder: TemporaryFolder, open: (_ server: String, _ moment: String) async throws -> Client,
        meanwhile work: (_ client: Client, _ round: Int, _ kill: () -> Void) async throws -> Void
    ) async throws {
        for round in 0..<Self.rounds(rounds) {
            let service = try CommandProcess(["dev", "--port", "0"] + words, environment: environment, folder: folder)
            let client = try await open(service.address(), "before round \(round)")
            try await work(client, round) { service.send(SIGKILL) }
            #expect(await service.end() == SIGKILL)
            try settle()
        }
        let service = try CommandProcess(["dev", "--port", "0"] + words, environment: environment, folder: folder)
        _ = try await open(service.address(), "at the end")
        service.send(SIGTERM)
        #expect(await service.end() == 0)
        try settle()
    }
}

/// Kills the service while it writes and looks at what is left.
@Suite(.serialized, .timeLimit(.minutes(10))) struct CrashTests {
    private static let container = "iCloud.org.example.crash"
    private static let zone = "Ledger"

    @Test(arguments: CrashPlace.available)
    func `whatever was acknowledged is there after a kill, and no atomic batch is half there`(in place: CrashPlace)
        async throws
    {
        let folder = try TemporaryFolder()
        try await place.withData(in: folder) { data in
            let acknowledged = Ledger()
            try await data.kill(rounds: 20, in: folder) { server, moment in
                let client = try await Client(server: server, container: Self.container)
                try await client.createZone(Self.zone)
                try await check(client, acknowledged.batches, moment)
                return client
            } meanwhile: { client, round, kill in
                try await write(with: [client], "r\(round)", into: acknowledged, then: kill)
            }
        }
    }

    @Test(.enabled(if: PostgresTestDatabase.address != nil))
    func `when one of two services on one database is killed the other goes on, and nothing acknowledged is lost`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await CrashPlace.postgres.withData(in: folder) { data in
            func start(isVictim: Bool = false) async throws -> (process: CommandProcess, client: Client) {
                let process = try CommandProcess(
                    ["dev", "--port", "0"] + data.words, environment: isVictim ? data.environment : [:], folder: folder)
                return (process, try await Client(server: process.address(), container: Self.container))
            }
            let acknowledged = Ledger()
            var survivor = try await start()
            try await survivor.client.createZone(Self.zone)
            for round in 0..<max(1, CrashData.rounds(20) / 4) {
                let victim = try await start(isVictim: true)
                try await write(with: [survivor.client, victim.client], "r\(round)", into: acknowledged) {
                    victim.process.send(SIGKILL)
                }
                #expect(await victim.process.end() == SIGKILL)
                try data.settle()
                #expect(
                    await survivor.client.saveBatch("after\(round)", zone: Self.zone), "the other service fails too")
                acknowledged.add("after\(round)")
                try await check(survivor.client, acknowledged.batches, "after the kill in round \(round)")
                let next = try await start()
                survivor.process.send(SIGTERM)
                #expect(await survivor.process.end() == 0)
                survivor = next
            }
            survivor.process.send(SIGTERM)
            #expect(await survivor.process.end() == 0)
        }
    }

    /// Saves batches over four connections to each service, and ends one at no chosen moment.
    private func write(
        with clients: [Client], _ prefix: String, into acknowledged: Ledger, then kill: () -> Void
    ) async throws {
        // Some work first, then death.
        let floor = acknowledged.batches.count + Int.random(in: 1...40)
        let (progress, told) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            for connection in 0..<4 * clients.count {
                let client = clients[connection % clients.count]
                group.addTask { [acknowledged] in
                    defer { told.finish() }
                    var number = 0
                    while !Task.isCancelled {
                        let batch = "\(prefix)c\(connection)n\(number)"
                        number += 1
                        guard await client.saveBatch(batch, zone: Self.zone) else { return }
                        acknowledged.add(batch)
                        told.yield()
                    }
                }
            }
            for await _ in progress where acknowledged.batches.count >= floor { break }
            #expect(acknowledged.batches.count >= floor, "saves failed before the kill of \(prefix)")
            kill()
            group.cancelAll()
        }
    }

    private func check(_ client: Client, _ batches: Set<String>, _ moment: String) async throws {
        let names = try await client.feed(zone: Self.zone)
        let found = Dictionary(grouping: names) { $0.split(separator: "-")[0] }
        #expect(names.count == Set(names).count, "the feed repeats a record \(moment)")
        #expect(found.allSatisfy { $0.value.count == Client.batchSize }, "half a batch is there \(moment)")
        let missing = batches.filter { found[Substring($0)] == nil }
        #expect(missing.isEmpty, "acknowledged batches are missing \(moment): \(missing.sorted())")
        // Before the first record nobody has made the type that a query could ask for.
        guard !names.isEmpty else { return }
        #expect(Set(try await client.query(zone: Self.zone)) == Set(names), "index and feed disagree \(moment)")
    }
}

/// The batches whose success was heard of.
private final class Ledger: Sendable {
    private let state = Mutex<Set<String>>([])
    var batches: Set<String> { state.withLock { $0 } }
    func add(_ batch: String) { state.withLock { _ = $0.insert(batch) } }
}

/// The protocol, as somebody else's client would speak it.
private struct Client: Sendable {
    static let batchSize = 3

    private let transport = CurlTransport()
    private let base: String
    private let query: String

    init(server: String, container: String) async throws {
        let apiToken = String(repeating: "c", count: 64)
        let transport = transport
        let session = try await Self.post(
            transport, server + "/cumulet/1/sign-in",
            ["emailAddress": "crash@example.com", "deviceID": "crash", "deviceName": "crash"])
        let grant = try await Self.post(
            transport, server + "/cumulet/1/web-token",
            [
                "deviceSession": session["deviceSession"] as Any, "container": container,
                "environment": "development", "ckAPIToken": apiToken,
            ])
        let token = try #require(grant["ckWebAuthToken"] as? String)
        let safe = try #require(token.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        base = server + "/database/1/\(container)/development/private/"
        query = "?ckAPIToken=\(apiToken)&ckWebAuthToken=\(safe)"
    }

    func createZone(_ name: String) async throws {
        let zone = ["zoneID": ["zoneName": name]]
        _ = try await call("zones/modify", ["operations": [["operationType": "create", "zone": zone]]])
    }

    /// Saves the records of a batch in one atomic request; false when no success was heard of.
    func saveBatch(_ batch: String, zone: String) async -> Bool {
        let operations: [[String: Any]] = (0..<Self.batchSize).map { part in
            [
                "operationType": "create",
                "record": [
                    "recordType": "Entry", "recordName": "\(batch)-\(part)", "fields": ["part": ["value": part]],
                ],
            ]
        }
        let body: [String: Any] = ["zoneID": ["zoneName": zone], "atomic": true, "operations": operations]
        guard let answer = try? await call("records/modify", body),
            let records = answer["records"] as? [[String: Any]]
        else { return false }
        return records.count == Self.batchSize && records.allSatisfy { $0["serverErrorCode"] == nil }
    }

    /// The names of all records of a zone's feed, page after page.
    func feed(zone: String) async throws -> [String] {
        var names: [String] = []
        var token: String?
        while true {
            var wanted: [String: Any] = ["zoneID": ["zoneName": zone], "resultsLimit": 50]
            if let token { wanted["syncToken"] = token }
            let answer = try await call("changes/zone", ["zones": [wanted]])
            let page = try #require((answer["zones"] as? [[String: Any]])?.first)
            let records = try #require(page["records"] as? [[String: Any]], "\(page)")
            names += records.compactMap { $0["recordName"] as? String }
            token = page["syncToken"] as? String
            if page["moreComing"] as? Bool != true { return names }
        }
    }

    /// The names of all records that an index on `part` gives.
    func query(zone: String) async throws -> [String] {
        var names: [String] = []
        var marker: String?
        while true {
            let filter: [String: Any] = [
                "fieldName": "part", "comparator": "GREATER_THAN_OR_EQUALS", "fieldValue": ["value": 0],
            ]
            var body: [String: Any] = [
                "zoneID": ["zoneName": zone], "query": ["recordType": "Entry", "filterBy": [filter]],
            ]
            if let marker { body["continuationMarker"] = marker }
            let answer = try await call("records/query", body)
            names += (answer["records"] as? [[String: Any]] ?? []).compactMap { $0["recordName"] as? String }
            marker = answer["continuationMarker"] as? String
            if marker == nil { return names }
        }
    }

    private func call(_ operation: String, _ body: [String: Any]) async throws -> [String: Any] {
        try await Self.post(transport, base + operation + query, body)
    }

    private static func post(
        _ transport: CurlTransport, _ url: String, _ body: [String: Any]
    ) async throws -> [String: Any] {
        let bytes = [UInt8](try JSONSerialization.data(withJSONObject: body))
        let response = try await transport.send(
            HTTPRequest(method: "POST", target: url, headers: ["Content-Type": "application/json"], body: bytes),
            timeout: .seconds(30))
        try #require(response.status == 200, "\(url): \(String(decoding: response.body, as: UTF8.self))")
        return try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }
}
