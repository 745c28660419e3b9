import CloudServer
import CloudStorage
import CloudTestSupport
import DatabaseTestSupport
import HTTPCore
import HTTPServer
import Testing

/// Polls that wait, and clients that leave them, over real sockets.
@Suite struct ParkedPollTests {
    private func start(_ cloud: TestCloud) throws -> (HTTPServer, UInt16) {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        configuration.errorBody = CloudService.transportFailure
        let server = HTTPServer(configuration: configuration, responder: cloud.service)
        return (server, try server.start())
    }

    private func stop(_ cloud: TestCloud, _ server: HTTPServer) async {
        await cloud.service.drain()
        await server.stop()
        await cloud.store.close()
    }

    /// The target of the poll of a new push token.
    private func poll(of user: TestUser) async throws -> String {
        let created = await user.post("tokens/create", #"{"apnsEnvironment":"development"}"#)
        let url = try #require(Bodies.string("webcourierURL", in: created.body), "\(created.body)")
        let token = try #require(Bodies.string("apnsToken", in: created.body))
        let bound = await user.post("tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#)
        #expect(bound.status == 200)
        return String(url.dropFirst(TestCloud.url.count))
    }

    private func park(_ target: String, at port: UInt16) -> RawClient {
        let client = RawClient(port: port)
        client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        return client
    }

    @Test func `a poll waits 55 seconds at most, less than an idle connection lives`() {
        let longest = ServiceConfiguration(mode: .serve).longestPoll
        #expect(longest == .seconds(55))
        #expect(longest < .seconds(Int64(HTTPServerConfiguration().idleSeconds)))
    }

    @Test func `a poll whose client leaves ends soon, and its connection with it`() async throws {
        let cloud = try TestCloud()
        let (server, port) = try start(cloud)
        let user = try await cloud.signIn("anna@example.org")
        let target = try await poll(of: user)
        let clients = (0..<50).map { park(target + "&listener=\($0)", at: port) }
        let staying = park(target + "&listener=staying", at: port)
        try await until { cloud.service.parkedPolls == 51 }
        for client in clients { client.leave() }
        try await until { cloud.service.parkedPolls == 1 && server.openConnections == 1 }
        #expect(!staying.hasNews(within: 0))
        staying.leave()
        try await until { cloud.service.parkedPolls == 0 && server.openConnections == 0 }
        await stop(cloud, server)
    }

    @Test func `a client that has left takes no push away`() async throws {
        let cloud = try TestCloud()
        let (server, port) = try start(cloud)
        let phone = try await cloud.signIn("anna@example.org", device: "phone")
        let tablet = try await cloud.signIn("anna@example.org", device: "tablet")
        _ = await phone.post("private/subscriptions/modify", Bodies.subscription("s1"))
        let target = try await poll(of: tablet)
        let gone = park(target, at: port)
        try await until { cloud.service.parkedPolls == 1 }
        gone.leave()
        try await until { cloud.service.parkedPolls == 0 }
        _ = await phone.post("private/records/modify", Bodies.note("n1", title: "milk"))
        let back = park(target, at: port)
        let push = await blocking { back.answer() }
        let text = String(decoding: push?.body ?? [], as: UTF8.self)
        #expect(text.contains(#""rid":"n1""#))
        back.leave()
        await stop(cloud, server)
    }

    @Test func `polls end with their time`() async throws {
        let cloud = try TestCloud { $0.longestPoll = .milliseconds(300) }
        let (server, port) = try start(cloud)
        let user = try await cloud.signIn("anna@example.org")
        let target = try await poll(of: user)
        let staying = park(target, at: port)
        try await until { cloud.service.parkedPolls > 0 }
        let answer = await blocking { staying.answer() }
        #expect(answer?.status == 200 && answer?.body.isEmpty == true)
        staying.leave()
        try await until { cloud.service.parkedPolls == 0 && server.openConnections == 0 }
        await stop(cloud, server)
    }

    @Test func `a new poll ends the one that the same listener left behind, and no other`() async throws {
        let cloud = try TestCloud()
        let (server, port) = try start(cloud)
        let user = try await cloud.signIn("anna@example.org")
        let target = try await poll(of: user)
        let other = park(target + "&listener=other", at: port)
        var left = park(target + "&listener=own", at: port)
        try await until { cloud.service.parkedPolls == 2 }
        for _ in 0..<20 {
            let next = park(target + "&listener=own", at: port)
            let ended = await blocking { [left] in left.answer() }
            #expect(ended?.status == 200 && ended?.body.isEmpty == true)
            left.leave()
            try await until { cloud.service.parkedPolls == 2 }
            left = next
        }
        #expect(!other.hasNews(within: 0))
        other.leave()
        left.leave()
        await stop(cloud, server)
    }

    @Test func `a listener's name has a limit`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let target = try await poll(of: user) + "&listener=" + String(repeating: "l", count: 65)
        let answer = await cloud.request("GET", target)
        #expect(answer.status == 400 && answer.body.contains("listener has 65 bytes"))
        await cloud.close()
    }
}
