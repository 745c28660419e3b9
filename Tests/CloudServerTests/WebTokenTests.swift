import CloudServer
import CloudTestSupport
import HTTPCore
import Testing

/// How a web token is followed by the next, in the lenient and in the strict mode.
@Suite struct WebTokenTests {
    private static let header = "X-Apple-CloudKit-Web-Auth-Token"

    private func list(_ user: TestUser, with token: String) async -> HTTPResponse {
        let target =
            "/database/1/\(user.container)/development/private/zones/list?"
            + "ckAPIToken=\(TestCloud.apiToken(user.container))&ckWebAuthToken=\(SocketCloud.escaped(token))"
        return await user.cloud.send("POST", target)
    }

    private func code(_ response: HTTPResponse) -> String? {
        Bodies.string("serverErrorCode", in: String(decoding: response.body, as: UTF8.self))
    }

    @Test func `every answer brings a new token, and all of a session are good while it lasts`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        var seen: Set<String> = [user.webToken]
        for _ in 0..<3 {
            let answer = await list(user, with: user.webToken)
            let next = try #require(answer.headers[Self.header])
            #expect(answer.status == 200 && seen.insert(next).inserted)
        }
        let atOnce = await withTaskGroup(of: HTTPResponse.self) { group in
            for _ in 0..<5 { group.addTask { await list(user, with: user.webToken) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        for answer in atOnce {
            let next = try #require(answer.headers[Self.header])
            #expect(answer.status == 200 && seen.insert(next).inserted)
        }
        for token in seen { #expect(await list(user, with: token).status == 200) }
        await cloud.close()
    }

    @Test(arguments: [false, true])
    func `after the sign-out every token of the session leads to the sign-in page`(isStrict: Bool) async throws {
        let cloud = try TestCloud { $0.strictWebTokens = isStrict }
        let user = try await cloud.signIn("anna@example.org")
        let fresh = try #require(await list(user, with: user.webToken).headers[Self.header])
        _ = await cloud.request("POST", "/cumulet/1/sign-out", json: #"{"deviceSession":"\#(user.deviceSession)"}"#)
        for token in [user.webToken, fresh] {
            let answer = await list(user, with: token)
            #expect(answer.status == 421 && code(answer) == "AUTHENTICATION_REQUIRED")
            #expect(String(decoding: answer.body, as: UTF8.self).contains("redirectURL"))
        }
        await cloud.close()
    }

    @Test(arguments: [false, true])
    func `another container's token is refused and stays good in its own`(isStrict: Bool) async throws {
        let cloud = try TestCloud { $0.strictWebTokens = isStrict }
        let user = try await cloud.signIn("anna@example.org")
        let other = try await cloud.signIn("anna@example.org", container: "iCloud.org.example.other")
        let refused = await list(user, with: other.webToken)
        #expect(refused.status == 401 && code(refused) == "AUTHENTICATION_FAILED")
        #expect(refused.headers[Self.header] == nil)
        #expect(await list(other, with: other.webToken).status == 200)
        await cloud.close()
    }

    @Test func `in strict mode a token is good for one request, and the answer brings the next`() async throws {
        let cloud = try TestCloud { $0.strictWebTokens = true }
        let user = try await cloud.signIn("anna@example.org")
        var token = user.webToken
        for _ in 0..<3 {
            let answer = await list(user, with: token)
            #expect(answer.status == 200)
            let spent = await list(user, with: token)
            #expect(spent.status == 401 && code(spent) == "AUTHENTICATION_FAILED")
            #expect(String(decoding: spent.body, as: UTF8.self).contains("ckWebAuthToken is spent"))
            token = try #require(answer.headers[Self.header])
        }
        await cloud.close()
    }

    @Test func `in strict mode an answer that refuses the request brings the next token too`() async throws {
        let cloud = try TestCloud { $0.strictWebTokens = true }
        let user = try await cloud.signIn("anna@example.org")
        let refused = await cloud.send("POST", user.path("private/records/modify"), body: Array("[]".utf8))
        #expect(refused.status == 400)
        let next = try #require(refused.headers[Self.header])
        #expect(await list(user, with: user.webToken).status == 401)
        #expect(await list(user, with: next).status == 200)
        await cloud.close()
    }

    @Test func `in strict mode one of several requests with one token wins`() async throws {
        let cloud = try TestCloud { $0.strictWebTokens = true }
        let user = try await cloud.signIn("anna@example.org")
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<5 { group.addTask { await list(user, with: user.webToken).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.sorted() == [200, 401, 401, 401, 401])
        await cloud.close()
    }
}
