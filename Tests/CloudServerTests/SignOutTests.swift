import CloudServer
import CloudStorage
import CloudTestSupport
import HTTPCore
import SQLCore
import Testing

/// A device that has signed out hears no more.
@Suite struct SignOutTests {
    private func courier(of user: TestUser) async throws -> String {
        let created = await user.post("tokens/create", #"{"apnsEnvironment":"development"}"#)
        let token = try #require(Bodies.string("apnsToken", in: created.body), "\(created.body)")
        let registered = await user.post(
            "tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#)
        let url = try #require(Bodies.string("webcourierURL", in: registered.body), "\(registered.body)")
        return String(url.dropFirst(TestCloud.url.count))
    }

    private func signOut(_ user: TestUser) async {
        let answer = await user.cloud.request(
            "POST", "/cumulet/1/sign-out", json: #"{"deviceSession":"\#(user.deviceSession)"}"#)
        #expect(answer.status == 200)
    }

    private func waitingPushes(in cloud: TestCloud) async throws -> Int64? {
        try await cloud.store.read { transaction in
            // Beside them there is the end of each log that was ended.
            try transaction.connection.first("SELECT count(*) FROM push WHERE length(payload) > 0") { $0.integer(0) }
        }
    }

    @Test func `a push after a sign-out reaches only the other device`() async throws {
        let cloud = try TestCloud()
        let phone = try await cloud.signIn("anna@example.org", device: "phone")
        let tablet = try await cloud.signIn("anna@example.org", device: "tablet")
        let desk = try await cloud.signIn("anna@example.org", device: "desk")
        _ = await desk.post("private/subscriptions/modify", Bodies.subscription("s1"))
        let (phonePoll, tabletPoll) = (try await courier(of: phone), try await courier(of: tablet))
        async let parked = cloud.send("GET", phonePoll + "&after=0")
        while cloud.service.parkedPolls == 0 { await Task.yield() }

        await signOut(phone)
        let ended = await parked
        #expect(ended.status == 200 && ended.body.isEmpty)
        let saved = await desk.post("private/records/modify", Bodies.note("n1", title: "milk"))
        #expect(saved.status == 200)
        let push = await cloud.send("GET", tabletPoll + "&after=0")
        #expect(String(decoding: push.body, as: UTF8.self).contains(#""rid":"n1""#))
        let late = await cloud.request("GET", phonePoll + "&after=0")
        #expect(late.status == 404 && late.body.contains("the push token is unknown"))
        #expect(try await waitingPushes(in: cloud) == 1)
        await cloud.close()
    }

    @Test func `a client of the device that chose its own id is signed out with it`() async throws {
        let cloud = try TestCloud()
        let phone = try await cloud.signIn("anna@example.org", device: "phone")
        let created = await phone.post("tokens/create", #"{"apnsEnvironment":"development","clientId":"my own"}"#)
        let url = try #require(Bodies.string("webcourierURL", in: created.body))
        await signOut(phone)
        let late = await cloud.request("GET", String(url.dropFirst(TestCloud.url.count)))
        #expect(late.status == 404 && late.body.contains("the push token is unknown"))
        await cloud.close()
    }

    @Test func `a push token of the first format is signed out by the device's id`() async throws {
        let cloud = try TestCloud()
        let phone = try await cloud.signIn("anna@example.org", device: "phone")
        let tablet = try await cloud.signIn("anna@example.org", device: "tablet")
        let polls = [try await courier(of: phone), try await courier(of: tablet)]
        try await cloud.store.write { _ = try $0.connection.execute("UPDATE push_token SET device_session = NULL") }
        await signOut(phone)
        #expect(await cloud.request("GET", polls[0] + "&after=0").status == 404)
        let left = try await cloud.store.read { transaction in
            try transaction.connection.first("SELECT client_id FROM push_token") { $0.text(0) }
        }
        #expect(left == "tablet")
        await cloud.close()
    }

    @Test func `pushes that waited for a device go with its sign-out`() async throws {
        let cloud = try TestCloud()
        let phone = try await cloud.signIn("anna@example.org", device: "phone")
        let desk = try await cloud.signIn("anna@example.org", device: "desk")
        _ = await desk.post("private/subscriptions/modify", Bodies.subscription("s1"))
        let poll = try await courier(of: phone)
        _ = await desk.post("private/records/modify", Bodies.note("n1", title: "milk"))
        #expect(await cloud.send("GET", poll + "&after=0").body.isEmpty == false)
        await signOut(phone)
        let again = try await cloud.signIn("anna@example.org", device: "phone")
        let fresh = try await courier(of: again)
        #expect(fresh != poll)
        #expect(try await waitingPushes(in: cloud) == 0)
        await cloud.close()
    }

    @Test func `ending an older session of a device leaves the newer one's pushes`() async throws {
        let cloud = try TestCloud()
        let before = try await cloud.signIn("anna@example.org", device: "phone")
        let now = try await cloud.signIn("anna@example.org", device: "phone")
        let desk = try await cloud.signIn("anna@example.org", device: "desk")
        _ = await desk.post("private/subscriptions/modify", Bodies.subscription("s1"))
        let poll = try await courier(of: now)
        await signOut(before)
        _ = await desk.post("private/records/modify", Bodies.note("n1", title: "milk"))
        let push = await cloud.send("GET", poll + "&after=0")
        #expect(String(decoding: push.body, as: UTF8.self).contains(#""rid":"n1""#))
        await cloud.close()
    }
}
