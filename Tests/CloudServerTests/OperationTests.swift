import CloudTestSupport
import Testing

@Suite struct OperationTests {
    @Test func `a record is saved, looked up, queried and deleted`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let saved = await user.post("private/records/modify", Bodies.note("n1", title: "milk"))
        #expect(saved.status == 200)
        #expect(saved.body.contains(#""recordName":"n1""#) && saved.body.contains(#""recordChangeTag""#))
        #expect(saved.body.contains(user.name))

        let found = await user.post("private/records/lookup", #"{"records":[{"recordName":"n1"},{"recordName":"n2"}]}"#)
        #expect(found.status == 200)
        #expect(found.body.contains("milk") && found.body.contains("NOT_FOUND"))

        let queried = await user.post("private/records/query", Bodies.query(title: "milk"))
        #expect(queried.status == 200 && queried.body.contains(#""recordName":"n1""#))

        let deleted = await user.post("private/records/modify", Bodies.delete("n1"))
        #expect(deleted.status == 200 && deleted.body.contains(#""deleted":true"#))
        let gone = await user.post("private/records/query", Bodies.query(title: "milk"))
        #expect(gone.status == 200 && !gone.body.contains("n1"))
        await cloud.close()
    }

    @Test func `an update with a stale tag is a conflict in its item`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/records/modify", Bodies.note("n1", title: "milk"))
        let stale = """
            {"operations":[{"operationType":"update","record":{"recordName":"n1","recordType":"Note",\
            "recordChangeTag":"stale","fields":{"title":{"value":"eggs"}}}}]}
            """
        let answer = await user.post("private/records/modify", stale)
        #expect(answer.status == 200)
        #expect(answer.body.contains(#""serverErrorCode":"CONFLICT""#) && answer.body.contains("uuid"))
        await cloud.close()
    }

    @Test func `zones are made, listed, looked up and deleted`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let made = await user.post("private/zones/modify", Bodies.zone("create", "Notes"))
        #expect(made.status == 200 && made.body.contains("syncToken"))
        let listed = await cloud.request("GET", user.path("private/zones/list"))
        #expect(listed.status == 200 && listed.body.contains("_defaultZone") && listed.body.contains("Notes"))
        let found = await user.post("private/zones/lookup", #"{"zones":[{"zoneName":"Notes"},{"zoneName":"Other"}]}"#)
        #expect(found.status == 200 && found.body.contains("ZONE_NOT_FOUND"))
        let deleted = await user.post("private/zones/modify", Bodies.zone("delete", "Notes"))
        #expect(deleted.status == 200 && deleted.body.contains(#""deleted":true"#))
        await cloud.close()
    }

    @Test func `changes follow a sync token`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes"))
        let zones = await user.post("private/changes/database")
        #expect(zones.status == 200 && zones.body.contains("Notes"))
        let empty = await user.post("private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"}}]}"#)
        let token = try #require(Bodies.string("syncToken", in: empty.body))
        let saved = await user.post("private/records/modify", Bodies.note("n1", title: "milk", zone: "Notes"))
        #expect(saved.status == 200 && !saved.body.contains("serverErrorCode"))
        let next = await user.post(
            "private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}]}"#)
        #expect(next.status == 200 && next.body.contains("milk"))
        await cloud.close()
    }

    @Test func `subscriptions are made, listed, looked up and deleted`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let made = await user.post("private/subscriptions/modify", Bodies.subscription("s1"))
        #expect(made.status == 200 && !made.body.contains("serverErrorCode"), "\(made.body)")
        let listed = await user.post("private/subscriptions/list")
        #expect(listed.status == 200 && listed.body.contains(#""s1""#))
        let found = await user.post("private/subscriptions/lookup", #"{"subscriptions":["s1","s2"]}"#)
        #expect(found.status == 200 && found.body.contains("NOT_FOUND"))
        let deleted = await user.post(
            "private/subscriptions/modify",
            #"{"operations":[{"operationType":"delete","subscription":{"subscriptionID":"s1"}}]}"#)
        #expect(deleted.status == 200 && deleted.body.contains(#""deleted":true"#))
        await cloud.close()
    }

    @Test(arguments: ["public/users/caller", "public/users/current", "private/users/caller"])
    func `the caller learns the own record name`(operation: String) async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let answer = await cloud.request("GET", user.path(operation))
        #expect(answer.status == 200 && answer.body.contains(user.name))
        await cloud.close()
    }
}
