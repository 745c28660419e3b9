import CloudClient
import CloudCore
import CloudKit
import HTTPCore
import Synchronization
import Testing

/// A time that moves only when told, and waits that end with it.
private final class ManualPause: Sendable {
    private struct State {
        var now = Duration.zero
        var sleepers: [(end: Duration, waiter: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())
    /// What was waited for, in order.
    let sleeps = AsyncStream<Duration>.makeStream()

    var pause: Pause {
        Pause(
            now: { [self] in state.withLock { $0.now } },
            sleep: { [self] duration in
                await withCheckedContinuation { waiter in
                    state.withLock { $0.sleepers.append(($0.now + duration, waiter)) }
                    sleeps.continuation.yield(duration)
                }
            })
    }

    /// Waits that move the time themselves.
    var skipping: Pause {
        Pause(now: { [self] in state.withLock { $0.now } }, sleep: { [self] in advance($0) })
    }

    func advance(_ duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.end <= state.now }
            state.sleepers.removeAll { $0.end <= state.now }
            return due
        }
        for sleeper in due { sleeper.waiter.resume() }
    }
}

/// Answers each request alike, and keeps how long each might have taken.
private final class StubbornTransport: HTTPTransport {
    private let asked = Mutex<[Duration]>([])
    private let answer: Result<HTTPResponse, HTTPTransportError>
    private let meanwhile: @Sendable () -> Void

    init(_ answer: Result<HTTPResponse, HTTPTransportError>, meanwhile: @escaping @Sendable () -> Void = {}) {
        self.answer = answer
        self.meanwhile = meanwhile
    }

    var timeouts: [Duration] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        asked.withLock { $0.append(timeout) }
        meanwhile()
        return try answer.get()
    }
}

/// Answers nothing until released.
private final class ParkedTransport: HTTPTransport {
    private let gate = AsyncStream<Void>.makeStream()

    func release() { gate.continuation.finish() }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        for await _ in gate.stream {}
        throw HTTPTransportError(.unreachable, "released")
    }
}

