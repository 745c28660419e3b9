import CloudServer
import CloudTestSupport
import HTTPCore
import Testing

@Suite struct PushTests {
    private func courier(of user: TestUser) async throws -> String {
        let created = await user.post("tokens/create", #"{"apnsEnvironment":"development"}"#)
        let token = try #require(Bodies.string("apnsToken", in: created.body), "\(created.body)")
        let registered = await user.post(
            "tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#)
        #expect(registered.status == 200)
        let url = try #require(Bodies.string("webcourierURL", in: registered.body))
        #expect(url.hasPrefix(TestCloud.url) && !url.contains("%"))
        return String(url.dropFirst(TestCloud.url.count))
    }

    @Test func `a save by one device wakes the poll of the other and not its own`() async throws {
        let cloud = try TestCloud { $0.longestPoll = .zero }
        let phone = try await cloud.signIn("anna@example.org", device: "phone")
        let tablet = try await cloud.signIn("anna@example.org", device: "tablet")
        _ = await phone.post("private/subscriptions/modify", Bodies.subscription("s1"))
        let phonePoll = try await courier(of: phone)
        let waiting = try TestPolls(cloud)
        let tabletPoll = try await courier(of: tablet)
        let saved = await phone.post("private/records/modify", Bodies.note("n1", title: "milk"))
        #expect(saved.status == 200)
        let push = await waiting.untilAnswer(tabletPoll)
        let text = String(decoding: push.body, as: UTF8.self)
        #expect(text.contains(#""sid":"s1""#) && text.contains(#""rid":"n1""#))
        #expect(push.headers["X-Cumulet-Push-Sequence"] == "1")
        let own = await cloud.send("GET", phonePoll)
        #expect(own.status == 200 && own.body.isEmpty)
        let again = await cloud.send("GET", tabletPoll)
        #expect(again.body.isEmpty)
        await cloud.close()
    }

    @Test func `a parked poll is answered by a push`() async throws {
        let cloud = try TestCloud()
        let phone = try await cloud.signIn("anna@example.org", device: "phone")
        let tablet = try await cloud.signIn("anna@example.org", device: "tablet")
        _ = await phone.post("private/subscriptions/modify", Bodies.subscription("s1"))
        let poll = try await courier(of: tablet)
        async let answer = cloud.send("GET", poll)
        while cloud.service.parkedPolls == 0 { await Task.yield() }
        _ = await phone.post("private/records/modify", Bodies.note("n1", title: "milk"))
        #expect(String(decoding: await answer.body, as: UTF8.self).contains(#""rid":"n1""#))
        await cloud.close()
    }

    @Test func `a poll with a place in the log loses nothing when it is repeated`() async throws {
        let cloud = try TestCloud { $0.longestPoll = .zero }
        let phone = try await cloud.signIn("anna@example.org", device: "phone")
        let tablet = try await cloud.signIn("anna@example.org", device: "tablet")
        _ = await phone.post("private/subscriptions/modify", Bodies.subscription("s1"))
        let poll = try await courier(of: tablet)
        _ = await phone.post("private/records/modify", Bodies.note("n1", title: "milk"))
        _ = await phone.post("private/records/modify", Bodies.note("n2", title: "eggs"))
        let waiting = try TestPolls(cloud)
        let first = await waiting.untilAnswer(poll + "&after=0")
        let repeated = await waiting.untilAnswer(poll + "&after=0")
        #expect(first.body == repeated.body)
        let sequence = try #require(first.headers["X-Cumulet-Push-Sequence"])
        let second = await waiting.untilAnswer(poll + "&after=\(sequence)")
        #expect(String(decoding: second.body, as: UTF8.self).contains(#""rid":"n2""#))
        await cloud.close()
    }

    @Test func `stopping the service answers parked polls`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let poll = try await courier(of: user)
        async let answer = cloud.send("GET", poll)
        while cloud.service.parkedPolls == 0 { await Task.yield() }
        await cloud.close()
        let response = await answer
        #expect(response.status == 200 && response.body.isEmpty)
    }

    @Test func `another account's push token cannot be bound`() async throws {
        let cloud = try TestCloud()
        let anna = try await cloud.signIn("anna@example.org")
        let bert = try await cloud.signIn("bert@example.org")
        let created = await anna.post("tokens/create", #"{"apnsEnvironment":"development"}"#)
        let token = try #require(Bodies.string("apnsToken", in: created.body))
        let answer = await bert.post(
            "tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#)
        #expect(answer.status == 400)
        await cloud.close()
    }
}

/// Polls that end at once, repeated until the push that must come is there.
private struct TestPolls {
    let cloud: TestCloud

    init(_ cloud: TestCloud) throws { self.cloud = cloud }

    func untilAnswer(_ path: String) async -> HTTPResponse {
        while true {
            let response = await cloud.send("GET", path)
            if response.status != 200 || !response.body.isEmpty { return response }
            await Task.yield()
        }
    }
}
