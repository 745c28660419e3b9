import Glibc
import CloudTestSupport
import HTTPClient
import HTTPCore
import HTTPServer
import Testing

/// What a client may do wrong, and what a stop may meet.
@Suite struct HTTPServerFaultTests {
    private let responder = EchoResponder()
    private let transport = CurlTransport()

    private func start(_ change: (inout HTTPServerConfiguration) -> Void = { _ in }) throws -> (HTTPServer, UInt16) {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        change(&configuration)
        let server = HTTPServer(configuration: configuration, responder: responder)
        return (server, try server.start())
    }

    private func get(_ port: UInt16, _ path: String, method: String = "GET") async throws -> HTTPResponse {
        try await CurlTransport().send(
            HTTPRequest(method: method, target: "http://127.0.0.1:\(port)\(path)"), timeout: .seconds(20))
    }

    @Test(arguments: ["HEAD", "OPTIONS", "PATCH", "DELETE"])
    func `every method reaches the responder`(method: String) async throws {
        let (server, port) = try start()
        #expect(try await get(port, "/m", method: method).headers["X-Method"] == method)
        await server.stop()
    }

    @Test func `two hundred requests at once are all answered`() async throws {
        let (server, port) = try start()
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let request = HTTPRequest(
                        method: "POST", target: "http://127.0.0.1:\(port)/", body: Array("\(number)".utf8))
                    return try await transport.send(request, timeout: .seconds(30)).body == request.body
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(right == 200)
        await server.stop()
    }

