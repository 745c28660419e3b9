import Foundation
import HTTPClient
import HTTPCore
import HTTPServer
import Synchronization
import Testing

/// Takes bodies as streams: `/take` counts the bytes, `/refuse` answers after the first piece, `/stall` reads nothing more
/// until it is released.
private final class StreamingResponder: HTTPResponder {
    private let stalled = Mutex<(waiters: [CheckedContinuation<Void, Never>], isOver: Bool)>(([], false))

    private func stall() async {
        await withCheckedContinuation { waiter in
            let isOver = stalled.withLock { stalled in
                if !stalled.isOver { stalled.waiters.append(waiter) }
                return stalled.isOver
            }
            if isOver { waiter.resume() }
        }
    }

    func release() {
        let waiters = stalled.withLock { stalled in
            defer { stalled = ([], true) }
            return stalled.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    func streamsBody(of head: HTTPRequest) -> Bool { true }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard let body = request.stream else { return HTTPResponse(status: 500) }
        var count = 0
        do {
            while let piece = try await body.next() {
                count += piece.count
                if request.target == "/refuse" { return HTTPResponse(status: 413, body: Array("too large".utf8)) }
                if request.target == "/stall" { await stall() }
            }
        } catch {
            return HTTPResponse(status: 400)
        }
        return HTTPResponse(status: 200, body: Array("\(count)".utf8))
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A file sent by libcurl` {
    private let responder = StreamingResponder()
    private let transport = CurlTransport()
    private let server: HTTPServer
    private let port: UInt16
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
    private let size = 20_000_000

    init() throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        server = HTTPServer(configuration: configuration, responder: responder)
        port = try server.start()
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(size))
    }

    private func send(
        _ path: String, timeout: Duration = .seconds(60), progress: @escaping @Sendable (Int64) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: "POST", target: "http://127.0.0.1:\(port)\(path)",
            headers: ["Content-Type": "application/octet-stream"])
        request.upload = HTTPUpload(path: file.path, size: Int64(size), progress: progress)
        return try await transport.send(request, timeout: timeout)
    }

    private func close() async throws {
        responder.release()
        await server.stop()
        try FileManager.default.removeItem(at: file)
    }

    @Test func `arrives whole, and tells of each part that got away`() async throws {
        let told = Mutex<[Int64]>([])
        let answer = try await send("/take") { sent in told.withLock { $0.append(sent) } }
        #expect(answer.status == 200 && String(decoding: answer.body, as: UTF8.self) == "\(size)")
        let parts = told.withLock { $0 }
        #expect(parts.count > 10 && parts == parts.sorted() && parts.last == Int64(size))
        try await close()
    }

    @Test func `is answered when the server has heard enough`() async throws {
        let answer = try await send("/refuse")
        #expect(answer.status == 413 && String(decoding: answer.body, as: UTF8.self) == "too large")
        try await close()
    }

    @Test func `times out when nothing of it gets away, however much did before`() async throws {
        let error = await #expect(throws: HTTPTransportError.self) { try await send("/stall", timeout: .seconds(1)) }
        #expect(error?.code == .timedOut)
        try await close()
    }

    @Test func `ends at once when it is cancelled`() async throws {
        let (parts, part) = AsyncStream.makeStream(of: Int64.self)
        let task = Task { try await send("/stall") { part.yield($0) } }
        var iterator = parts.makeAsyncIterator()
        _ = await iterator.next()
        task.cancel()
        let error = await #expect(throws: HTTPTransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        try await close()
    }
}
