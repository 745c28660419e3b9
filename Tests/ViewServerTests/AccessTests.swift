import CloudTestSupport
import HTTPCore
import Testing
import ViewServer

@Suite struct AccessTests {
    @Test func `the token becomes a cookie at an address without it`() async throws {
        let served = try await ServedApp()
        let client = RawClient(port: served.port)
        client.send("GET /?token=\(served.token) HTTP/1.1\r\nHost: 127.0.0.1:\(served.port)\r\n\r\n")
        let answer = await blocking { client.answer() }
        client.leave()
        #expect(answer?.status == 303)
        #expect(answer?.headers["Location"] == "/")
        let cookie = try #require(answer?.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("cumulet-\(served.port)="))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        #expect(!cookie.contains(served.token))
        await served.server.stop()
    }

    @Test(arguments: ["/", "/live?w=a", "/app.js", "/app.css", "/icons.svg", "/files/x/y", "/?token=00", "/?token="])
    func `nothing is served without the cookie`(path: String) async throws {
        let served = try await ServedApp()
        #expect(await served.send("GET", path, ["Cookie": nil])?.status == 403)
        #expect(await served.send("GET", path, ["Cookie": "cumulet-\(served.port)=\(served.token)"])?.status == 403)
        #expect(await served.app.opened.isEmpty)
        await served.server.stop()
    }

    @Test func `another host's name is not answered, whoever asks`() async throws {
        let served = try await ServedApp()
        for host in ["evil.example", "localhost:\(served.port)", "127.0.0.1", "127.0.0.1:\(served.port).evil.example"] {
            #expect(await served.send("GET", "/", ["Host": host])?.status == 421)
            #expect(await served.send("POST", "/events?w=a&c=b", ["Host": host], body: "[]")?.status == 421)
        }
        #expect(await served.send("GET", "/")?.status == 200)
        await served.server.stop()
    }

    @Test func `the page carries the policy, and the stage alone may frame it`() async throws {
        let served = try await ServedApp { $0.stageOrigin = "http://127.0.0.1:9000" }
        let page = await served.send("GET", "/")
        let policy = try #require(page?.headers["Content-Security-Policy"])
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self';"))
        #expect(policy.hasSuffix("frame-ancestors 'self' http://127.0.0.1:9000"))
        #expect(page?.headers["X-Content-Type-Options"] == "nosniff")
        #expect(page?.headers["Referrer-Policy"] == "no-referrer")
        await served.server.stop()
    }

    @Test(
        arguments: [
            (["Origin": nil], 403), (["Origin": "http://127.0.0.1:1"], 403), (["Origin": "null"], 403),
            (["Content-Type": "text/plain"], 415), (["Content-Type": "application/x-www-form-urlencoded"], 415),
            (["Sec-Fetch-Site": "same-site"], 403), (["Cookie": nil], 403),
        ] as [([String: String?], Int)])
    func `events of another page are refused`(headers: [String: String?], status: Int) async throws {
        let served = try await ServedApp()
        let stream = await served.stream("a")
        let path = "/events?w=a&c=\(await stream.life())"
        let click = #"[{"i":"n1","t":"click","s":1}]"#
        #expect(await served.send("POST", path, headers, body: click)?.status == status)
        #expect(await served.send("POST", path, body: click)?.status == 204)
        #expect(await stream.read(until: "count 1").contains(#"["t","n3","count 1"]"#))
        stream.leave()
        await served.server.stop()
    }

    @Test(arguments: ["cross-site", "same-site", "none"])
    func `a stream asked for by another page is refused`(site: String) async throws {
        let served = try await ServedApp()
        #expect(await served.send("GET", "/live?w=a", ["Sec-Fetch-Site": site])?.status == 403)
        #expect(await served.app.opened.isEmpty)
        await served.server.stop()
    }

    @Test func `other methods are refused`() async throws {
        let served = try await ServedApp()
        #expect(await served.send("PUT", "/")?.status == 405)
        #expect(await served.send("OPTIONS", "/events")?.status == 405)
        await served.server.stop()
    }
}

/// `POST /open`, of a stage or a command.
@Suite struct `A link for the app` {
    private func open(_ link: String, at served: ServedApp, _ headers: [String: String?] = [:]) async -> HTTPResponse? {
        var fields: [String: String?] = [
            "Authorization": "Bearer \(served.token)", "Content-Type": "text/uri-list", "Cookie": nil, "Origin": nil,
        ]
        fields.merge(headers) { $1 }
        return await served.send("POST", "/open", fields, body: link)
    }

    @Test func `is opened for who has the token`() async throws {
        let served = try await ServedApp()
        #expect(await open("https://example.com/share/0", at: served)?.status == 204)
        #expect(await served.app.links == ["https://example.com/share/0"])
        await served.server.stop()
    }

    @Test(
        arguments: [
            ["Authorization": nil], ["Authorization": "Bearer 0"], ["Authorization": "Basic x"],
            ["Sec-Fetch-Site": "same-site"], ["Content-Type": "text/plain"],
        ] as [[String: String?]])
    func `is refused without it, from other pages, and as another type`(headers: [String: String?]) async throws {
        let served = try await ServedApp()
        let status = try #require(await open("https://example.com/share/0", at: served, headers)).status
        #expect(status == (headers["Content-Type"] == nil ? 403 : 415))
        #expect(await served.app.links.isEmpty)
        await served.server.stop()
    }

    @Test func `is not opened by the app's own page, whose cookie is no token`() async throws {
        let served = try await ServedApp()
        let answer = await served.send("POST", "/open", ["Content-Type": "text/uri-list"], body: "https://example.com")
        #expect(answer?.status == 403)
        #expect(await served.app.links.isEmpty)
        await served.server.stop()
    }

    @Test func `that the app does not take comes back with the app's reason`() async throws {
        let served = try await ServedApp()
        let answer = try #require(await open("gopher:hole", at: served))
        #expect(answer.status == 422)
        #expect(String(decoding: answer.body, as: UTF8.self) == "'gopher:hole' is not for this app\n")
        await served.server.stop()
    }
}
