import CloudTestSupport
import HTTPCore
import HTTPServer
import Synchronization
import Testing

/// Answers every request with a body that goes on, and gives the test its other end.
private final class LiveResponder: HTTPResponder {
    let bodies = AsyncStream<HTTPLiveBody>.makeStream()
    let limit: Int

    init(limit: Int) { self.limit = limit }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let body = HTTPLiveBody(limit: limit, beat: Array(":\n\n".utf8))
        bodies.continuation.yield(body)
        return HTTPResponse(status: 200, headers: ["Content-Type": "text/event-stream"], live: body)
    }
}

@Suite struct LiveAnswerTests {
    private func withServer(
        limit: Int = 1 << 20, beatSeconds: Int = 3600, _ body: (UInt16, HTTPServer, LiveResponder) async throws -> Void
    ) async throws {
        let responder = LiveResponder(limit: limit)
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        configuration.beatSeconds = beatSeconds
        configuration.requestSeconds = 1
        configuration.idleSeconds = 1
        let server = HTTPServer(configuration: configuration, responder: responder)
        try await body(try server.start(), server, responder)
        await server.stop()
    }

    private func connect(_ port: UInt16, _ responder: LiveResponder) async throws -> (RawClient, HTTPLiveBody) {
        let client = RawClient(port: port)
        client.send("GET /live HTTP/1.1\r\nHost: h\r\n\r\n")
        for await body in responder.bodies.stream { return (client, body) }
        throw CancellationError()
    }

    /// Reads until `text` has come, or the server ends the connection.
    private func read(_ client: RawClient, until text: String) async -> String {
        await blocking {
            var all = ""
            while !all.contains(text) {
                let piece = client.receive()
                if piece.isEmpty { return all }
                all += piece
            }
            return all
        }
    }

    /// The connection's end, told to the sender.
    private func isOver(_ body: HTTPLiveBody) async {
        await withCheckedContinuation { end in body.whenOver { end.resume() } }
    }

    @Test func `an answer goes on as long as something is added, and ends when it is ended`() async throws {
        try await withServer { port, _, responder in
            let (client, body) = try await connect(port, responder)
            for word in ["first", "second", "third"] {
                #expect(body.send(Array(word.utf8)))
                #expect(await read(client, until: word).contains(word))
            }
            body.send(Array("last".utf8))
            body.end()
            #expect(await read(client, until: "0\r\n\r\n").contains("last"))
            await isOver(body)
            #expect(!body.send([1]))
            client.leave()
        }
    }

    @Test func `silence ends no answer that goes on, and is broken by a beat`() async throws {
        try await withServer(beatSeconds: 2) { port, _, responder in
            let (client, body) = try await connect(port, responder)
            // Idle and request time are a second here.
            #expect(await read(client, until: ":\n\n").contains(":\n\n"))
            #expect(await read(client, until: ":\n\n").contains(":\n\n"))
            #expect(body.send(Array("still here".utf8)))
            #expect(await read(client, until: "here").contains("still here"))
            client.leave()
            await isOver(body)
        }
    }

    @Test func `a peer that leaves is noticed, though nothing is sent`() async throws {
        try await withServer { port, server, responder in
            let (client, body) = try await connect(port, responder)
            client.leave()
            await isOver(body)
            #expect(!body.send(Array("nobody".utf8)))
        }
    }

    @Test func `a peer that does not read is dropped when too much waits for it`() async throws {
        try await withServer(limit: 100_000) { port, _, responder in
            let (client, body) = try await connect(port, responder)
            let piece = [UInt8](repeating: 65, count: 50_000)
            var sent = 0
            while body.send(piece), sent < 10_000 { sent += 1 }
            #expect(sent < 10_000)
            #expect(body.isOver)
            #expect(await blocking { client.isEnded() })
            client.leave()
        }
    }

    @Test func `many bytes come whole and in order`() async throws {
        try await withServer { port, _, responder in
            let (client, body) = try await connect(port, responder)
            let text = (0..<40_000).map { "\($0)\n" }.joined()
            #expect(body.send(Array(text.utf8)))
            body.end()
            let answer = await read(client, until: "\r\n0\r\n\r\n")
            let chunks = answer.components(after: "\r\n\r\n")
            #expect(chunks == text)
            client.leave()
        }
    }

    @Test func `stopping ends the answers that go on`() async throws {
        try await withServer { port, server, responder in
            let (client, body) = try await connect(port, responder)
            body.send(Array("hello".utf8))
            #expect(await read(client, until: "hello").contains("hello"))
            await server.stop()
            #expect(body.isOver)
            #expect(await blocking { client.isEnded() })
            client.leave()
        }
    }

    @Test func `what is sent late reaches no connection that came after`() async throws {
        try await withServer { port, _, responder in
            for _ in 0..<20 {
                let (old, stale) = try await connect(port, responder)
                old.leave()
                await isOver(stale)
                let (client, body) = try await connect(port, responder)
                stale.send(Array("stale".utf8))
                body.send(Array("fresh".utf8))
                let seen = await read(client, until: "fresh")
                #expect(seen.contains("fresh") && !seen.contains("stale"))
                client.leave()
                await isOver(body)
            }
        }
    }
}

extension String {
    /// The content of a chunked body.
    fileprivate func components(after head: String) -> String {
        guard let start = firstRange(of: head)?.upperBound else { return "" }
        var rest = Array(self[start...].utf8)[...]
        var content: [UInt8] = []
        while let line = rest.firstRange(of: [13, 10]) {
            guard let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16), size > 0 else {
                break
            }
            content += rest[line.upperBound...].prefix(size)
            rest = rest[line.upperBound...].dropFirst(size + 2)
        }
        return String(decoding: content, as: UTF8.self)
    }

    @Test func `bytes come in their order, whatever is added between the parts that are taken`() {
        let body = HTTPLiveBody(limit: 10)
        var taken: [UInt8] = []
        func take(_ count: Int) -> HTTPLiveBody.Piece {
            var part = [UInt8](repeating: 0, count: count)
            let piece = part.withUnsafeMutableBytes { body.take(into: $0) }
            if case .bytes(let count) = piece { taken += part[..<count] }
            return piece
        }
        #expect(body.send([1, 2, 3, 4, 5, 6]))
        #expect(take(4) == .bytes(4))
        // What was sent counts no more: eight wait, which is less than ten.
        #expect(body.send([7, 8, 9, 10, 11, 12]))
        #expect(take(5) == .bytes(5) && take(5) == .bytes(3) && take(5) == .nothing)
        #expect(taken == Array(1...12))
        #expect(!body.send(Array(repeating: 0, count: 11)))
        #expect(take(5) == .gone)
    }
}
