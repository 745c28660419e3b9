import CloudTestSupport
import HTTPClient
import HTTPCore
import HTTPServer
import Testing

@Suite struct HTTPServerTests {
    private let responder = EchoResponder()
    private let transport = CurlTransport()

    private func start(_ change: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> (HTTPServer, UInt16) {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        change(&configuration)
        let server = HTTPServer(configuration: configuration, responder: responder)
        return (server, try server.start())
    }

    private func post(_ port: UInt16, _ path: String, _ body: [UInt8] = []) async throws -> HTTPResponse {
        try await transport.send(
            HTTPRequest(
                method: "POST", target: "http://127.0.0.1:\(port)\(path)", headers: ["X-Sent": "yes"], body: body),
            timeout: .seconds(20))
    }

    @Test func `a request arrives whole and its answer too`() async throws {
        let (server, port) = try start()
        let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        let answer = try await post(port, "/a%2Fb?q=%2B", body)
        #expect(answer.status == 200)
        #expect(answer.body == body)
        #expect(answer.headers["x-target"] == "/a%2Fb?q=%2B")
        #expect(answer.headers["x-seen"] == "yes")
        await server.stop()
    }

    @Test func `many requests at once are all answered`() async throws {
        let (server, port) = try start { $0.loops = 2 }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask { try await post(port, "/\(number)", [UInt8(number)]).body == [UInt8(number)] }
            }
            for try await isRight in group { #expect(isRight) }
        }
        await server.stop()
    }

    @Test func `a body over the limit is answered 413`() async throws {
        let (server, port) = try start { $0.maximumBodyBytes = 1000 }
        #expect(try await post(port, "/", [UInt8](repeating: 1, count: 1000)).status == 200)
        #expect(try await post(port, "/", [UInt8](repeating: 1, count: 1001)).status == 413)
        await server.stop()
    }

    @Test func `headers over the limit are refused and the server lives on`() async throws {
        let (server, port) = try start()
        let client = RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: h\r\nX-Long: \(String(repeating: "x", count: 64 * 1024))\r\n\r\n")
        let answer = client.receive()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4"))
        client.leave()
        #expect(try await post(port, "/").status == 200)
        await server.stop()
    }

    @Test func `a client that trickles its bytes is told so and cut off`() async throws {
        let (server, port) = try start { $0.requestSeconds = 1 }
        let client = RawClient(port: port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nab")
        let answer = await blocking { client.answer() }
        #expect(answer?.status == 408)
        #expect(client.isEnded())
        client.leave()
        await server.stop()
    }

    @Test func `a client that leaves in the middle of its body harms nobody`() async throws {
        let (server, port) = try start()
        for _ in 0..<20 {
            let client = RawClient(port: port)
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\npart")
            client.leave()
        }
        #expect(try await post(port, "/").status == 200)
        await server.stop()
    }

    @Test func `stopping answers what is in flight and then refuses connections`() async throws {
        let (server, port) = try start()
        async let parked = post(port, "/park", [7])
        for await _ in responder.arrivals.stream { break }
        async let stopped: Void = server.stop()
        responder.release()
        #expect(try await parked.body == [7])
        await stopped
        await #expect(throws: HTTPTransportError.self) { try await post(port, "/") }
    }

    @Test func `a parked request that is never answered gets 503 at the stop`() async throws {
        let (server, port) = try start()
        async let parked = post(port, "/park")
        for await _ in responder.arrivals.stream { break }
        await server.stop(within: 0)
        #expect(try await parked.status == 503)
        responder.release()
    }

    @Test func `an address in use is refused by name`() async throws {
        let (server, port) = try start()
        let error = #expect(throws: HTTPServerError.self) { try start { $0.port = port } }
        #expect(error?.description.contains("127.0.0.1:\(port)") == true)
        await server.stop()
    }
}