@Suite(.timeLimit(.minutes(5))) struct `A failed call` {
    private let time = ManualPause()

    private func post(
        over transport: any HTTPTransport, _ pause: Pause, isRead: Bool, options: CallOptions
    ) async throws -> [UInt8] {
        let connection = CloudConnection(
            store: DeviceStore(inMemory: DeviceSettings(server: "http://cloud")), transport: transport,
            environment: { _ in nil }, pause: pause)
        return try await connection.post(
            "public/records/query", of: ContainerID("iCloud.org.example"), body: [], isRead: isRead, options: options)
    }

    private static func refusal(_ code: String, retryAfter: Int? = nil) -> String {
        let wait = retryAfter.map { #","retryAfter":\#($0)"# } ?? ""
        return #"{"uuid":"1","serverErrorCode":"\#(code)","reason":"no"\#(wait)}"#
    }

    private static func refusing(_ code: String, _ status: Int, retryAfter: Int? = nil) -> StubbornTransport {
        let body = [UInt8](refusal(code, retryAfter: retryAfter).utf8)
        return StubbornTransport(.success(HTTPResponse(status: status, body: body)))
    }

    @Test func `waits as long as the service asks, by the clock it is given, and not longer`() async throws {
        let transport = ScriptedTransport([
            ScriptedTransport.json(Self.refusal("THROTTLED", retryAfter: 7), status: 429), ScriptedTransport.json("{}"),
        ])
        let call = Task {
            try await post(over: transport, time.pause, isRead: false, options: CallOptions(retry: .patient))
        }
        var sleeps = time.sleeps.stream.makeAsyncIterator()
        #expect(await sleeps.next() == .seconds(7))
        time.advance(.milliseconds(6999))
        #expect(transport.requests.count == 1)
        time.advance(.milliseconds(1))
        #expect(try await call.value == [UInt8]("{}".utf8))
        #expect(transport.requests.count == 2)
    }

    @Test(arguments: [
        (HTTPTransportError.Code.unreachable, 6, 6), (.connectionLost, 6, 1), (.timedOut, 6, 1), (.cancelled, 1, 1),
        (.invalidURL, 1, 1),
    ])
    func `is sent again only when nothing of it can have been carried out`(
        _ code: HTTPTransportError.Code, reads: Int, writes: Int
    ) async throws {
        for (isRead, attempts) in [(true, reads), (false, writes)] {
            let transport = StubbornTransport(.failure(HTTPTransportError(code, "")))
            await #expect(throws: HTTPTransportError.self) {
                try await post(
                    over: transport, time.skipping, isRead: isRead, options: CallOptions(retry: .patient))
            }
            #expect(transport.timeouts.count == attempts, "isRead: \(isRead)")
        }
    }

    @Test(arguments: [
        ("THROTTLED", 429, 6), ("TRY_AGAIN_LATER", 503, 6), ("BAD_REQUEST", 400, 1), ("CONFLICT", 409, 1),
        ("ACCESS_DENIED", 403, 1), ("INTERNAL_ERROR", 500, 1), ("QUOTA_EXCEEDED", 413, 1), ("ZONE_NOT_FOUND", 404, 1),
    ])
    func `is sent again when the service refused it for now, and not when it refused it for good`(
        _ code: String, status: Int, attempts: Int
    ) async throws {
        for isRead in [true, false] {
            let transport = Self.refusing(code, status)
            let error = await #expect(throws: CloudError.self) {
                try await post(
                    over: transport, time.skipping, isRead: isRead, options: CallOptions(retry: .patient))
            }
            #expect(error?.code.rawValue == code)
            #expect(transport.timeouts.count == attempts, "isRead: \(isRead)")
        }
    }

    @Test func `that a person waits for fails at once`() async throws {
        let transport = Self.refusing("THROTTLED", 429, retryAfter: 1)
        let error = await #expect(throws: CloudError.self) {
            try await post(over: transport, time.pause, isRead: true, options: CallOptions())
        }
        #expect(error?.retryAfter == 1)
        #expect(transport.timeouts.count == 1)
    }

    @Test func `does not begin a wait that ends after its time`() async throws {
        let transport = Self.refusing("THROTTLED", 429, retryAfter: 60)
        let options = CallOptions(retry: .patient, resourceTimeout: .seconds(59))
        let error = await #expect(throws: CloudError.self) {
            try await post(over: transport, time.pause, isRead: true, options: options)
        }
        #expect(error?.code == .throttled)
        #expect(transport.timeouts.count == 1)
    }

    @Test func `gives each attempt its own time, cut to what is left of the whole`() async throws {
        let transport = StubbornTransport(.failure(HTTPTransportError(.unreachable, ""))) { [time] in
            time.advance(.seconds(45))
        }
        let options = CallOptions(
            retry: .patient, requestTimeout: .seconds(60), resourceTimeout: .seconds(100))
        await #expect(throws: HTTPTransportError.self) {
            try await post(over: transport, time.skipping, isRead: false, options: options)
        }
        let timeouts = transport.timeouts
        #expect(timeouts.count == 3)
        #expect(timeouts.first == .seconds(60))
        #expect(timeouts.dropFirst().first.map { $0 > .seconds(54) && $0 < .seconds(55) } == true)
        #expect(timeouts.last.map { $0 < .seconds(10) } == true)
    }

    @Test func `had the time that its operation's configuration gives it, or its group's`() async throws {
        let transport = StubbornTransport(.failure(HTTPTransportError(.timedOut, "")))
        let device = CloudDevice(
            transport: transport, store: DeviceStore(inMemory: DeviceSettings()), environment: { _ in nil })
        let database = device.withCurrent { CKContainer(identifier: "iCloud.org.example").publicCloudDatabase }
        let group = CKOperationGroup()
        let shared = CKOperation.Configuration()
        shared.timeoutIntervalForRequest = 0.25
        shared.timeoutIntervalForResource = 9
        group.defaultConfiguration = shared
        let own = CKOperation.Configuration()
        own.timeoutIntervalForRequest = 20
        for configuration in [nil, own] {
            let operation = CKFetchRecordsOperation(recordIDs: [CKRecord.ID(recordName: "r")])
            operation.group = group
            operation.configuration = configuration
            let code = await withCheckedContinuation { continuation in
                operation.fetchRecordsResultBlock = { continuation.resume(returning: $0.code) }
                database.add(operation)
            }
            #expect(code == .networkFailure)
        }
        // The second is cut to what its group allows for the whole.
        #expect(transport.timeouts.first == .milliseconds(250))
        #expect(transport.timeouts.last.map { $0 > .seconds(8) && $0 <= .seconds(9) } == true)
    }

    @Test func `has not kept the thread that made it: calls return before their answer comes`() async throws {
        let transport = ParkedTransport()
        let device = CloudDevice(
            transport: transport, store: DeviceStore(inMemory: DeviceSettings()), environment: { _ in nil })
        let database = device.withCurrent { CKContainer(identifier: "iCloud.org.example").publicCloudDatabase }
        let id = CKRecord.ID(recordName: "r")
        let (errors, continuation) = AsyncStream<CKError.Code?>.makeStream()
        // All four return to this very task while nothing is answered.
        database.fetch(withRecordID: id) { _, error in continuation.yield((error as? CKError)?.code) }
        database.delete(withRecordID: id) { _, error in continuation.yield((error as? CKError)?.code) }
        let fetch = CKFetchRecordsOperation(recordIDs: [id])
        fetch.fetchRecordsResultBlock = { continuation.yield($0.code) }
        database.add(fetch)
        let zones = CKFetchRecordZonesOperation(recordZoneIDs: [.default])
        zones.database = database
        zones.fetchRecordZonesResultBlock = { continuation.yield($0.code) }
        zones.start()
        #expect(!fetch.isFinished && !zones.isFinished)
        transport.release()
        var codes: [CKError.Code?] = []
        for await code in errors.prefix(4) { codes.append(code) }
        #expect(codes == [.networkFailure, .networkFailure, .networkFailure, .networkFailure])
    }
}
