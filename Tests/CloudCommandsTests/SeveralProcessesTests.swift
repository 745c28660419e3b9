import DatabaseTestSupport
import Foundation
import Glibc
import HTTPCore
import Testing

/// Two processes of `cumulet serve` on one PostgreSQL schema.
@Suite(.enabled(if: PostgresTestDatabase.address != nil), .serialized) struct SeveralProcessesTests {
    private static let container = "iCloud.org.example.notes"
    /// How long a wait may be that fails a test by its end.
    private static let patience: Duration = .seconds(10)

    private struct Pair {
        let first: CommandProcess
        let second: CommandProcess
        let servers: [String]
        let environment: [String: String]
        let folder: TemporaryFolder
        let apiToken: String

        /// A device of the account that both know, signed in at one of the processes.
        func device(_ name: String, at number: Int) async throws -> ServiceDevice {
            try await ServiceDevice(
                name, of: "alice@example.com", at: servers[number], container: container, apiToken: apiToken)
        }
    }

    /// Runs `body` with two processes, which are stopped afterwards if they run still.
    private func withPair<T>(_ body: (Pair) async throws -> T) async throws -> T {
        let folder = try TemporaryFolder()
        let test = try PostgresTestDatabase()
        let environment = ["CUMULET_STORE": test.ownAddress, "CUMULET_PASSWORD": ServiceDevice.password]
        let words = ["serve", "--port", "0", "--assets", folder.path("assets")]
        // Both are the first at once: one of them makes the tables.
        let first = try CommandProcess(words, environment: environment, folder: folder)
        let second = try CommandProcess(words, environment: environment, folder: folder)
        let servers = [try await first.address(), try await second.address()]
        for words in [["account", "add", "alice@example.com"], ["container", "create", Self.container]] {
            let made = try CommandProcess(words, environment: environment, folder: folder)
            #expect(await made.end() == 0, "\(made.log)")
        }
        let token = try await CommandProcess.run(
            "token", "create", "--container", Self.container, environment: environment, folder: folder)
        let result = try await body(
            Pair(
                first: first, second: second, servers: servers, environment: environment, folder: folder,
                apiToken: token.output.trimmingCharacters(in: .newlines)))
        for process in [first, second] { process.send(SIGTERM) }
        #expect(await first.end() == 0)
        #expect(await second.end() == 0)
        try test.remove()
        return result
    }

    @Test func `a poll that waits at one is answered by a save at the other`() async throws {
        try await withPair { pair in
            let phone = try await pair.device("phone", at: 0)
            let tablet = try await pair.device("tablet", at: 1)
            let token = try await tablet.listen()
            var number = 0
            let isPrompt = try await isPrompt {
                // A second poll of the same listener ends the first: so the second is there when the first has ended.
                let (ended, push, took) = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
                    for _ in 0..<2 { group.addTask { [number] in try await tablet.poll(token, after: number) } }
                    let ended = try await group.next()
                    #expect(try await phone.save("n\(number)").status == 200)
                    let saved = ContinuousClock.now
                    let push = try await group.next()
                    return (ended, push, ContinuousClock.now - saved)
                }
                #expect(ended?.status == 200 && ended?.body.isEmpty == true)
                #expect(push?.text.contains(#""rid":"n\#(number)""#) == true, "\(push?.text ?? "")")
                number += 1
                return took
            }
            #expect(isPrompt)
        }
    }

    @Test func `a sign-out at one is heard at the other, by requests and by the poll that waits`() async throws {
        try await withPair { pair in
            let isPrompt = try await isPrompt {
                let phone = try await pair.device("phone", at: 0)
                let there = phone.at(pair.servers[1])
                let token = try await there.listen()
                async let poll = there.poll(token, after: 0)
                #expect(try await there.post("public/users/current").status == 200)
                #expect(try await phone.signOut().status == 200)
                let signedOut = ContinuousClock.now
                let answer = try await refusal(of: there)
                #expect(answer.text.contains("AUTHENTICATION_REQUIRED"), "\(answer.text)")
                let ended = try await poll
                #expect(ended.status == 404 || ended.body.isEmpty)
                return ContinuousClock.now - signedOut
            }
            #expect(isPrompt)
        }
    }

    /// The first answer to a device that is a refusal; the last one when none comes.
    private func refusal(of device: ServiceDevice) async throws -> HTTPResponse {
        let end = ContinuousClock.now + Self.patience
        var answer = try await device.post("public/users/current")
        while answer.status == 200, ContinuousClock.now < end {
            answer = try await device.post("public/users/current")
        }
        return answer
    }

    @Test func `a revoked API token is refused by both`() async throws {
        try await withPair { pair in
            var token = ""
            let isPrompt = try await isPrompt {
                let created = try await CommandProcess.run(
                    "token", "create", "--container", Self.container, environment: pair.environment, folder: pair.folder
                )
                token = created.output.trimmingCharacters(in: .newlines)
                let phone = try await ServiceDevice(
                    "phone", of: "alice@example.com", at: pair.servers[0], container: Self.container, apiToken: token)
                let both = [phone, phone.at(pair.servers[1])]
                for device in both { #expect(try await device.post("public/users/current").status == 200) }
                let revoked = try await CommandProcess.run(
                    "token", "revoke", token, environment: pair.environment, folder: pair.folder)
                #expect(revoked.code == 0, "\(revoked.log)")
                let start = ContinuousClock.now
                for device in both {
                    let answer = try await refusal(of: device)
                    #expect(answer.text.contains("AUTHENTICATION_FAILED"), "\(answer.text)")
                }
                return ContinuousClock.now - start
            }
            #expect(isPrompt)
            let twice = try await CommandProcess.run(
                "token", "revoke", token, environment: pair.environment, folder: pair.folder)
            #expect(twice.code == 1 && twice.log.contains("no such API token"))
        }
    }

    @Test func `a type made at one has its fields' types at the other`() async throws {
        try await withPair { pair in
            let phone = try await pair.device("phone", at: 0)
            let there = phone.at(pair.servers[1])
            #expect(try await there.save("n").status == 200)
            let made = try await phone.save("c1", type: "Cake", #"{"eggs":{"value":3}}"#)
            #expect(made.status == 200 && !made.text.contains("serverErrorCode"), "\(made.text)")
            let wrong = try await there.save("c2", type: "Cake", #"{"eggs":{"value":"many","type":"STRING"}}"#)
            #expect(wrong.text.contains("BAD_REQUEST") && wrong.text.contains("eggs"), "\(wrong.text)")
            let found = try await there.post("private/records/query", #"{"query":{"recordType":"Cake"}}"#)
            #expect(found.text.contains(#""recordName":"c1""#), "\(found.text)")
        }
    }

    @Test func `one stops while the other serves, and its pushes are delivered`() async throws {
        try await withPair { pair in
            let phone = try await pair.device("phone", at: 0)
            let tablet = try await pair.device("tablet", at: 1)
            let token = try await tablet.listen()
            async let parked = tablet.at(pair.servers[0]).poll(token, after: 1)
            #expect(try await phone.save("last").status == 200)
            async let others = withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask { try await phone.at(pair.servers[1]).save("m\(number)").status }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            pair.first.send(SIGTERM)
            #expect(try await others == [200])
            #expect(try await parked.status == 200)
            #expect(try await tablet.poll(token, after: 0).text.contains(#""rid":"last""#))
            #expect(try await phone.at(pair.servers[1]).save("after").status == 200)
        }
    }
}
