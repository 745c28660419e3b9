import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import Foundation
import HTTPCore
import HTTPServer
import SQLCore

/// The real service of mode `serve` behind the real HTTP server on a free port of loopback, with two accounts that have
/// data in two containers.
struct SocketCloud: Sendable {
    struct Member: Sendable {
        let apiToken: String
        let webToken: String
        /// The user record name.
        let name: String

        var query: String { "ckAPIToken=\(apiToken)&ckWebAuthToken=\(SocketCloud.escaped(webToken))" }
    }

    static let other = "iCloud.org.example.other"

    let cloud: TestCloud
    let server: HTTPServer
    let port: UInt16
    let anna, bert: Member
    /// Anna in the other container.
    let elsewhere: Member

    init(_ change: (inout HTTPServerConfiguration) -> Void = { _ in }) async throws {
        cloud = try TestCloud(mode: .serve)
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        configuration.errorBody = CloudService.transportFailure
        change(&configuration)
        server = HTTPServer(configuration: configuration, responder: cloud.service)
        port = try server.start()
        (anna, bert, elsewhere) = try await cloud.store.write { transaction in
            func token(_ container: String) throws -> String {
                try transaction.createContainer(ContainerID(container))
                return try transaction.createAPIToken(
                    container: ContainerID(container), environment: .development, name: "test")
            }
            func member(_ account: Account, _ container: String, _ apiToken: String) throws -> Member {
                let session = try transaction.startWebSession(
                    account: account.id, container: ContainerID(container), environment: .development,
                    deviceSession: nil, lifetime: 3_600_000)
                return Member(
                    apiToken: apiToken, webToken: transaction.webAuthToken(for: session), name: session.userName)
            }
            let anna = try transaction.addAccount(
                email: "anna@example.org", passwordHash: nil)
            let bert = try transaction.addAccount(
                email: "bert@example.org", passwordHash: nil)
            let (here, there) = (try token(TestCloud.container), try token(Self.other))
            return (
                try member(anna, TestCloud.container, here), try member(bert, TestCloud.container, here),
                try member(anna, Self.other, there)
            )
        }
        for member in [anna, bert] {
            for (operation, json) in [
                ("private/zones/modify", Bodies.zone("create", "Notes")),
                ("private/records/modify", Bodies.note("kept", title: "milk", zone: "Notes")),
                ("private/records/modify", Bodies.note("kept", title: "milk")),
                ("private/records/modify", Bodies.note("kept2", title: "eggs")),
                ("private/subscriptions/modify", Bodies.subscription("kept")),
            ] {
                let made = await cloud.request("POST", Self.path(operation, of: member), json: json)
                guard made.status == 200, !made.body.contains("serverErrorCode") else { throw Unexpected(made.body) }
            }
        }
        let shared = Bodies.note("kept", title: "milk")
        _ = await cloud.request("POST", Self.path("public/records/modify", of: anna), json: shared)
    }

    struct Unexpected: Error {
        let text: String
        init(_ text: String) { self.text = text }
    }

    func close() async {
        await cloud.service.drain()
        await server.stop()
        await cloud.store.close()
    }

    // MARK: - Requests

    static func path(_ operation: String, of member: Member, container: String = TestCloud.container) -> String {
        "/database/1/\(container)/development/\(operation)?\(member.query)"
    }

    static func escaped(_ token: String) -> String { token.map { $0 == "+" ? "%2B" : String($0) }.joined() }

    /// Sends a request over a connection of its own; `nil` when the server ended it without an answer.
    func send(_ request: HTTPRequest) async -> HTTPResponse? {
        let port = port
        return await blocking {
            let client = RawClient(port: port)
            defer { client.leave() }
            client.send(Self.bytes(of: request))
            return client.answer()
        }
    }

    static func bytes(of request: HTTPRequest) -> [UInt8] {
        var head = "\(request.method) \(request.target) HTTP/1.1\r\nHost: cloud.test\r\n"
        for entry in request.headers.entries { head += "\(entry.name): \(entry.value)\r\n" }
        return Array((head + "Content-Length: \(request.body.count)\r\n\r\n").utf8) + request.body
    }

    // MARK: - State

    /// Everything that is stored: what the protocol tells both members over the socket, and the tables themselves.
    func state() async throws -> [String] {
        var state: [String] = []
        for member in [anna, bert] {
            for (operation, json) in [
                ("private/zones/list", "{}"), ("private/changes/database", "{}"),
                ("private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#),
                ("private/records/query", #"{"query":{"recordType":"Note"}}"#),
                ("public/records/query", #"{"query":{"recordType":"Note"}}"#), ("private/subscriptions/list", "{}"),
            ] {
                let answer = await send(
                    HTTPRequest(method: "POST", target: Self.path(operation, of: member), body: Array(json.utf8)))
                guard let answer, answer.status == 200 else { throw Unexpected("\(operation) is not answered") }
                state.append(operation + " " + String(decoding: answer.body, as: UTF8.self))
            }
        }
        return state + (try await tables())
    }

    private func tables() async throws -> [String] {
        try await cloud.store.read { transaction in
            let connection = transaction.connection
            func texts(_ sql: String) throws -> [String] {
                var texts: [String] = []
                try connection.query(sql, []) { row in
                    texts.append(row.text(0))
                    return true
                }
                return texts
            }
            var state: [String] = []
            for table in try texts("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name") {
                let columns = try texts("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
                let row = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
                state += try texts("SELECT \(row) FROM \"\(table)\" ORDER BY 1").map { "\(table): \($0)" }
            }
            return state
        }
    }
}
