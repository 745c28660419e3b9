import CloudTestSupport
import Testing

@Suite struct IsolationTests {
    @Test func `anybody reads the public database and only users write`() async throws {
        let cloud = try TestCloud()
        let anna = try await cloud.signIn("anna@example.org")
        let saved = await anna.post("public/records/modify", Bodies.note("n1", title: "milk"))
        #expect(saved.status == 200 && !saved.body.contains("serverErrorCode"))
        let base = "/database/1/\(TestCloud.container)/development/public/"
        let token = "?ckAPIToken=\(TestCloud.apiToken())"
        let read = await cloud.request("POST", base + "records/query" + token, json: Bodies.query(title: "milk"))
        #expect(read.status == 200 && read.body.contains("n1"))
        let write = await cloud.request("POST", base + "records/modify" + token, json: Bodies.note("n2", title: "x"))
        #expect(write.status == 421)
        let bert = try await cloud.signIn("bert@example.org")
        let foreign = await bert.post("public/records/modify", Bodies.delete("n1"))
        #expect(foreign.body.contains("ACCESS_DENIED"), "\(foreign.body)")
        await cloud.close()
    }
}
