import CloudCore
import CloudServer
import CloudStorage
import CloudTestSupport
import CloudWire
import HTTPCore
import SQLCore
import Testing

@Suite struct `The page of a share's URL` {
    private func page(_ cloud: TestCloud, _ path: String) async -> (response: HTTPResponse, text: String) {
        let response = await cloud.send("GET", "/share/\(path)")
        return (response, String(decoding: response.body, as: UTF8.self))
    }

    @Test func `tells title, app and what to do, and no secret`() async throws {
        let here = try await SharedCloud()
        let share = try await here.share(#""participants":[\#(SharedCloud.invitation)]"#)
        let (response, text) = await page(here.cloud, share.shortGUID ?? "")
        #expect(response.status == 200 && response.headers["Content-Type"] == "text/html; charset=UTF-8")
        #expect(text.contains("<h1>Groceries</h1>") && text.contains(TestCloud.container))
        #expect(text.contains("account that the invitation was sent to"))
        #expect(text.contains(#"href="/share/\#(share.shortGUID ?? "")/accept""#))
        for secret in ["example.org", here.anna.name, here.bert.name, "milk", "<script"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(!text.contains("@"))
        let policy = response.headers["Content-Security-Policy"] ?? ""
        #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("form-action 'self'") && !policy.contains("script-src"))
        #expect(response.headers["X-Frame-Options"] == "DENY" && response.headers["Referrer-Policy"] == "no-referrer")
        await here.cloud.close()
    }

    @Test func `tells the owner's name`() async throws {
        let here = try await SharedCloud()
        let share = try await here.share(#""publicPermission":"READ_ONLY""#)
        let name = here.anna.name
        try await here.cloud.store.write { transaction in
            _ = try transaction.connection.execute(
                "UPDATE account SET given_name = 'A<b>na' WHERE id IN (SELECT account FROM container_user WHERE name = ?1)",
                [.text(name)])
        }
        let text = await page(here.cloud, share.shortGUID ?? "").text
        #expect(text.contains("A&lt;b&gt;na shares this") && text.contains("Everybody who has this link"))
        await here.cloud.close()
    }

    @Test func `shows what people wrote as text`() async throws {
        let here = try await SharedCloud()
        let title = #"<img src=x onerror=alert(1)>\"'&"#
        let share = try await here.modify(
            """
            {"recordType":"cloudkit.share","forRecord":{"recordName":"root"},\
            "fields":{"cloudkit.title":{"value":"\(title)"}}}
            """)[0]
        let text = await page(here.cloud, share.shortGUID ?? "").text
        #expect(!text.contains("<img") && text.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"))
        let hostile = await page(here.cloud, "%22%3E%3Cscript%3E?invitation=%22%3E%3Cscript%3E")
        #expect(hostile.response.status == 404 && !hostile.text.contains("<script"))
        let token = await page(here.cloud, "\(share.shortGUID ?? "")?invitation=%22%3E%3Cscript%3E")
        #expect(token.response.status == 200 && !token.text.contains("<script"))
        await here.cloud.close()
    }

    @Test func `is not found where nothing is shared`() async throws {
        let cloud = try TestCloud()
        for path in ["0nothing", "0nothing/accept", "%00"] {
            let (response, text) = await page(cloud, path)
            #expect(response.status == 404 && text.contains("Nothing is shared here"), "\(path)")
        }
        for path in ["", "a/b", "a/accept/b"] { #expect(await page(cloud, path).response.status == 404, "\(path)") }
        #expect(await cloud.send("POST", "/share/0nothing").status == 405)
        await cloud.close()
    }

    @Test func `makes a participant of who signs in on it, without script`() async throws {
        let here = try await SharedCloud()
        let share = try await here.share(#""participants":[\#(SharedCloud.invitation)]"#)
        let path = "/share/\(share.shortGUID ?? "")/accept"
        let form = await page(here.cloud, "\(share.shortGUID ?? "")/accept").text
        #expect(form.contains("<form method=\"post\">") && !form.contains("<script"))
        let wrong = await here.cloud.request("POST", path, json: "emailAddress=other%40example.org")
        #expect(wrong.status == 403 && wrong.body.contains("not invited"))
        let right = await here.cloud.request("POST", path, json: "emailAddress=bert%40example.org")
        #expect(right.status == 200 && right.body.contains("You take part now"))
        let link = SharedCloud.links(share.shortGUID ?? "")
        #expect(try await here.metadata("resolve", link, by: here.bert).status == .accepted)
        #expect(here.cloud.log.suffix(2).first?.operation == "share/accept")
        await here.cloud.close()
    }

    @Test func `takes a one-time link along`() async throws {
        let here = try await SharedCloud()
        let share = try await here.share(
            #""participants":[{"isOneTimeURLParticipant":true,"permission":"READ_WRITE"}]"#)
        let token = try #require(share.sharing?.participants.last?.invitationToken)
        let address = "\(share.shortGUID ?? "")?invitation=\(token)"
        let (_, text) = await page(here.cloud, address)
        #expect(text.contains("/accept?invitation=\(token)\"") && text.contains("for one person"))
        let target = "/share/\(share.shortGUID ?? "")/accept?invitation=\(token)"
        let answer = await here.cloud.request("POST", target, json: "emailAddress=bert%40example.org")
        #expect(answer.status == 200)
        let second = await here.cloud.request("POST", target, json: "emailAddress=cid%40example.org")
        #expect(second.status == 403)
        #expect(!here.cloud.log.contains { "\($0)".contains(token) })
        await here.cloud.close()
    }

    @Test func `asks for the password where there are people`() async throws {
        let cloud = try SharedCloud.Members()
        let guid = try await cloud.share()
        let form = await page(cloud.cloud, "\(guid)/accept").text
        #expect(form.contains(#"type="password""#))
        let answer = await cloud.cloud.request(
            "POST", "/share/\(guid)/accept", json: "emailAddress=bert%40example.org&password=wrong")
        #expect(answer.status == 401 && answer.body.contains("password is wrong"))
        let right = await cloud.cloud.request(
            "POST", "/share/\(guid)/accept", json: "emailAddress=bert%40example.org&password=right")
        #expect(right.status == 200 && right.body.contains("You take part now"))
        await cloud.cloud.close()
    }
}
