import CloudTestSupport
import Foundation
import Glibc
import HTTPClient
import HTTPCore
import HTTPServer
import Synchronization
import Testing

/// Takes bodies as streams, in the way that the path names.
private final class StreamResponder: HTTPResponder {
    let file: String
    /// What became of each stream that ended badly.
    let failures = AsyncStream<String>.makeStream()
    /// Bytes that `/slow` has read so far, told each time, and what lets it read on.
    let progress = AsyncStream<Int>.makeStream()
    let permits = AsyncStream<Void>.makeStream()

    init(file: String) { self.file = file }

    func streamsBody(of head: HTTPRequest) -> Bool { head.method == "POST" && head.target != "/whole" }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard let stream = request.stream else { return await sendFile(request) }
        var bytes: [UInt8] = []
        do {
            switch request.target {
            case "/refuse": return HTTPResponse(status: 403, body: Array("no".utf8))
            case "/think":
                // The loop goes on before the answer is there. A task of another thread would not do: clients block those.
                await Task.yield()
                return HTTPResponse(status: 403, body: Array("no".utf8))
            case "/enough":
                let count = try await stream.next()?.count ?? 0
                return HTTPResponse(status: 413, body: Array("\(count > 0)".utf8))
            case "/slow":
                for await _ in permits.stream {
                    guard let piece = try await stream.next() else { break }
                    bytes += piece
                    progress.continuation.yield(bytes.count)
                }
            default: while let piece = try await stream.next() { bytes += piece }
            }
        } catch {
            failures.continuation.yield("\(error)")
            return HTTPResponse(status: 500)
        }
        return HTTPResponse(
            status: 200, headers: ["X-Count": "\(bytes.count)"], body: request.target == "/slow" ? [] : bytes)
    }

    private func sendFile(_ request: HTTPRequest) async -> HTTPResponse {
        var found = stat()
        guard request.target == "/file", stat(file, &found) == 0 else {
            return HTTPResponse(status: 404, body: request.body)
        }
        return HTTPResponse.file(
            HTTPFile(taking: open(file, O_RDONLY | O_CLOEXEC), offset: 0, count: Int64(found.st_size)), tag: "\"tag\"",
            for: request, headers: ["Content-Type": "text/plain"])
    }
}

