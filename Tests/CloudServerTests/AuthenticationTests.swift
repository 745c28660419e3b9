import CloudServer
import CloudTestSupport
import HTTPCore
import Testing

@Suite struct AuthenticationTests {
    private static let base = "/database/1/\(TestCloud.container)/development"

    @Test func `without a user the answer is 421 with the sign-in page`() async throws {
        let cloud = try TestCloud()
        let answer = await cloud.send(
            "GET", "\(Self.base)/public/users/caller?ckAPIToken=\(TestCloud.apiToken())",
            headers: ["Origin": "http://localhost:3000"])
        #expect(answer.status == 421)
        let refusal = String(decoding: answer.body, as: UTF8.self)
        #expect(refusal.contains("AUTHENTICATION_REQUIRED") && refusal.contains("request needs authorization"))
        let url = try #require(Bodies.string("redirectURL", in: refusal))
        let path = String(url.dropFirst(TestCloud.url.count))
        let page = await cloud.send("GET", path)
        #expect(page.status == 200 && page.headers["Content-Type"] == "text/html; charset=UTF-8")
        let done = await cloud.send("POST", path, body: Array("emailAddress=anna%40example.org".utf8))
        let text = String(decoding: done.body, as: UTF8.self)
        #expect(text.contains("postMessage"))
        let token = try #require(text.split(separator: "const token = \"").last?.prefix { $0 != "\"" })
        // A client that leaves the token as it is: its plus signs arrive as spaces.
        let caller = await cloud.request(
            "GET", "\(Self.base)/public/users/caller?ckAPIToken=\(TestCloud.apiToken())&ckWebAuthToken=\(token)")
        #expect(caller.status == 200 && caller.body.contains("userRecordName"))
        await cloud.close()
    }

    @Test func `a callback gets the token only on this machine`() async throws {
        let cloud = try TestCloud()
        let path =
            "/cumulet/1/auth/sign-in?container=\(TestCloud.container)&environment=development"
            + "&ckAPIToken=\(TestCloud.apiToken())&callback="
        let form = Array("emailAddress=anna%40example.org".utf8)
        let near = await cloud.send("POST", path + "http%3A%2F%2F127.0.0.1%3A99%2Fdone", body: form)
        #expect(near.status == 302)
        #expect(near.headers["Location"]?.hasPrefix("http://127.0.0.1:99/done?ckWebAuthToken=") == true)
        for far in [
            "https%3A%2F%2Fevil.example", "http%3A%2F%2F127.0.0.1.evil.example",
            "http%3A%2F%2F127.0.0.1%3A1%40evil.example",
        ] {
            #expect(await cloud.send("POST", path + far, body: form).status == 400)
        }
        await cloud.close()
    }

    @Test func `every answer to a web token carries a fresh one that works`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        for operation in ["private/records/query", "private/records/lookup"] {
            let answer = await cloud.send("POST", user.path(operation), body: Array("[]".utf8))
            #expect(answer.status == 400)
            let fresh = try #require(answer.headers["X-Apple-CloudKit-Web-Auth-Token"])
            #expect(fresh != user.webToken && answer.headers["X-Apple-CloudKit-Session"] == fresh)
            let path =
                "\(Self.base)/public/users/caller?ckAPIToken=\(TestCloud.apiToken())&ckWebAuthToken=\(fresh)"
            #expect(await cloud.request("GET", path).status == 200)
        }
        await cloud.close()
    }

    @Test func `signing out ends the session at once`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        #expect(await user.post("private/zones/list").status == 200)
        let out = await cloud.request(
            "POST", "/cumulet/1/sign-out", json: #"{"deviceSession":"\#(user.deviceSession)"}"#)
        #expect(out.status == 200)
        let answer = await user.post("private/zones/list")
        #expect(answer.status == 421 && answer.body.contains("AUTHENTICATION_REQUIRED"))
        #expect(await user.post("public/users/caller").status == 421)
        await cloud.close()
    }

    @Test func `a session ends with its time`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        #expect(await user.post("private/zones/list").status == 200)
        cloud.clock.advance(milliseconds: 15 * 86_400_000)
        let over = await user.post("private/zones/list")
        #expect(over.status == 421 && over.body.contains("redirectURL"))
        await cloud.close()
    }

    @Test func `no token of one container works in another`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let other = try await cloud.signIn("anna@example.org", container: "iCloud.org.example.other")
        #expect(other.name != user.name)
        let path = "/database/1/iCloud.org.example.other/development/private/zones/list?"
        let foreignBoth = await cloud.request("POST", path + user.query)
        #expect(foreignBoth.status == 401 && foreignBoth.body.contains("Authentication failed"))
        let webToken = user.webToken.map { $0 == "+" ? "%2B" : String($0) }.joined()
        let foreignWeb = await cloud.request(
            "POST", path + "ckAPIToken=\(TestCloud.apiToken(other.container))&ckWebAuthToken=\(webToken)")
        #expect(foreignWeb.status == 401)
        await cloud.close()
    }

    @Test func `serve makes nothing by accident`() async throws {
        let cloud = try TestCloud(mode: .serve)
        let unknown = await cloud.request(
            "POST", "\(Self.base)/public/records/query?ckAPIToken=\(TestCloud.apiToken())", json: "{}")
        #expect(unknown.status == 401)
        let admin: HTTPHeaders = ["X-Cumulet-Admin": "test-secret"]
        func call(_ name: String, _ json: String, _ headers: HTTPHeaders) async -> HTTPResponse {
            await cloud.send("POST", "/cumulet/1/admin/\(name)", headers: headers, body: Array(json.utf8))
        }
        let container = #"{"container":"\#(TestCloud.container)"}"#
        #expect(await call("container-create", container, [:]).status == 403)
        #expect(await call("container-create", container, admin).status == 200)
        #expect(await call("container-create", container, admin).status == 409)
        let account = #"{"emailAddress":"anna@example.org","password":"correct horse"}"#
        #expect(await call("account-add", account, admin).status == 200)
        let made = await call(
            "token-create",
            #"{"container":"\#(TestCloud.container)","environment":"development","name":"web"}"#, admin)
        let token = try #require(Bodies.string("ckAPIToken", in: String(decoding: made.body, as: UTF8.self)))
        let probe = await cloud.request("GET", "\(Self.base)/public/users/caller?ckAPIToken=\(token)")
        #expect(probe.status == 421)
        #expect(await call("token-revoke", #"{"ckAPIToken":"\#(token)"}"#, [:]).status == 403)
        #expect(await call("token-revoke", #"{"ckAPIToken":"\#(token)"}"#, admin).status == 200)
        let late = await cloud.request("GET", "\(Self.base)/public/users/caller?ckAPIToken=\(token)")
        #expect(late.status == 401)
        #expect(await call("token-revoke", #"{"ckAPIToken":"\#(token)"}"#, admin).status == 404)

        func signIn(_ password: String, _ email: String = "anna@example.org") async -> Int {
            await cloud.request(
                "POST", "/cumulet/1/sign-in",
                json: #"{"emailAddress":"\#(email)","password":"\#(password)","deviceID":"d","deviceName":"d"}"#
            ).status
        }
        #expect(await signIn("wrong") == 401)
        #expect(await signIn("wrong", "nobody@example.org") == 401)
        #expect(await signIn("correct horse") == 200)
        #expect(!cloud.log.contains { "\($0)".contains("correct horse") || "\($0)".contains(token) })
        await cloud.close()
    }
}
