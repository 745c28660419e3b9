import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import HTTPCore
import Testing

/// Where the rate of requests holds besides the operations of the protocol.
@Suite struct `The rate of requests by URL` {
    private func withClient(
        on setUp: CloudSetUp, burst: Int, _ body: (AssetClient) async throws -> Void
    ) async throws {
        var limits = CloudLimits()
        (limits.requestsPerSecond, limits.requestBurst) = (2, burst)
        try await setUp.withCloud(limits: limits, clock: ManualClock(step: 0)) { cloud in
            try await body(AssetClient(user: try await cloud.signIn("anna@example.org")))
            #expect(try await cloud.problems() == [])
            #expect(try cloud.assetFiles().uploads == [])
        }
    }

    private func isThrottled(_ answer: HTTPResponse) -> Bool {
        let text = String(decoding: answer.body, as: UTF8.self)
        return answer.status == 429 && answer.headers["Retry-After"] == "1" && text.contains(#""THROTTLED""#)
            && text.contains(#""retryAfter":0.5"#)
    }

    @Test(arguments: CloudSetUp.ways)
    func `uploads and downloads count towards their user's one rate`(on setUp: CloudSetUp) async throws {
        try await withClient(on: setUp, burst: 5) { client in
            let clock = client.user.cloud.clock
            try await client.keep([1, 2, 3], in: "p1")  // three requests
            let download = try await client.downloadPath("p1")
            #expect(await client.download(download).status == 200)
            #expect(isThrottled(await client.download(download)))
            clock.advance(milliseconds: 500)
            let upload = try await client.uploadPath("p2")
            // A body of any size is refused before it is taken.
            #expect(isThrottled(await client.send([UInt8](repeating: 1, count: 3_000_000), to: upload)))
            #expect(await client.user.post("private/zones/list").status == 429, "it is the same rate")
            let bert = AssetClient(user: try await client.user.cloud.signIn("bert@example.org"))
            try await bert.keep([4], in: "p1")
            clock.advance(milliseconds: 500)
            #expect(await client.send([5], to: upload).status == 200)
        }
    }

    @Test func `downloads by a URL that is made out to nobody share a rate, and bad URLs use up none`() async throws {
        try await withClient(on: CloudSetUp(way: .inProcess, storage: .memory), burst: 3) { client in
            var anna = client
            anna.database = "public"
            try await anna.keep([1, 2, 3], in: "p1")
            let lookup =
                "/database/1/\(TestCloud.container)/development/public/records/lookup?ckAPIToken=\(TestCloud.apiToken())"
            let found = await client.user.cloud.request("POST", lookup, json: #"{"records":[{"recordName":"p1"}]}"#)
            let path = try client.path(try #require(Bodies.string("downloadURL", in: found.body)))
            for _ in 0..<5 { #expect(await client.download(path + "A").status == 403) }
            for _ in 0..<3 { #expect(await client.download(path).body == [1, 2, 3]) }
            #expect(isThrottled(await client.download(path)))
        }
    }

    @Test func `pages say when to try again, too`() async throws {
        let members = try SharedCloud.Members()
        let (cloud, link) = (members.cloud, try await members.share())
        let token = try await cloud.store.write { transaction in
            try transaction.createAPIToken(
                container: ContainerID(TestCloud.container), environment: .development, name: "test")
        }
        let paths = [
            "/cumulet/1/auth/sign-in?container=\(TestCloud.container)&environment=development&ckAPIToken=\(token)",
            "/share/\(link)/accept",
        ]
        for (number, path) in paths.enumerated() {
            func attempt() async -> HTTPResponse {
                await cloud.send("POST", path, body: Array("emailAddress=x\(number)@example.org&password=wrong".utf8))
            }
            for _ in 0..<10 { #expect(await attempt().status == 401) }
            let answer = await attempt()
            #expect(answer.status == 429 && answer.headers["Retry-After"] == "60", "\(path)")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("too many failed sign-ins"))
        }
        await cloud.close()
    }
}
