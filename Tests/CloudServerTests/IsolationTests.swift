import CloudTestSupport
import Testing

@Suite struct IsolationTests {
    @Test func `an account sees nothing private of another by any operation`() async throws {
        let cloud = try TestCloud()
        let anna = try await cloud.signIn("anna@example.org", device: "a")
        let bert = try await cloud.signIn("bert@example.org", device: "b")
        #expect(anna.name != bert.name)
        _ = await anna.post("private/zones/modify", Bodies.zone("create", "Notes"))
        _ = await anna.post("private/records/modify", Bodies.note("n1", title: "secret"))
        _ = await anna.post("private/records/modify", Bodies.note("n2", title: "secret", zone: "Notes"))
        _ = await anna.post("private/subscriptions/modify", Bodies.subscription("s1"))
        let changes = await anna.post("private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#)
        let token = try #require(Bodies.string("syncToken", in: changes.body))
        // So that bert's own schema and database are there.
        _ = await bert.post("private/records/modify", Bodies.note("mine", title: "open"))

        let annas = #"{"zoneName":"Notes","ownerRecordName":"\#(anna.name)"}"#
        let defaultZone = #"{"zoneName":"_defaultZone","ownerRecordName":"\#(anna.name)"}"#
        let save =
            #""operations":[{"operationType":"forceUpdate","record":{"recordName":"n2","recordType":"Note","fields":{"title":{"value":"x"}}}}]"#
        let delete = #""operations":[{"operationType":"forceDelete","record":{"recordName":"n2"}}]"#
        let query = #""query":{"recordType":"Note"}"#
        let calls: [(operation: String, json: String)] = [
            ("records/lookup", #"{"records":[{"recordName":"n1"}]}"#),
            ("records/lookup", #"{"zoneID":\#(annas),"records":[{"recordName":"n2"}]}"#),
            ("records/lookup", #"{"zoneID":\#(defaultZone),"records":[{"recordName":"n1"}]}"#),
            ("records/query", #"{\#(query)}"#), ("records/query", #"{\#(query),"zoneWide":true}"#),
            ("records/query", #"{\#(query),"zoneID":\#(annas)}"#),
            ("records/query", #"{\#(query),"zoneID":\#(defaultZone)}"#),
            ("records/modify", #"{"zoneID":\#(annas),\#(save)}"#),
            ("records/modify", #"{"zoneID":\#(annas),\#(delete)}"#),
            ("zones/list", "{}"), ("zones/lookup", #"{"zones":[\#(annas)]}"#),
            ("zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":\#(annas)}}]}"#),
            ("zones/modify", #"{"operations":[{"operationType":"create","zone":{"zoneID":\#(annas)}}]}"#),
            ("changes/database", "{}"), ("changes/database", #"{"syncToken":"\#(token)"}"#),
            ("changes/zone", #"{"zones":[{"zoneID":\#(annas)}]}"#),
            ("changes/zone", #"{"zones":[{"zoneID":\#(annas),"syncToken":"\#(token)"}]}"#),
            ("subscriptions/list", "{}"), ("subscriptions/lookup", #"{"subscriptions":["s1"]}"#),
            (
                "subscriptions/modify",
                #"{"operations":[{"operationType":"delete","subscription":{"subscriptionID":"s1"}}]}"#
            ),
        ]
        for database in ["private", "shared", "public"] {
            for call in calls {
                let answer = await bert.post("\(database)/\(call.operation)", call.json)
                #expect(!answer.body.contains("secret"), "\(database)/\(call.operation) \(call.json): \(answer.body)")
                #expect(answer.status < 500, "\(database)/\(call.operation) \(call.json): \(answer.body)")
                if call.json.contains(anna.name) {
                    #expect(
                        answer.body.contains("serverErrorCode"),
                        "\(database)/\(call.operation) \(call.json): \(answer.body)")
                    if database == "private" {
                        #expect(
                            answer.body.contains("ZONE_NOT_FOUND"), "\(call.operation) \(call.json): \(answer.body)")
                    }
                }
            }
        }
        let left = await anna.post(
            "private/records/lookup", #"{"zoneID":{"zoneName":"Notes"},"records":[{"recordName":"n2"}]}"#)
        #expect(left.body.contains("secret"))
        let subscriptions = await anna.post("private/subscriptions/list")
        #expect(subscriptions.body.contains(#""s1""#))
        await cloud.close()
    }

    @Test(arguments: [
        ("records/query", #"{"query":{"recordType":"Note"}}"#), ("records/modify", "{}"), ("zones/list", "{}"),
        ("changes/zone", "{}"), ("subscriptions/list", "{}"),
    ])
    func `nobody reads a private database anonymously`(operation: String, json: String) async throws {
        let cloud = try TestCloud()
        let path =
            "/database/1/\(TestCloud.container)/development/private/\(operation)?ckAPIToken=\(TestCloud.apiToken())"
        let answer = await cloud.request("POST", path, json: json)
        #expect(answer.status == 421 && answer.body.contains("redirectURL"))
        await cloud.close()
    }

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
