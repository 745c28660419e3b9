import Foundation
import HTTPClient
import HTTPCore
import HTTPServer
import Synchronization
import Testing

/// Echoes bodies, and counts the bytes of those that come as streams. A request for `/park` waits until it is given up.
private struct Echo: HTTPResponder {
    func streamsBody(of head: HTTPRequest) -> Bool { head.target == "/stream" }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        if request.target == "/park" { try? await Task.sleep(for: .seconds(600)) }
        guard let stream = request.stream else { return HTTPResponse(status: 200, body: request.body) }
        var count = 0
        do { while let piece = try await stream.next() { count += piece.count } } catch {
            return HTTPResponse(status: 400)
        }
        return HTTPResponse(status: 200, body: Array("\(count)".utf8))
    }
}

private struct Loopback {
    let server: HTTPServer
    let port: UInt16
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
    let size: Int

    init(size: Int = 0) throws {
        self.size = size
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        server = HTTPServer(configuration: configuration, responder: Echo())
        port = try server.start()
        #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(size))
    }

    func upload(progress: @escaping @Sendable (Int64) -> Void = { _ in }) -> HTTPRequest {
        var request = HTTPRequest(method: "POST", target: "http://127.0.0.1:\(port)/stream")
        request.upload = HTTPUpload(path: file.path, size: Int64(size), progress: progress)
        return request
    }

    func get(_ path: String) -> HTTPRequest { HTTPRequest(method: "GET", target: "http://127.0.0.1:\(port)\(path)") }

    func close() async throws {
        await server.stop()
        try FileManager.default.removeItem(at: file)
    }
}

/// What a transport leaves behind. In processes of their own: what a process has open is counted.
@Suite(.timeLimit(.minutes(5))) struct `A transport leaves nothing behind` {
    @Test func `of uploads that are cancelled at every moment`() async {
        await #expect(processExitsWith: .success) {
            let here = try Loopback(size: 3_000_000)
            let transport = CurlTransport()
            _ = try await transport.send(here.get("/"), timeout: .seconds(60))
            let before = try OwnProcess.descriptors().count
            // The time that a whole one takes is the span over which the cancels are spread.
            let start = ContinuousClock.now
            _ = try await transport.send(here.upload(), timeout: .seconds(60))
            let span = ContinuousClock.now - start
            var cancelled = 0
            for round in 0..<200 {
                let isOver = Mutex(false)
                let late = Mutex(0)
                let request = here.upload { _ in if isOver.withLock({ $0 }) { late.withLock { $0 += 1 } } }
                let task = Task {
                    defer { isOver.withLock { $0 = true } }
                    return try await transport.send(request, timeout: .seconds(60)).status
                }
                let moment = ContinuousClock.now + span * Double(round) / 180
                while ContinuousClock.now < moment { await Task.yield() }
                task.cancel()
                switch await task.result {
                case .success(let status): #expect(status == 200)
                case .failure(let error):
                    #expect((error as? HTTPTransportError)?.code == .cancelled)
                    cancelled += 1
                }
                #expect(late.withLock { $0 } == 0, "progress was told after the end")
            }
            #expect(cancelled > 20, "the cancels came too late to show anything: \(cancelled)")
            // What is left is at most the connection that the next request is for.
            while here.server.openConnections > 1 { await Task.yield() }
            while try OwnProcess.descriptors().count > before { await Task.yield() }
            let whole = try await transport.send(here.upload(), timeout: .seconds(60))
            #expect(whole.body == Array("3000000".utf8))
            try await here.close()
        }
    }

    @Test func `when it is dropped: no thread, descriptor or connection`() async {
        await #expect(processExitsWith: .success) {
            let here = try Loopback(size: 10)
            let before = try OwnProcess.descriptors().count
            for _ in 0..<20 {
                let transport = CurlTransport()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 {
                        group.addTask { try await transport.send(here.get("/"), timeout: .seconds(60)).status }
                        group.addTask { try await transport.send(here.upload(), timeout: .seconds(60)).status }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                #expect(try OwnProcess.transportThreads() >= 1 && here.server.openConnections >= 1)
            }
            while try OwnProcess.transportThreads() > 0 { await Task.yield() }
            while here.server.openConnections > 0 { await Task.yield() }
            while try OwnProcess.descriptors().count > before { await Task.yield() }
            try await here.close()
        }
    }

    @Test func `when it is dropped with its request cancelled`() async {
        await #expect(processExitsWith: .success) {
            let here = try Loopback()
            let before = try OwnProcess.descriptors().count
            let tasks = (0..<40).map { number in
                Task { try await CurlTransport().send(here.get("/park"), timeout: .seconds(600)).status }
            }
            while here.server.openConnections < 40 { await Task.yield() }
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.result.code == .cancelled) }
            while try OwnProcess.transportThreads() > 0 { await Task.yield() }
            while here.server.openConnections > 0 { await Task.yield() }
            while try OwnProcess.descriptors().count > before { await Task.yield() }
            try await here.close()
        }
    }

    @Test func `to the children of the process: neither connections nor the server's sockets`() async throws {
        let here = try Loopback()
        let transport = CurlTransport()
        _ = try await transport.send(here.get("/"), timeout: .seconds(60))
        let connections = try OwnProcess.connections(to: here.port) + OwnProcess.sockets(at: here.port)
        #expect(connections.count == 3 && !connections.contains { OwnProcess.isInherited($0) })
        try await here.close()
    }

    @Test func `of a file that cannot be read`() async throws {
        let here = try Loopback(size: 10)
        let transport = CurlTransport()
        for (path, size) in [(here.file.path + "-not", Int64(10)), (here.file.path, 11)] {
            var request = here.upload()
            request.upload = HTTPUpload(path: path, size: size)
            let error = await #expect(throws: HTTPTransportError.self) {
                try await transport.send(request, timeout: .seconds(60))
            }
            #expect(error?.code == .connectionLost && error?.description.contains(path) == true)
        }
        while here.server.openConnections > 0 { await Task.yield() }
        try await here.close()
    }
}

extension Result where Failure == any Error {
    fileprivate var code: HTTPTransportError.Code? {
        if case .failure(let error) = self { (error as? HTTPTransportError)?.code } else { nil }
    }
}
