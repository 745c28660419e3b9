import Glibc
import HTTPClient
import HTTPCore
import Testing

/// What goes over the wire, and what becomes of it when a server or the network does not do its part.
@Suite(.timeLimit(.minutes(5))) struct `A message by libcurl` {
    private let transport = CurlTransport()

    private func send(
        _ method: String = "GET", to server: ScriptedServer, _ path: String = "/", headers: HTTPHeaders = HTTPHeaders(),
        body: String = ""
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let request = HTTPRequest(
            method: method, target: "http://127.0.0.1:\(server.port)\(path)", headers: headers, body: Array(body.utf8))
        return try await transport.send(request, timeout: .seconds(60))
    }

    private func code(_ method: String, to server: ScriptedServer) async -> HTTPTransportError.Code? {
        do {
            _ = try await send(method, to: server, body: method == "GET" ? "" : "note")
            return nil
        } catch {
            return error.code
        }
    }

    private static let empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    @Test func `has the fields and the target that it was given, and none that make a server wait`() async throws {
        let server = ScriptedServer([.answer(Self.empty)])
        let large = String(repeating: "a", count: 2_000_000)
        _ = try await send(
            "POST", to: server, "/a/../b%2f?c=d", headers: ["X-One": "1", "X-Empty": "", "x-one": "2"], body: large)
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /a/../b%2f?c=d HTTP/1.1\r\n") && request.hasSuffix("\r\n\r\n" + large))
        let lines = request.prefix(2000).split(separator: "\r\n").map(String.init)
        #expect(lines.contains("X-One: 1") && lines.contains("x-one: 2") && lines.contains { $0.hasPrefix("X-Empty:") })
        #expect(lines.contains("Content-Length: 2000000"))
        #expect(!lines.contains { $0.hasPrefix("Expect") || $0.hasPrefix("Content-Type") })
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
    func `of each method may be without a body`(method: String) async throws {
        let server = ScriptedServer([.answer("HTTP/1.1 204 Done\r\n\r\n")])
        #expect(try await send(method, to: server).status == 204)
        #expect(server.requests.first?.hasPrefix("\(method) / HTTP/1.1\r\n") == true)
    }

    @Test(arguments: ["PUT", "DELETE", "PATCH"])
    func `of each method may have one`(method: String) async throws {
        let server = ScriptedServer([.answer(Self.empty)])
        #expect(try await send(method, to: server, body: "note").status == 200)
        #expect(server.requests.first?.hasSuffix("\r\n\r\nnote") == true)
    }

    @Test func `comes with all its fields, in order, those of an interim answer left out`() async throws {
        let server = ScriptedServer([
            .answer(
                "HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\nHTTP/1.1 207 Some\r\nSet: a\r\nset:  b \t\r\nNone:\r\n"
                    + "Content-Length: 3\r\n\r\nabc")
        ])
        let answer = try await send(to: server)
        #expect(answer.status == 207 && answer.body == Array("abc".utf8))
        #expect(answer.headers.values(of: "SET") == ["a", "b"] && answer.headers["None"] == "")
        #expect(answer.headers["X-Interim"] == nil)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\nContent-Le", "220 mail.example.com ready\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func `that is cut short, or is none, is a lost connection`(answer: String) async {
        let server = ScriptedServer([.last(answer)])
        #expect(await code("POST", to: server) == .connectionLost)
    }

    @Test func `to a server that does not speak TLS is a lost connection`() async throws {
        let server = ScriptedServer([.last("220 mail.example.com ready\r\n")], isSpeakingFirst: true)
        let request = HTTPRequest(method: "GET", target: "https://127.0.0.1:\(server.port)/")
        let error = await #expect(throws: HTTPTransportError.self) {
            try await transport.send(request, timeout: .seconds(60))
        }
        #expect(error?.code == .connectionLost)
    }

    @Test(arguments: ["POST", "PUT", "DELETE"])
    func `that a server may have carried out is not sent twice`(method: String) async throws {
        // The connection of the first request is used for the second, and lost.
        let server = ScriptedServer([.answer(Self.empty), .leave, .answer(Self.empty)])
        #expect(await code(method, to: server) == nil)
        #expect(await code(method, to: server) == .connectionLost)
        #expect(server.requests.count == 2)
        #expect(await code(method, to: server) == nil)
    }

    @Test func `that only reads is sent once more when the connection that it went by is lost`() async throws {
        let server = ScriptedServer([.answer(Self.empty), .leave, .answer(Self.empty)])
        #expect(await code("GET", to: server) == nil)
        #expect(await code("GET", to: server) == nil)
        #expect(server.requests.count == 3)
    }

    @Test func `is told to have reached nobody only when it has`() async throws {
        let server = ScriptedServer([.answer(Self.empty), .vanish])
        #expect(await code("GET", to: server) == nil)
        // It went out on a connection that was lost, and then there was no server.
        #expect(await code("GET", to: server) == .connectionLost)
        #expect(await code("GET", to: server) == .unreachable)
    }

    @Test(arguments: ["/a", "h/a", "ftp://h/a", "http:///a", "http://", "http://h:port/", "http://a b/", ""])
    func `needs an absolute URL`(target: String) async {
        let error = await #expect(throws: HTTPTransportError.self) {
            try await transport.send(HTTPRequest(method: "GET", target: target), timeout: .seconds(60))
        }
        #expect(error?.code == .invalidURL, "\(String(describing: error))")
    }

    @Test func `is followed where it is redirected to, by GET unless it is to stay as it is`() async throws {
        let there = ScriptedServer(
            Array(repeating: .answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nthere"), count: 3))
        func redirect(_ status: Int) -> ScriptedServer.Act {
            .answer(
                "HTTP/1.1 \(status) There\r\nLocation: http://127.0.0.1:\(there.port)/x\r\nContent-Length: 4\r\n\r\nhere"
            )
        }
        let here = ScriptedServer([redirect(302), redirect(302), redirect(307)])
        for method in ["GET", "POST", "POST"] {
            let answer = try await send(method, to: here, body: method == "POST" ? "note" : "")
            #expect(answer.body == Array("there".utf8) && answer.headers["Location"] == nil)
        }
        #expect(there.requests.map { $0.prefix(6) } == ["GET /x", "GET /x", "POST /"])
        #expect(there.requests.last?.hasSuffix("\r\n\r\nnote") == true)
    }

    @Test func `does not go round in circles`() async throws {
        let server = ScriptedServer(
            Array(repeating: .answer("HTTP/1.1 302 Here\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"), count: 20))
        #expect(await code("GET", to: server) == .connectionLost)
        #expect(server.requests.count == 17)
    }

    @Test func `to this machine goes through no proxy, and to others through the environment's`() async {
        await #expect(processExitsWith: .success) {
            let proxy = ScriptedServer([.answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy")])
            for name in ["http_proxy", "all_proxy"] { setenv(name, "http://127.0.0.1:\(proxy.port)", 1) }
            setenv("no_proxy", "example.com", 1)
            let transport = CurlTransport()
            for host in ["127.0.0.1", "localhost"] {
                let server = ScriptedServer([.answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nself")])
                let answer = try await transport.send(
                    HTTPRequest(method: "GET", target: "http://\(host):\(server.port)/"), timeout: .seconds(60))
                #expect(answer.body == Array("self".utf8))
            }
            // Nobody listens there, and the proxy does not hear of it.
            await #expect(throws: HTTPTransportError.self) {
                try await transport.send(HTTPRequest(method: "GET", target: "http://[::1]:1/"), timeout: .seconds(60))
            }
            let answer = try await transport.send(
                HTTPRequest(method: "GET", target: "http://cumulet.invalid/a"), timeout: .seconds(60))
            #expect(answer.body == Array("proxy".utf8))
            #expect(proxy.requests.first?.hasPrefix("GET http://cumulet.invalid/a HTTP/1.1\r\n") == true)
        }
    }
}