@Suite struct StreamingTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "streaming-\(UUID().uuidString)").path
    private let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

    private func withServer(
        _ change: (inout HTTPServerConfiguration) -> Void = { _ in },
        _ body: (UInt16, StreamResponder) async throws -> Void
    ) async throws {
        try Data(content).write(to: URL(filePath: folder))
        let responder = StreamResponder(file: folder)
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        change(&configuration)
        let server = HTTPServer(configuration: configuration, responder: responder)
        try await body(try server.start(), responder)
        await server.stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    private func send(
        _ port: UInt16, _ method: String, _ path: String, _ headers: HTTPHeaders = [:], _ body: [UInt8] = []
    )
        async throws -> HTTPResponse
    {
        try await CurlTransport().send(
            HTTPRequest(method: method, target: "http://127.0.0.1:\(port)\(path)", headers: headers, body: body),
            timeout: .seconds(30))
    }

    // MARK: - Requests

    @Test(arguments: [0, 1, 131_072, 524_288, 3_000_001])
    func `a streamed body comes whole and in order`(count: Int) async throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
        try await withServer { port, _ in
            let answer = try await send(port, "POST", "/echo", [:], bytes)
            #expect(answer.body == bytes)
        }
    }

    @Test func `a chunked body comes as one, and the connection serves the next request`() async throws {
        try await withServer { port, _ in
            let client = RawClient(port: port)
            defer { client.leave() }
            for _ in 0..<2 {
                client.send("POST /echo HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n")
                client.send("5\r\nhello\r\n")
                client.send("6;x=y\r\n world\r\n0\r\n\r\n")
                #expect(client.answer().map { String(decoding: $0.body, as: UTF8.self) } == "hello world")
            }
        }
    }

    @Test(arguments: ["/refuse", "/think"])
    func `a refusal comes before the client was asked to send`(path: String) async throws {
        try await withServer { port, _ in
            let client = RawClient(port: port)
            client.send("POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
            let answer = client.answer()
            #expect(answer?.status == 403 && answer?.headers["Connection"] == "close")
            #expect(client.isEnded())
            client.leave()
        }
    }

    @Test(arguments: ["/refuse", "/think"])
    func `a client that sends without being asked gets the refusal all the same`(path: String) async throws {
        try await withServer { port, _ in
            let client = RawClient(port: port)
            for _ in 0..<2 {
                client.send("POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n")
                client.send([UInt8](repeating: 1, count: 4_000_000))
                #expect(client.answer()?.status == 403)
            }
            client.leave()
        }
    }

    @Test func `a client that waits to be asked is asked when the body is wanted`() async throws {
        try await withServer { port, _ in
            let client = RawClient(port: port)
            client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(client.receive().hasPrefix("HTTP/1.1 100 "))
            client.send("hello")
            #expect(client.answer().map { String(decoding: $0.body, as: UTF8.self) } == "hello")
            client.leave()
        }
    }

    @Test func `an answer given in the middle reaches a client that sends everything first`() async throws {
        try await withServer { port, _ in
            let client = RawClient(port: port)
            client.send("POST /enough HTTP/1.1\r\nHost: h\r\nContent-Length: 4000000\r\n\r\n")
            client.send([UInt8](repeating: 1, count: 4_000_000))
            let answer = client.answer()
            #expect(answer?.status == 413 && answer?.body == Array("true".utf8))
            client.leave()
        }
    }

    @Test func `a reader that is busy holds the sender up`() async throws {
        try await withServer { port, responder in
            let size = 64 * 1_048_576
            let sent = Mutex(0)
            let client = RawClient(port: port)
            async let upload: Void = blocking {
                client.send("POST /slow HTTP/1.1\r\nHost: h\r\nContent-Length: \(size)\r\n\r\n")
                let piece = [UInt8](repeating: 7, count: 1_048_576)
                for _ in 0..<size / piece.count {
                    client.send(piece)
                    sent.withLock { $0 += piece.count }
                }
            }
            var read = 0
            var progress = responder.progress.stream.makeAsyncIterator()
            while read < size {
                responder.permits.continuation.yield()
                read = await progress.next() ?? size
                // What the kernel's buffers of both sides hold is not ours to bound.
                #expect(sent.withLock { $0 } < read + 24 * 1_048_576)
            }
            responder.permits.continuation.yield()
            await upload
            #expect(client.answer()?.headers["X-Count"] == "\(size)")
            client.leave()
        }
    }

    @Test func `a client that leaves in the middle ends the stream with an error`() async throws {
        try await withServer { port, responder in
            let client = RawClient(port: port)
            client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 1000000\r\n\r\n0123456789")
            client.leave()
            for await failure in responder.failures.stream {
                #expect(failure.contains("left before its request was whole"))
                break
            }
        }
    }

    @Test func `a body that trickles in is given up with 408`() async throws {
        try await withServer({ $0.requestSeconds = 1 }) { port, responder in
            let client = RawClient(port: port)
            client.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n0123456789")
            #expect(client.receive().hasPrefix("HTTP/1.1 408 "))
            for await _ in responder.failures.stream { break }
            client.leave()
        }
    }

    @Test func `streams that together need more room than there is are answered 503`() async throws {
        try await withServer({ $0.maximumBufferedBytes = 1_200_000 }) { port, _ in
            let first = RawClient(port: port)
            first.send("POST /echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(first.receive().hasPrefix("HTTP/1.1 100 "))
            let refused = try await send(port, "POST", "/echo", [:], [1])
            #expect(refused.status == 503)
            first.send("hello")
            #expect(first.answer()?.status == 200)
            let taken = try await send(port, "POST", "/echo", [:], [1])
            #expect(taken.status == 200)
            first.leave()
        }
    }

    @Test func `streams that nobody wants take no room from others`() async throws {
        try await withServer({ $0.maximumBufferedBytes = 1_200_000 }) { port, _ in
            let unwanted = (0..<4).map { _ in RawClient(port: port) }
            for client in unwanted {
                client.send("POST /refuse HTTP/1.1\r\nHost: h\r\nContent-Length: 5000000\r\n\r\n1")
            }
            let taken = try await send(port, "POST", "/echo", [:], [1])
            #expect(taken.status == 200)
            for client in unwanted { client.leave() }
        }
    }

    @Test func `a request that is not streamed still comes whole`() async throws {
        try await withServer { port, _ in
            let answer = try await send(port, "POST", "/whole", [:], [1, 2, 3])
            #expect(answer.body == [1, 2, 3])
        }
    }

    // MARK: - Answers

    @Test func `a file is sent whole with its tag`() async throws {
        try await withServer { port, _ in
            let answer = try await send(port, "GET", "/file", ["Accept-Encoding": "gzip"])
            #expect(answer.status == 200 && answer.body == content)
            #expect(answer.headers["ETag"] == "\"tag\"" && answer.headers["Accept-Ranges"] == "bytes")
        }
    }

    @Test func `a range of a file is sent as a part, on one connection after the other`() async throws {
        try await withServer { port, _ in
            let client = RawClient(port: port)
            for (range, part) in [("bytes=0-9", content[0..<10]), ("bytes=100000-", content[100_000...])] {
                client.send("GET /file HTTP/1.1\r\nHost: h\r\nRange: \(range)\r\n\r\n")
                let answer = client.answer()
                #expect(answer?.status == 206 && answer?.body == Array(part))
                #expect(
                    answer?.headers["Content-Range"] == "bytes \(part.startIndex)-\(part.endIndex - 1)/\(content.count)"
                )
            }
            client.send("GET /file HTTP/1.1\r\nHost: h\r\nRange: bytes=300000-\r\n\r\n")
            let beyond = client.answer()
            #expect(beyond?.status == 416 && beyond?.headers["Content-Range"] == "bytes */300000")
            client.leave()
        }
    }

    @Test(arguments: [
        ("If-None-Match: \"tag\"", 304), ("If-None-Match: W/\"tag\" , \"b\"", 304), ("If-None-Match: *", 304),
        ("If-None-Match: \"other\"", 200), ("Range: bytes=0-1\r\nIf-Range: \"other\"", 200),
        ("Range: bytes=0-1\r\nIf-Range: \"tag\"", 206),
    ])
    func `a condition decides what is sent`(condition: String, status: Int) async throws {
        try await withServer { port, _ in
            let client = RawClient(port: port)
            client.send("HEAD /file HTTP/1.1\r\nHost: h\r\n\(condition)\r\nConnection: close\r\n\r\n")
            let head = client.receive()
            #expect(head.hasPrefix("HTTP/1.1 \(status) ") && head.hasSuffix("\r\n\r\n"), "\(head)")
            #expect(!head.contains("Content-Length: 0"), "\(head)")
            #expect(client.isEnded())
            client.leave()
        }
    }

    @Test func `a client that leaves in the middle of a file harms nobody`() async throws {
        try await withServer { port, _ in
            for _ in 0..<20 {
                let client = RawClient(port: port)
                client.send("GET /file HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = client.receive()
                client.leave()
            }
            let answer = try await send(port, "GET", "/file")
            #expect(answer.body == content)
        }
    }
}
