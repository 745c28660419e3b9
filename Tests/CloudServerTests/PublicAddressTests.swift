import CloudServer
import CloudTestSupport
import HTTPCore
import Testing

@Suite struct `The service's address` {
    @Test(arguments: [
        ("https://cloud.example.org", "https://cloud.example.org", ""),
        ("https://Cloud.example.org:443/", "https://cloud.example.org", ""),
        ("http://[::1]:8787", "http://[::1]:8787", ""),
        ("https://example.org/cloud/", "https://example.org/cloud", "/cloud"),
        ("https://example.org/a/b-c", "https://example.org/a/b-c", "/a/b-c"),
    ]) func `is a scheme, a host, a port and a prefix`(text: String, address: String, prefix: String) {
        let found = PublicAddress(text)
        #expect(found?.description == address)
        #expect(found?.pathPrefix == prefix)
    }

    @Test(arguments: [
        "", "cloud.example.org", "ftp://example.org", "https://", "https://a.b:99999", "https://a.b:0", "https://a..b",
        "https://example.org/a//b", "https://example.org/../b", "https://example.org/a?b", "https://example.org?b",
        "https://example.org/%20", "https://user@example.org", "https://example.org#a",
    ]) func `is nothing else`(text: String) {
        #expect(PublicAddress(text) == nil)
    }

    @Test(arguments: ["https://a.b:99999", "https://a.b:0", "https://a.b:65536", "https://a..b", "https://.b"])
    func `an origin with an impossible port or host is none`(text: String) {
        #expect(WebOrigin(of: text) == nil)
    }

    @Test(arguments: [
        ("cloud.test", "http://cloud.test"), ("cloud.test:81", "http://cloud.test:81"), ("[::1]:80", "http://[::1]"),
        ("a:b:c", "http://127.0.0.1:8787"), (":::", "http://127.0.0.1:8787"), ("[", "http://127.0.0.1:8787"),
        ("cloud.test:99999", "http://127.0.0.1:8787"), ("cloud.test/x", "http://127.0.0.1:8787"),
        ("\"><script>", "http://127.0.0.1:8787"), ("", "http://127.0.0.1:8787"),
    ]) func `comes from Host where nothing is set, unless that is none`(host: String, url: String) async throws {
        let cloud = try TestCloud { $0.publicAddress = nil }
        let answer = await cloud.send(
            "GET",
            "/database/1/\(TestCloud.container)/development/public/users/caller?ckAPIToken=\(TestCloud.apiToken())",
            headers: ["Host": host])
        let redirect = try #require(Bodies.string("redirectURL", in: String(decoding: answer.body, as: UTF8.self)))
        #expect(answer.status == 421 && redirect.hasPrefix(url + "/cumulet/"), "\(redirect)")
        await cloud.close()
    }
}
