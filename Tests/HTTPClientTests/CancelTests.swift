import HTTPClient
import HTTPCore
import HTTPServer
import Synchronization
import Testing

/// Answers at once; `/park` answers when released.
private final class ParkingResponder: HTTPResponder {
    private let parked = Mutex<[CheckedContinuation<Void, Never>]>([])
    let arrivals = AsyncStream<Void>.makeStream()

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        if request.target == "/park" {
            await withCheckedContinuation { waiter in
                parked.withLock { $0.append(waiter) }
                arrivals.continuation.yield()
            }
        }
        return HTTPResponse(status: 200, body: request.body)
    }

    func release() {
        let waiters = parked.withLock { parked in
            defer { parked = [] }
            return parked
        }
        for waiter in waiters { waiter.resume() }
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A request by libcurl` {
    private let responder = ParkingResponder()
    private let transport = CurlTransport()
    private let server: HTTPServer
    private let port: UInt16

    init() throws {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        server = HTTPServer(configuration: configuration, responder: responder)
        port = try server.start()
    }

    private func send(_ path: String, timeout: Duration = .seconds(60)) async throws -> HTTPResponse {
        let body = [UInt8](repeating: 7, count: 500)
        let request = HTTPRequest(method: "POST", target: "http://127.0.0.1:\(port)\(path)", body: body)
        return try await transport.send(request, timeout: timeout)
    }

    private func code(_ path: String, timeout: Duration = .seconds(60)) async -> HTTPTransportError.Code? {
        do {
            _ = try await send(path, timeout: timeout)
            return nil
        } catch {
            return (error as? HTTPTransportError)?.code
        }
    }

    private func close() async {
        responder.release()
        await server.stop()
    }

    /// How many connections to the server this process has open at the client's end.
    private func openConnections() throws -> Int { try OwnProcess.connections(to: port).count }

    /// Lets some microseconds go by, for a cancel to meet each stage of a request.
    private func spin(_ microseconds: Int) {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .microseconds(microseconds) {}
    }

    @Test func `can be cancelled at any moment: it is answered or cancelled, and nothing hangs`() async throws {
        let outcomes = await withTaskGroup(of: [HTTPTransportError.Code?].self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var codes: [HTTPTransportError.Code?] = []
                    for round in 0..<250 {
                        let number = worker * 250 + round
                        let task = Task { await code(number % 8 == 0 ? "/park" : "/answer") }
                        spin((number &* 7919) % 400)
                        task.cancel()
                        codes.append(await task.value)
                    }
                    return codes
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(outcomes.count == 2000)
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .cancelled })
        // Requests left behind would hold the connections that these need.
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 { group.addTask { try await send("/answer").body.count } }
            for try await count in group { #expect(count == 500) }
        }
        await close()
    }

    @Test func `that is cancelled closes its connection`() async throws {
        let tasks = (0..<12).map { _ in Task { await code("/park") } }
        var arrivals = responder.arrivals.stream.makeAsyncIterator()
        for _ in tasks { await arrivals.next() }
        #expect(try openConnections() == 12)
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        while try openConnections() > 0 { await Task.yield() }
        await close()
    }

    @Test func `that was cancelled before it began is not sent`() async throws {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await code("/park")
        }
        #expect(await task.value == .cancelled)
        #expect(try openConnections() == 0)
        await close()
    }

    @Test func `ends at its time-out, below a second too, and closes its connection`() async throws {
        #expect(await code("/park", timeout: .milliseconds(40)) == .timedOut)
        while try openConnections() > 0 { await Task.yield() }
        #expect(await code("/answer") == nil)
        await close()
    }
}
