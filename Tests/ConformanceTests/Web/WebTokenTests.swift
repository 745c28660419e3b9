import CloudTestSupport
import HTTPCore
import Testing

@Suite struct `A web token` {
    private func call(_ cloud: TestCloud, _ user: TestUser, token: String) async -> HTTPResponse {
        let path = "/database/1/\(user.container)/development/private/zones/list?ckAPIToken=\(TestCloud.apiToken())"
        return await cloud.send("POST", path + "&ckWebAuthToken=\(token.replacing("+", with: "%2B"))")
    }

    @Test(arguments: CloudSetUp.available)
    func `is renewed by every answer, and the ones before it stay good for calls on their way`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            var tokens = [user.webToken]
            for _ in 0..<3 {
                let answer = await call(cloud, user, token: user.webToken)
                #expect(answer.status == 200)
                tokens.append(try #require(answer.headers["X-Apple-CloudKit-Web-Auth-Token"]))
            }
            #expect(Set(tokens).count == 4)
            await withTaskGroup(of: Int.self) { group in
                for _ in 0..<5 { group.addTask { await call(cloud, user, token: user.webToken).status } }
                for await status in group { #expect(status == 200) }
            }
            for token in tokens { #expect(await call(cloud, user, token: token).status == 200) }
            _ = await cloud.request(
                "POST", "/cumulet/1/sign-out", json: #"{"deviceSession":"\#(user.deviceSession)"}"#)
            for token in tokens { #expect(await call(cloud, user, token: token).status == 421) }
            let caller = await user.post("public/users/caller")
            #expect(caller.status == 421 && caller.isRefusal("AUTHENTICATION_REQUIRED", naming: "redirectURL"))
        }
    }
}
