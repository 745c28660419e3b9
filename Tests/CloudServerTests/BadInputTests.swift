import CloudServer
import CloudTestSupport
import Foundation
import HTTPCore
import HTTPServer
import Testing

/// What the service refuses, over a real socket: by name, with nothing stored and everybody else served.
@Suite struct BadInputTests {
    @Test(arguments: BadInput.all)
    func `bad input is refused with a reason that names it, stores nothing and harms nobody`(_ input: BadInput)
        async throws
    {
        let cloud = try await SocketCloud()
        let request = try await input.request(cloud)
        let before = try await cloud.state()
        let answer = try #require(await cloud.send(request), "the connection ended without an answer")
        let text = String(decoding: answer.body.prefix(2000), as: UTF8.self)
        #expect(answer.status == input.status, "\(text)")
        if let code = input.code {
            #expect(answer.headers["Content-Type"] == "application/json; charset=UTF-8")
            let failure = try #require(try input.failure(in: answer.body), "\(text)")
            #expect(failure["serverErrorCode"] as? String == code, "\(text)")
            #expect((failure["reason"] as? String)?.contains(input.reason) == true, "\(text)")
            #expect((failure["uuid"] as? String)?.isEmpty == false, "\(text)")
            #expect(failure["fields"] == nil && failure["recordType"] == nil, "\(text)")
            #expect((failure["redirectURL"] as? String != nil) == (code == "AUTHENTICATION_REQUIRED"), "\(text)")
            if input.item == nil { #expect(answer.headers["X-Apple-Request-UUID"] == failure["uuid"] as? String) }
        } else {
            #expect(text.contains(input.reason), "\(text)")
        }
        #expect(try await cloud.state() == before)
        await cloud.close()
    }

    @Test(arguments: [false, true])
    func `a client that sends a byte at a time is cut off and nothing is stored`(isSlowInBody: Bool) async throws {
        let cloud = try await SocketCloud { $0.requestSeconds = 1 }
        let before = try await cloud.state()
        let save = HTTPRequest(
            method: "POST", target: SocketCloud.path("private/records/modify", of: cloud.anna),
            body: Array(Bodies.note("slow", title: "x").utf8))
        let answer = await blocking { [port = cloud.port] in
            let client = RawClient(port: port)
            defer { client.leave() }
            let bytes = SocketCloud.bytes(of: save)
            let head = isSlowInBody ? bytes.count - save.body.count : 0
            client.send(Array(bytes[..<head]))
            for byte in bytes[head...] {
                client.send([byte])
                if client.hasNews(within: 50) { break }
            }
            return client.answer()
        }
        // Who has not come to the end of the headers is cut off without a word.
        #expect(answer?.status == (isSlowInBody ? 408 : nil))
        if let answer {
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains("BAD_REQUEST") && text.contains("the request did not arrive within 1 s"), "\(text)")
        }
        #expect(try await cloud.state() == before)
        await cloud.close()
    }

    @Test(arguments: [0, 1, 40])
    func `a client that leaves in the middle of its body stores nothing`(missing: Int) async throws {
        let cloud = try await SocketCloud()
        let before = try await cloud.state()
        let save = HTTPRequest(
            method: "POST", target: SocketCloud.path("private/records/modify", of: cloud.anna),
            body: Array(Bodies.note("half", title: "x").utf8))
        let head = SocketCloud.bytes(of: save).dropLast(save.body.count + (missing == 0 ? 4 : 0))
        let body = missing == 0 ? [] : save.body.dropLast(missing)
        await blocking { [port = cloud.port] in
            let client = RawClient(port: port)
            client.send(Array(head) + body)
            client.leave()
        }
        while cloud.server.openConnections > 0 { await Task.yield() }
        #expect(try await cloud.state() == before)
        await cloud.close()
    }

    @Test func `a wrong method is refused and OPTIONS answered`() async throws {
        let cloud = try await SocketCloud()
        let path = SocketCloud.path("public/records/query", of: cloud.anna)
        let wrong = await cloud.send(HTTPRequest(method: "GET", target: path))
        #expect(wrong?.status == 405 && wrong?.headers["Allow"]?.contains("POST") == true)
        let options = await cloud.send(HTTPRequest(method: "OPTIONS", target: path))
        #expect(options?.status == 200 && options?.headers["Allow"] == "GET, POST, PUT, DELETE")
        #expect(options?.headers["Access-Control-Allow-Origin"] == "*")
        #expect(options?.headers["Access-Control-Max-Age"] == "86400")
        await cloud.close()
    }

    @Test func `the log has one entry a request and no secret`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/records/modify", "not json")
        let entry = try #require(cloud.log.last)
        #expect(cloud.log.count == 3)
        #expect(entry.caller == user.name && entry.operation == "private/records/modify" && entry.status == 400)
        #expect(entry.reason?.hasPrefix("BAD_REQUEST: ") == true)
        #expect(!cloud.log.contains { "\($0)".contains(user.webToken) || "\($0)".contains(user.deviceSession) })
        await cloud.close()
    }
}

/// A request that must be refused, and how.
struct BadInput: Sendable, CustomTestStringConvertible {
    let what: String
    let status: Int
    /// `nil` when the HTTP layer answers for itself, without a protocol body.
    let code: String?
    /// What the reason contains.
    let reason: String
    /// The array whose first element is the refusal; `nil` when the request is refused as a whole.
    var item: String?
    let request: @Sendable (SocketCloud) async throws -> HTTPRequest

    var testDescription: String { what }

    /// The error object.
    func failure(in body: [UInt8]) throws -> [String: Any]? {
        let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        guard let item else { return object }
        return (object?[item] as? [Any])?.first as? [String: Any]
    }

    static let all: [BadInput] = documents + values + requests + credentials + tokens + names + counts
}
