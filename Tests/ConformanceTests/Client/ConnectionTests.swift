import CloudClient
import CloudCore
import HTTPCore
import Testing

@Suite struct `A connection to the service` {
    static let webToken = ScriptedTransport.json(##"{"ckWebAuthToken":"a+/=","userRecordName":"_u"}"##)
    static let container = ContainerID("iCloud.org.example")

    func connection(_ transport: ScriptedTransport, signedIn: Bool = true) -> CloudConnection {
        CloudConnection(
            store: DeviceStore(
                inMemory: DeviceSettings(
                    deviceID: "D 1", server: "http://cloud", emailAddress: signedIn ? "a@b.c" : nil,
                    deviceSession: signedIn ? "session" : nil)),
            transport: transport, environment: { _ in nil })
    }

    func post(_ connection: CloudConnection, isRead: Bool, options: CallOptions = CallOptions()) async throws -> String
    {
        let bytes = try await connection.post(
            "private/zones/list", of: Self.container, body: [123, 125], isRead: isRead, options: options)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a signed-in device fetches a web token once, sends it percent-encoded and takes a fresher one over`()
        async throws
    {
        let transport = ScriptedTransport([
            Self.webToken, ScriptedTransport.json("{}", headers: ["x-apple-cloudkit-web-auth-token": "fresh"]),
            ScriptedTransport.json("{}"),
        ])
        let connection = connection(transport)
        _ = try await post(connection, isRead: true)
        _ = try await post(connection, isRead: true)
        let targets = transport.requests.map(\.target)
        #expect(targets.count == 3)
        #expect(targets[0] == "http://cloud/cumulet/1/web-token")
        #expect(targets[1].hasPrefix("http://cloud/database/1/iCloud.org.example/development/private/zones/list?"))
        #expect(targets[1].contains("&ckWebAuthToken=a%2B%2F%3D&"))
        #expect(targets[1].hasSuffix("&clientId=D%201"))
        #expect(targets[2].contains("&ckWebAuthToken=fresh&"))
    }

    @Test(arguments: [401, 421])
    func `a refused web token is renewed once and the request sent again`(status: Int) async throws {
        let refusal = ScriptedTransport.json(
            ##"{"uuid":"1","serverErrorCode":"AUTHENTICATION_FAILED","reason":"Authentication failed"}"##,
            status: status)
        let transport = ScriptedTransport([Self.webToken, refusal, Self.webToken, ScriptedTransport.json("{}")])
        #expect(try await post(connection(transport), isRead: false) == "{}")

        let stubborn = ScriptedTransport([Self.webToken, refusal, Self.webToken, refusal])
        let error = await #expect(throws: CloudError.self) { try await post(connection(stubborn), isRead: false) }
        #expect(error?.code == .authenticationFailed)
    }

    @Test func `a device without an account sends no web token`() async throws {
        let transport = ScriptedTransport([ScriptedTransport.json("{}")])
        _ = try await post(connection(transport, signedIn: false), isRead: true)
        #expect(!transport.requests[0].target.contains("ckWebAuthToken"))
    }

    @Test func `a write whose reply was lost is never sent twice, a read is`() async throws {
        let write = ScriptedTransport([Self.webToken, ScriptedTransport.failure(.connectionLost)])
        let error = await #expect(throws: HTTPTransportError.self) {
            try await post(connection(write), isRead: false, options: CallOptions(retry: .patient))
        }
        #expect(error?.code == .connectionLost)
        #expect(write.requests.count == 2)

        let read = ScriptedTransport([
            Self.webToken, ScriptedTransport.failure(.connectionLost), ScriptedTransport.json("{}"),
        ])
        #expect(try await post(connection(read), isRead: true) == "{}")
    }

    @Test func `only patient calls wait as long as the service asks`() {
        let throttled = CloudError(.throttled, "slow down", retryAfter: 7)
        #expect(RetryPolicy.failFast.delay(after: throttled, isRead: true, attempt: 1) == nil)
        #expect(RetryPolicy.patient.delay(after: throttled, isRead: false, attempt: 1) == 7)
        #expect(RetryPolicy.patient.delay(after: throttled, isRead: false, attempt: 6) == nil)
        let refused = CloudError(.badRequest, "no")
        #expect(RetryPolicy.patient.delay(after: refused, isRead: true, attempt: 1) == nil)
        let unreachable = HTTPTransportError(.unreachable, "down")
        #expect(RetryPolicy.failFast.delay(after: unreachable, isRead: true, attempt: 1) == nil)
        #expect(RetryPolicy.patient.delay(after: unreachable, isRead: false, attempt: 3, jitter: 1) == 2)
    }

    @Test func `an answer that is not ours becomes an error by its status`() {
        let response = HTTPResponse(status: 502, headers: ["Retry-After": "3"], body: [UInt8]("<html>".utf8))
        let error = Refusal.error(of: response)
        #expect(error.code == .tryAgainLater)
        #expect(error.retryAfter == 3)
    }
}
