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