    @Test func `parked requests hold up no others and are answered when released`() async throws {
        let (server, port) = try start()
        let answered = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await get(port, "/park").status } }
            var arrived = 0
            for await _ in responder.arrivals.stream {
                arrived += 1
                if arrived == 20 { break }
            }
            #expect(try await get(port, "/x").status == 200)
            responder.release()
            return try await group.reduce(into: 0) { $0 += $1 == 200 ? 1 : 0 }
        }
        #expect(answered == 20)
        await server.stop()
    }

    @Test func `a client that leaves while its answer waits harms nobody`() async throws {
        let (server, port) = try start()
        let client = RawClient(port: port)
        client.send("GET /park HTTP/1.1\r\nHost: h\r\n\r\n")
        for await _ in responder.arrivals.stream { break }
        client.leave()
        responder.release()
        #expect(try await get(port, "/x").status == 200)
        await server.stop()
    }

    @Test func `a body announced far too large is answered 413 before it is sent`() throws {
        let (_, port) = try start { $0.maximumBodyBytes = 1000 }
        let client = RawClient(port: port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n")
        #expect(client.receive().hasPrefix("HTTP/1.1 413 "))
        client.leave()
    }

    @Test(arguments: [
        "Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
    ])
    func `a body whose length is given twice is refused, and nothing behind it is a request`(lengths: String)
        async throws
    {
        let (server, port) = try start()
        let client = RawClient(port: port)
        client.send("POST / HTTP/1.1\r\nHost: h\r\n\(lengths)\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
        let answer = client.receive()
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("given twice"))
        #expect(!answer.contains("/smuggled"))
        #expect(client.isEnded())
        client.leave()
        await server.stop()
    }

    @Test(
        arguments: ["POST", "GET", "PUT"],
        ["gzip", "gzip, chunked", "identity", "chunked, chunked", "x", "chunked\r\nTransfer-Encoding: gzip"])
    func `a transfer encoding that nobody knows is answered 501 at once, and nothing behind it is a request`(
        method: String, encoding: String
    ) async throws {
        let (server, port) = try start()
        let client = RawClient(port: port)
        client.send("\(method) / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \(encoding)\r\n\r\n")
        let answer = await blocking { client.answer() }
        let text = String(decoding: answer?.body ?? [], as: UTF8.self)
        #expect(answer?.status == 501 && text.contains("chunked alone is"), "\(text)")
        client.send("GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(await blocking { client.isEnded() })
        client.leave()
        await server.stop()
    }

    @Test(arguments: [
        ("x", 400), ("-1", 400), ("+1", 400), ("1,1", 400), ("0x1", 400), ("1 1", 400), ("", 400), ("1e3", 400),
        ("99999999999999999999999", 413),
    ])
    func `a length that is no number is refused in the service's form`(length: String, status: Int) async throws {
        let (server, port) = try start {
            $0.errorBody = { HTTPResponse(status: $0, headers: ["X-Form": "ours"], body: Array($1.utf8)) }
        }
        // Others that are in the middle of their heads go on.
        let other = RawClient(port: port)
        other.send("POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n")
        for _ in 0..<2 {
            let client = RawClient(port: port)
            client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n")
            let answer = await blocking { client.answer() }
            #expect(answer?.status == status && answer?.headers["X-Form"] == "ours", "\(String(describing: answer))")
            if status == 400 {
                #expect(answer.map { String(decoding: $0.body, as: UTF8.self) }?.contains("'\(length)'") == true)
            }
            #expect(await blocking { client.isEnded() })
            client.leave()
        }
        other.send("\r\nabc")
        #expect(await blocking { other.answer() }?.body == Array("abc".utf8))
        other.leave()
        await server.stop()
    }

    @Test func `bodies that together need more room than there is are answered 503, the others served`() async throws {
        let (server, port) = try start { $0.maximumBufferedBytes = 10_000 }
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 8000\r\n\r\n"
        let first = RawClient(port: port)
        first.send(head + String(repeating: "a", count: 7999))
        // Until the server has read the first, there is room.
        var refused = false
        for _ in 0..<1000 where !refused {
            let client = RawClient(port: port)
            client.send(head + String(repeating: "b", count: 8000))
            refused = client.receive().hasPrefix("HTTP/1.1 503 ")
            client.leave()
        }
        #expect(refused)
        first.send("a")
        #expect(first.receive().hasPrefix("HTTP/1.1 200 "))
        let second = RawClient(port: port)
        second.send(head + String(repeating: "c", count: 8000))
        #expect(second.receive().hasPrefix("HTTP/1.1 200 "))
        first.leave()
        second.leave()
        await server.stop()
    }

    @Test func `a chunked body arrives whole, and one over the limit is answered 413`() throws {
        let (_, port) = try start { $0.maximumBodyBytes = 1000 }
        let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let client = RawClient(port: port)
        client.send(head + "3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n")
        #expect(client.receive().hasSuffix("\r\n\r\nabcdefg"))
        let chunk = "258\r\n" + String(repeating: "a", count: 600) + "\r\n"
        client.send(head + chunk + chunk + "0\r\n\r\n")
        #expect(client.receive().hasPrefix("HTTP/1.1 413 "))
        client.leave()
    }

    @Test(arguments: ["", "GET /x HT", "POST /x HTTP/1.1\r\nHost: h\r\n"])
    func `a client that stops before its headers end is cut off`(sent: String) async throws {
        let (_, port) = try start { $0.requestSeconds = 1 }
        let client = RawClient(port: port)
        client.send(sent)
        #expect(await blocking { client.isEnded() })
        client.leave()
    }

    @Test func `a stopping server refuses connections while it still answers`() async throws {
        let (server, port) = try start { $0.loops = 2 }
        async let parked = get(port, "/park")
        for await _ in responder.arrivals.stream { break }
        async let stopped: Void = server.stop()
        while RawClient.canConnect(port: port) { await Task.yield() }
        responder.release()
        #expect(try await parked.status == 200)
        await stopped
    }

    @Test func `a client that keeps sending cannot hold up or break the stop`() async throws {
        let (server, port) = try start()
        let client = RawClient(port: port)
        let requests = String(repeating: "GET /park HTTP/1.1\r\nHost: h\r\n\r\n", count: 50)
        client.send(requests)
        for await _ in responder.arrivals.stream { break }
        await server.stop(within: 0)
        #expect(client.receive().hasPrefix("HTTP/1.1 503 "))
        client.leave()
        responder.release()
    }
}

@Suite struct TransportTests {
    @Test func `a time-out and a refused connection are told apart`() async throws {
        let responder = EchoResponder()
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        let server = HTTPServer(configuration: configuration, responder: responder)
        let url = "http://127.0.0.1:\(try server.start())/park"
        let late = await #expect(throws: HTTPTransportError.self) {
            try await CurlTransport().send(HTTPRequest(method: "GET", target: url), timeout: .seconds(1))
        }
        #expect(late?.code == .timedOut)
        responder.release()
        await server.stop()
        let refused = await #expect(throws: HTTPTransportError.self) {
            try await CurlTransport().send(HTTPRequest(method: "GET", target: url), timeout: .seconds(10))
        }
        #expect(refused?.code == .unreachable)
    }

    @Test(arguments: [
        ("http://h:1/a%20b?c=%2F#f", "/a%20b?c=%2F"), ("https://h", "/"), ("http://h?x=1", "/?x=1"),
    ])
    func `in process, an absolute URL becomes a raw target`(url: String, target: String) async throws {
        let answer = try await ResponderTransport(EchoResponder()).send(
            HTTPRequest(method: "GET", target: url), timeout: .seconds(10))
        #expect(answer.headers["X-Target"] == target)
    }
}
