import CloudCore
import CloudServer
import CloudTestSupport
import HTTPCore
import Testing

/// Whom the sign-in page hands web tokens.
@Suite struct OriginTests {
    private static let base = "/database/1/\(TestCloud.container)/development"
    private static let notes = "https://notes.example.org"

    /// A service of mode `serve` with an account, and an API token that was made for `origins`.
    private func serve(_ origins: [String]) async throws -> (TestCloud, apiToken: String) {
        let cloud = try TestCloud(mode: .serve)
        func call(_ name: String, _ json: String) async -> HTTPResponse {
            await cloud.send(
                "POST", "/cumulet/1/admin/\(name)", headers: ["X-Cumulet-Admin": "test-secret"], body: Array(json.utf8))
        }
        _ = await call("container-create", #"{"container":"\#(TestCloud.container)"}"#)
        _ = await call("account-add", #"{"emailAddress":"anna@example.org","password":"correct horse"}"#)
        let list = origins.map { "\"\($0)\"" }.joined(separator: ",")
        let made = await call(
            "token-create",
            #"{"container":"\#(TestCloud.container)","environment":"development","allowedOrigins":[\#(list)]}"#)
        let token = Bodies.string("ckAPIToken", in: String(decoding: made.body, as: UTF8.self))
        return (cloud, try #require(token))
    }

    private func page(_ apiToken: String, _ rest: String = "") -> String {
        "/cumulet/1/auth/sign-in?container=\(TestCloud.container)&environment=development&ckAPIToken=\(apiToken)\(rest)"
    }

    private func signIn(_ cloud: TestCloud, _ path: String) async -> HTTPResponse {
        await cloud.send("POST", path, body: Array("emailAddress=anna%40example.org&password=correct+horse".utf8))
    }

    private func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func `a token is posted to the origins of the API token and to no other`() async throws {
        let (cloud, apiToken) = try await serve([Self.notes, "https://other.example.org:8443"])
        for asked in ["", "&origin=https%3A%2F%2Fevil.example", "&origin=http%3A%2F%2Flocalhost%3A3000"] {
            let done = text(await signIn(cloud, page(apiToken, asked)))
            #expect(done.contains(#"of ["https://notes.example.org", "https://other.example.org:8443"])"#), "\(done)")
            #expect(!done.contains("evil") && !done.contains("localhost") && !done.contains("\"*\""))
        }
        await cloud.close()
    }

    @Test func `an API token without origins hands out nothing`() async throws {
        let (cloud, apiToken) = try await serve([])
        for asked in ["", "&origin=https%3A%2F%2Fnotes.example.org", "&origin=http%3A%2F%2Flocalhost"] {
            let done = text(await signIn(cloud, page(apiToken, asked)))
            #expect(done.contains("names no origin") && !done.contains("postMessage") && !done.contains("token ="))
        }
        let callback = await signIn(cloud, page(apiToken, "&callback=http%3A%2F%2F127.0.0.1%3A99%2Fdone"))
        #expect(callback.status == 400)
        await cloud.close()
    }

    @Test(arguments: [
        "https%3A%2F%2Fevil.example", "https%3A%2F%2Fnotes.example.org.evil.example", "http%3A%2F%2Fnotes.example.org",
        "https%3A%2F%2Fnotes.example.org%3A8443%2F", "https%3A%2F%2Fnotes.example.org%40evil.example",
        "https%3A%2F%2Fevil.example%5C%40notes.example.org", "https%3A%2F%2Fnotes.example.org%2F%23a",
        "http%3A%2F%2F127.0.0.1", "javascript%3A%2F%2Fnotes.example.org%2F%250Aalert(1)", "%2F%2Fnotes.example.org", "",
    ])
    func `a callback elsewhere is refused before anybody signs in`(callback: String) async throws {
        let (cloud, apiToken) = try await serve([Self.notes, "http://localhost:3000"])
        let answer = await cloud.request("GET", page(apiToken, "&callback=" + callback))
        #expect(answer.status == 400 && answer.body.contains("callback"), "\(answer.body)")
        await cloud.close()
    }

    @Test(arguments: [
        ("https%3A%2F%2Fnotes.example.org%2Fdone%3Fa%3D1", "https://notes.example.org/done?a=1&ckWebAuthToken="),
        ("HTTPS%3A%2F%2FNotes.Example.org%3A443", "HTTPS://Notes.Example.org:443?ckWebAuthToken="),
        ("notes-app%3A%2F%2Fsigned-in", "notes-app://signed-in?ckWebAuthToken="),
    ])
    func `a callback of a listed origin gets the token`(callback: String, location: String) async throws {
        let (cloud, apiToken) = try await serve([Self.notes, "notes-app://signed-in"])
        let answer = await signIn(cloud, page(apiToken, "&callback=" + callback))
        #expect(answer.status == 302 && answer.headers["Location"]?.hasPrefix(location) == true)
        await cloud.close()
    }

    @Test func `a page of another origin may not use an API token that has a list`() async throws {
        let (cloud, apiToken) = try await serve([Self.notes])
        func status(_ headers: HTTPHeaders) async -> (Int, String) {
            let answer = await cloud.send(
                "GET", "\(Self.base)/public/users/caller?ckAPIToken=\(apiToken)", headers: headers)
            return (answer.status, text(answer))
        }
        for foreign in ["https://evil.example", "null", "http://localhost:3000"] {
            let (code, reason) = await status(["Origin": foreign])
            #expect(code == 401 && reason.contains("AUTHENTICATION_FAILED") && reason.contains("'\(foreign)'"))
        }
        #expect(await status(["Origin": Self.notes]).0 == 421)
        #expect(await status([:]).0 == 421)
        await cloud.close()
    }

    @Test func `in dev a page of this machine is handed its token, and no other page`() async throws {
        let cloud = try TestCloud()
        let path = "\(Self.base)/public/users/caller?ckAPIToken=\(TestCloud.apiToken())"
        for (origin, isServed) in [("http://localhost:3000", true), ("https://evil.example", false)] {
            let answer = text(await cloud.send("GET", path, headers: ["Origin": origin]))
            let url = try #require(Bodies.string("redirectURL", in: answer))
            let done = text(await signIn(cloud, String(url.dropFirst(TestCloud.url.count))))
            #expect(done.contains("of [\"\(origin)\"])") == isServed, "\(done)")
            #expect(done.contains("ckWebAuthToken") == isServed, "\(done)")
        }
        await cloud.close()
    }

    @Test(arguments: [
        "notes.example.org", "https://", "https://a b", "https://notes.example.org/path", "https://notes.example.org/",
        "https://notes.example.org?x", "https://user@notes.example.org", "javascript://x", "data://x", "https://*",
        "https://[::1", "https://a:b", "https://a:123456",
    ])
    func `what is no origin cannot be listed`(text: String) {
        let error = #expect(throws: CloudError.self) { try WebOrigin.list([text]) }
        #expect(error?.code == .badRequest && error?.reason.contains("'\(text)'") == true)
    }

    @Test func `origins compare as browsers compare them`() throws {
        let listed = try WebOrigin.list([
            "HTTPS://Notes.Example.ORG:443", "https://notes.example.org", "http://[::1]:80",
        ])
        #expect(listed.map(\.description) == ["https://notes.example.org", "http://[::1]"])
    }
}
