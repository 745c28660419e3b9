import CloudTestSupport
import HTTPClient
import HTTPCore
import HTTPServer
import Testing

/// Answers in gzip, over real sockets.
@Suite struct ContentCodingTests {
    private static let text = Array(String(repeating: "{\"title\":\"milk\"},", count: 500).utf8)

    private func exchange(
        accept: String?, body: [UInt8] = text, type: String = "application/json; charset=UTF-8"
    ) async throws -> HTTPResponse {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        let server = HTTPServer(configuration: configuration, responder: FixedResponder(body: body, type: type))
        let client = RawClient(port: try server.start())
        let wish = accept.map { "Accept-Encoding: \($0)\r\n" } ?? ""
        client.send("GET / HTTP/1.1\r\nHost: h\r\n\(wish)\r\n")
        let answer = try #require(client.answer())
        client.leave()
        await server.stop()
        return answer
    }

    @Test(arguments: [
        "gzip", "GZIP", "x-gzip", "deflate, gzip;q=0.5", "*", "gzip;q=1.0, identity;q=0.5", "br;q=1, gzip ; q=0.8",
    ])
    func `a client that takes gzip gets gzip`(accept: String) async throws {
        let answer = try await exchange(accept: accept)
        #expect(answer.headers["Content-Encoding"] == "gzip" && answer.headers["Vary"] == "Accept-Encoding")
        #expect(answer.body.starts(with: [0x1F, 0x8B]) && answer.body.count < Self.text.count / 4)
    }

    @Test(arguments: [
        nil, "", "identity", "br", "gzip;q=0", "gzip;q=0.0, *", "*;q=0", "identity, gzip;q=0.5", "gzip;q=x",
    ])
    func `a client that does not want gzip gets the bare text`(accept: String?) async throws {
        let answer = try await exchange(accept: accept)
        #expect(answer.headers["Content-Encoding"] == nil && answer.headers["Vary"] == "Accept-Encoding")
        #expect(answer.body == Self.text)
    }

    @Test func `a body below 2 KiB is never compressed`() async throws {
        let below = try await exchange(accept: "gzip", body: Array(Self.text.prefix(2047)))
        #expect(below.headers["Content-Encoding"] == nil && below.headers["Vary"] == nil)
        #expect(below.body.count == 2047)
        let above = try await exchange(accept: "gzip", body: Array(Self.text.prefix(2048)))
        #expect(above.headers["Content-Encoding"] == "gzip")
    }

    @Test func `what is no text or does not get smaller stays as it is`() async throws {
        let image = try await exchange(accept: "gzip", type: "image/png")
        #expect(image.headers["Content-Encoding"] == nil && image.body == Self.text)
        var generator = SystemRandomNumberGenerator()
        let noise = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let random = try await exchange(accept: "gzip", body: noise)
        #expect(random.headers["Content-Encoding"] == nil && random.body == noise)
    }

    @Test func `our own client asks for gzip and reads it`() async throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        let responder = FixedResponder(body: Self.text, type: "application/json")
        let server = HTTPServer(configuration: configuration, responder: responder)
        let url = "http://127.0.0.1:\(try server.start())/"
        let answer = try await CurlTransport().send(
            HTTPRequest(method: "GET", target: url), timeout: .seconds(20))
        #expect(answer.body == Self.text)
        await server.stop()
    }
}

/// Answers everything alike.
private struct FixedResponder: HTTPResponder {
    let body: [UInt8]
    let type: String

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        HTTPResponse(status: 200, headers: ["Content-Type": type], body: body)
    }
}
