import CloudTestSupport
import Foundation
import Testing

/// `records/changes` and `zones/changes`, and lists that nobody needs as long as that.
@Suite struct OlderFeedTests {
    private static func object(_ body: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any])
    }

    private static func names(_ body: [String: Any]) -> [String] {
        (body["records"] as? [[String: Any]] ?? []).compactMap { $0["recordName"] as? String }
    }

    @Test func `records/changes follows a zone page by page, tells deletions and takes a token of changes/zone`()
        async throws
    {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes"))
        for name in ["n1", "n2", "n3"] {
            _ = await user.post("private/records/modify", Bodies.note(name, title: "milk", zone: "Notes"))
        }
        let first = await user.post("private/records/changes", #"{"zoneID":{"zoneName":"Notes"},"resultsLimit":2}"#)
        var page = try Self.object(first.body)
        #expect(first.status == 200 && Self.names(page) == ["n1", "n2"] && page["moreComing"] as? Bool == true)
        var token = try #require(Bodies.string("syncToken", in: first.body))
        let second = await user.post(
            "private/records/changes", #"{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)","desiredKeys":[]}"#)
        page = try Self.object(second.body)
        #expect(Self.names(page) == ["n3"] && page["moreComing"] as? Bool == false && !second.body.contains("milk"))
        token = try #require(Bodies.string("syncToken", in: second.body))
        _ = await user.post("private/records/modify", Bodies.delete("n1", zone: "Notes"))
        let third = await user.post(
            "private/records/changes", #"{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}"#)
        let gone = try #require((try Self.object(third.body)["records"] as? [[String: Any]])?.first)
        #expect(gone["recordName"] as? String == "n1" && gone["deleted"] as? Bool == true)
        #expect(gone["recordType"] == nil && gone["fields"] == nil)
        let same = await user.post(
            "private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"Notes"},"syncToken":"\#(token)"}]}"#)
        #expect(same.body.contains(#""recordName":"n1""#))
        await cloud.close()
    }

    @Test func `records/changes refuses what has no feed, each by its code`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        let cases: [(String, String, Int, String)] = [
            ("private/records/changes", "{}", 400, "missing required key 'zoneID'"),
            (
                "private/records/changes", #"{"zoneID":{"zoneName":"_defaultZone"}}"#, 400,
                "cannot get changes in default zone"
            ),
            ("private/records/changes", #"{"zoneID":{"zoneName":"None"}}"#, 404, "ZONE_NOT_FOUND"),
            (
                "public/records/changes", #"{"zoneID":{"zoneName":"None"}}"#, 400,
                "endpoint not applicable in the database type 'publicdb'"
            ),
            ("public/zones/changes", "{}", 400, "endpoint not applicable in the database type 'publicdb'"),
            ("private/zones/changes", #"{"metaSyncToken":"AAAA"}"#, 400, "sync token expired"),
        ]
        for (operation, body, status, text) in cases {
            let answer = await user.post(operation, body)
            #expect(answer.status == status && answer.body.contains(text), "\(operation) \(body): \(answer.body)")
        }
        await cloud.close()
    }

    @Test(arguments: ["syncToken", "metaSyncToken"])
    func `zones/changes takes either key for its token and answers both`(key: String) async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes"))
        let first = await user.post("private/zones/changes")
        #expect(first.status == 200 && first.body.contains("Notes"))
        let token = try #require(Bodies.string(key, in: first.body))
        #expect(Bodies.string("syncToken", in: first.body) == Bodies.string("metaSyncToken", in: first.body))
        let none = await user.post("private/zones/changes", #"{"\#(key)":"\#(token)"}"#)
        #expect(none.status == 200 && !none.body.contains("Notes"))
        _ = await user.post("private/zones/modify", Bodies.zone("delete", "Notes"))
        let gone = await user.post("private/zones/changes", #"{"\#(key)":"\#(token)"}"#)
        #expect(gone.body.contains("Notes") && gone.body.contains(#""deleted":true"#))
        await cloud.close()
    }

    @Test func `lists of 200,000 names cost what it takes to read them, however many items they are for`() async throws
    {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        _ = await user.post("private/zones/modify", Bodies.zone("create", "Notes"))
        let fields = (0..<100).map { #""f\#($0)":{"value":"x"}"# }.joined(separator: ",")
        let saves = (0..<200).map {
            #"{"operationType":"create","record":{"recordName":"n\#($0)","recordType":"Note","fields":{\#(fields)}}}"#
        }
        let saved = await user.post(
            "private/records/modify",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[\#(saves.joined(separator: ","))]}"#)
        #expect(saved.status == 200)
        let keys = #"["f7",\#((0..<200_000).map { "\"k\($0)\"" }.joined(separator: ","))]"#
        let zone = #""zoneID":{"zoneName":"Notes"}"#
        let names = (0..<200).map { #"{"recordName":"n\#($0)"}"# }.joined(separator: ",")
        let zones = (0..<100).map { _ in "{\(zone)}" }.joined(separator: ",")
        let requests = [
            ("query", #"{"query":{"recordType":"Note"},\#(zone),"desiredKeys":\#(keys)}"#),
            ("lookup", #"{"records":[\#(names)],\#(zone),"desiredKeys":\#(keys)}"#),
            ("changes", #"{\#(zone),"desiredKeys":\#(keys)}"#),
        ]
        let clock = ContinuousClock()
        for (operation, body) in requests {
            let time = try await clock.measure {
                let answer = await user.post("private/records/\(operation)", body)
                #expect(answer.status == 200)
                let records = try #require(try Self.object(answer.body)["records"] as? [[String: Any]])
                #expect(records.count == 200)
                #expect(records.allSatisfy { ($0["fields"] as? [String: Any])?.keys.sorted() == ["f7"] })
            }
            #expect(time < .seconds(60), "\(operation): \(time)")
        }
        let time = await clock.measure {
            let answer = await user.post(
                "private/changes/zone", #"{"zones":[\#(zones)],"desiredRecordTypes":\#(keys),"desiredKeys":\#(keys)}"#)
            #expect(answer.status == 200 && !answer.body.contains("serverErrorCode"))
        }
        #expect(time < .seconds(60), "\(time)")
        await cloud.close()
    }

    @Test func `changes/zone answers as many zones as the limit and refuses one more`() async throws {
        let cloud = try TestCloud()
        let user = try await cloud.signIn("anna@example.org")
        for (count, status) in [(400, 200), (401, 400)] {
            let zones = (0..<count).map { #"{"zoneID":{"zoneName":"z\#($0)"}}"# }.joined(separator: ",")
            let answer = await user.post("private/changes/zone", #"{"zones":[\#(zones)]}"#)
            #expect(answer.status == status)
            if status == 400 { #expect(answer.body.contains("401 zones in one request; at most 400 are allowed")) }
        }
        await cloud.close()
    }
}
