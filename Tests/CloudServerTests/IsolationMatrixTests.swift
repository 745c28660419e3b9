import CloudTestSupport
import Testing

/// What of another account a request points at: the real thing, or something that never was. Its names have a hyphen,
/// which no token can hold, so that they can be found in an answer.
private struct Aim {
    let owner: String
    let zone: String
    let record: String
    let subscription: String
    let token: String
    let marker: String
    let pushToken: String

    var zoneID: String { #"{"zoneName":"\#(zone)","ownerRecordName":"\#(owner)"}"# }

    /// The text with what was aimed at, identifiers and instants taken out.
    func neutral(_ text: String) -> String {
        var text = text
        for (word, name) in [(token, "TOKEN"), (marker, "MARKER"), (pushToken, "PUSH")] {
            text = text.replacing(word, with: name)
        }
        // Other tokens are random text, in which a short name may stand by chance.
        text = text.replacing(/"[A-Za-z0-9+\/]{40,}=*"/, with: "OPAQUE")
        for (word, name) in [
            (owner, "OWNER"), (zone, "ZONE"), (record, "RECORD"), (subscription, "SUBSCRIPTION"),
        ] { text = text.replacing(word, with: name) }
        text = text.replacing(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, with: "UUID")
        return text.replacing(/"timestamp":[0-9]+/, with: "TIME").replacing(/"recordChangeTag":"[^"]*"/, with: "TAG")
    }
}

@Suite struct `One account before the private things of another` {
    /// Every operation of the service, by every way of naming what it is about.
    private static func calls(_ aim: Aim) -> [(operation: String, json: String)] {
        let query = #""query":{"recordType":"Note"}"#
        var calls = [
            ("records/query", #"{\#(query),"zoneID":\#(aim.zoneID)}"#),
            ("records/query", #"{\#(query),"zoneID":\#(aim.zoneID),"zoneWide":true}"#),
            ("records/query", #"{\#(query),"zoneID":\#(aim.zoneID),"continuationMarker":"\#(aim.marker)"}"#),
            ("records/query", #"{\#(query),"zoneID":\#(aim.zoneID),"getCurrentSyncToken":true}"#),
            (
                "records/query",
                #"{"query":{"recordType":"Note","filterBy":[{"systemFieldName":"recordName","comparator":"EQUALS","#
                    + #""fieldValue":{"value":{"recordName":"\#(aim.record)","zoneID":\#(aim.zoneID)}}}]}}"#
            ),
            ("records/lookup", #"{"zoneID":\#(aim.zoneID),"records":[{"recordName":"\#(aim.record)"}]}"#),
            ("records/lookup", #"{"records":[{"recordName":"\#(aim.record)","zoneID":\#(aim.zoneID)}]}"#),
            ("records/lookup", #"{"records":[{"recordName":"\#(aim.record)"}]}"#),
            ("records/lookup", #"{"records":[{"recordName":"\#(aim.owner)"}]}"#),
            ("zones/list", "{}"), ("zones/lookup", #"{"zones":[\#(aim.zoneID)]}"#),
            ("zones/lookup", #"{"zones":[{"zoneName":"\#(aim.zone)"}]}"#),
            ("zones/modify", #"{"operations":[{"operationType":"create","zone":{"zoneID":\#(aim.zoneID)}}]}"#),
            ("zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":\#(aim.zoneID)}}]}"#),
            (
                "zones/modify",
                #"{"operations":[{"operationType":"delete","zone":{"zoneID":{"zoneName":"\#(aim.zone)"}}}]}"#
            ),
            ("changes/zone", #"{"zones":[{"zoneID":\#(aim.zoneID)}]}"#),
            ("changes/zone", #"{"zones":[{"zoneID":\#(aim.zoneID),"reverse":true}]}"#),
            ("changes/zone", #"{"zones":[{"zoneID":\#(aim.zoneID),"syncToken":"\#(aim.token)"}]}"#),
            ("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"\#(aim.zone)"},"syncToken":"\#(aim.token)"}]}"#),
            ("subscriptions/list", "{}"),
            ("subscriptions/lookup", #"{"subscriptions":["\#(aim.subscription)"]}"#),
            (
                "subscriptions/modify",
                #"{"operations":[{"operationType":"delete","subscription":{"subscriptionID":"\#(aim.subscription)"}}]}"#
            ),
            ("users/caller", "{}"), ("users/current", "{}"),
        ]
        for kind in [#""subscriptionType":"zone""#, #""subscriptionType":"query",\#(query),"firesOn":["create"]"#] {
            let subscription = #"{"subscriptionID":"mine",\#(kind),"zoneID":\#(aim.zoneID)}"#
            calls.append(
                (
                    "subscriptions/modify",
                    #"{"operations":[{"operationType":"create","subscription":\#(subscription)}]}"#
                ))
        }
        for type in ["create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"] {
            let record =
                #""recordName":"\#(aim.record)","recordType":"Note","recordChangeTag":"1","fields":{"title":{"value":"x"}}"#
            calls.append(
                (
                    "records/modify",
                    #"{"zoneID":\#(aim.zoneID),"operations":[{"operationType":"\#(type)","record":{\#(record)}}]}"#
                ))
            calls.append(
                (
                    "records/modify",
                    #"{"operations":[{"operationType":"\#(type)","record":{\#(record),"zoneID":\#(aim.zoneID)}}]}"#
                ))
        }
        for action in ["NONE", "VALIDATE", "DELETE_SELF"] {
            let pointer = #"{"recordName":"\#(aim.record)","zoneID":\#(aim.zoneID),"action":"\#(action)"}"#
            calls.append(
                (
                    "records/modify",
                    #"{"operations":[{"operationType":"forceReplace","record":{"recordName":"pointer","#
                        + #""recordType":"Pointer","fields":{"to":{"value":\#(pointer)}}}}]}"#
                ))
        }
        return calls
    }

    @Test(arguments: ["private", "shared", "public"])
    func `gets no data, no way to change it and no sign that it is there, by any operation`(database: String)
        async throws
    {
        let cloud = try TestCloud()
        let anna = try await cloud.signIn("anna@example.org", device: "a")
        let bert = try await cloud.signIn("bert@example.org", device: "b")
        let real = try await furnish(anna)
        _ = await bert.post("private/records/modify", Bodies.note("mine", title: "open"))
        _ = await bert.post("private/zones/modify", Bodies.zone("create", "Mine"))
        let before = await everything(of: anna)
        // Aims at nothing: under the same owner, and under one that never was.
        let nothing = [real.owner, "_0123456789abcdef0123456789abcdef"].map {
            Aim(
                owner: $0, zone: "no-zone", record: "no-note", subscription: "no-watch", token: real.token,
                marker: real.marker, pushToken: real.pushToken)
        }
        for (index, call) in Self.calls(real).enumerated() {
            let answer = await bert.post("\(database)/\(call.operation)", call.json)
            let what = "\(database)/\(call.operation) \(call.json): \(answer)"
            #expect(answer.status < 500 && !answer.body.contains("secret"), "\(what)")
            let isAboutAnna = call.json.contains(anna.name) && !call.json.contains(#"{"recordName":"\#(anna.name)"}"#)
            if database == "private", isAboutAnna, !call.json.contains("pointer"), !call.json.contains("filterBy") {
                #expect(answer.isRefusal("ZONE_NOT_FOUND"), "\(what)")
            }
            for aim in nothing {
                let other = await bert.post("\(database)/\(call.operation)", Self.calls(aim)[index].json)
                #expect(other.status == answer.status, "\(what)\n\(other)")
                #expect(aim.neutral(other.body) == real.neutral(answer.body), "\(what)")
            }
        }
        #expect(await everything(of: anna) == before)
        await cloud.close()
    }

    @Test func `finds no use for its tokens: of changes, of queries, of pushes`() async throws {
        let cloud = try TestCloud()
        let anna = try await cloud.signIn("anna@example.org", device: "a")
        let bert = try await cloud.signIn("bert@example.org", device: "b")
        let real = try await furnish(anna)
        _ = try await furnish(bert)
        let before = await everything(of: anna)
        let databaseToken = try #require(
            Bodies.string("syncToken", in: await anna.post("private/changes/database").body))
        let elsewhere = try await cloud.signIn("anna@example.org", device: "a", container: "iCloud.org.example.other")
        _ = try await furnish(elsewhere)
        // Anna's tokens are no better in another container of hers.
        for user in [bert, elsewhere] {
            let zone = #"{"zones":[{"zoneID":{"zoneName":"annas-notes"},"syncToken":"\#(real.token)"}]}"#
            let calls = [
                ("private/changes/zone", zone, "21"),
                ("private/changes/database", #"{"syncToken":"\#(databaseToken)"}"#, "21"),
                (
                    "private/records/query",
                    #"{"query":{"recordType":"Note"},"resultsLimit":1,"continuationMarker":"\#(real.marker)"}"#, "12"
                ),
            ]
            for (operation, json, code) in calls {
                let answer = await user.post(operation, json)
                #expect(answer.isRefusal("BAD_REQUEST", naming: #""ckErrorCode":\#(code)"#), "\(operation): \(answer)")
                #expect(!answer.body.contains("recordChangeTag"), "\(operation): \(answer)")
            }
        }
        for token in [real.pushToken, String(real.pushToken.reversed())] {
            let answer = await bert.post(
                "tokens/register", #"{"apnsEnvironment":"development","apnsToken":"\#(token)"}"#)
            #expect(answer.isRefusal("BAD_REQUEST", naming: "not one that tokens/create gave"), "\(answer)")
        }
        #expect(await everything(of: anna) == before)
        await cloud.close()
    }

    /// Zones, records, a subscription and a push token.
    private func furnish(_ user: TestUser) async throws -> Aim {
        _ = await user.post("private/zones/modify", Bodies.zone("create", "annas-notes"))
        for name in ["first-note", "n2"] {
            _ = await user.post("private/records/modify", Bodies.note(name, title: "secret", zone: "annas-notes"))
            _ = await user.post("private/records/modify", Bodies.note(name, title: "secret"))
        }
        _ = await user.post("private/subscriptions/modify", Bodies.subscription("annas-watch"))
        let changes = await user.post("private/changes/zone", #"{"zones":[{"zoneID":{"zoneName":"annas-notes"}}]}"#)
        let page = await user.post("private/records/query", #"{"query":{"recordType":"Note"},"resultsLimit":1}"#)
        let push = await user.post("tokens/create", #"{"apnsEnvironment":"development"}"#)
        return Aim(
            owner: user.name, zone: "annas-notes", record: "first-note", subscription: "annas-watch",
            token: try #require(Bodies.string("syncToken", in: changes.body)),
            marker: try #require(Bodies.string("continuationMarker", in: page.body)),
            pushToken: try #require(Bodies.string("apnsToken", in: push.body)))
    }

    /// All that the user's private database shows.
    private func everything(of user: TestUser) async -> [String] {
        var answers: [String] = []
        for (operation, json) in [
            ("zones/list", "{}"), ("changes/database", "{}"),
            ("changes/zone", #"{"zones":[{"zoneID":{"zoneName":"annas-notes"}}]}"#),
            ("records/query", #"{"query":{"recordType":"Note"},"zoneWide":true}"#), ("subscriptions/list", "{}"),
        ] { answers.append(await user.post("private/\(operation)", json).body) }
        return answers
    }

    @Test(
        arguments: calls(
            Aim(owner: "_o", zone: "z", record: "r", subscription: "s", token: "t", marker: "m", pushToken: "p")
        ).map(\.operation))
    func `is nobody at all without signing in`(operation: String) async throws {
        let cloud = try TestCloud()
        for database in ["private", "shared"] where !operation.hasPrefix("users/") && operation != "zones/modify" {
            let path =
                "/database/1/\(TestCloud.container)/development/\(database)/\(operation)"
                + "?ckAPIToken=\(TestCloud.apiToken())"
            let answer = await cloud.request("POST", path, json: "{}")
            #expect(answer.status == 421 && answer.isRefusal("AUTHENTICATION_REQUIRED", naming: "redirectURL"))
        }
        await cloud.close()
    }

    @Test(arguments: ["update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete"])
    func `may read what is public and change none of it`(type: String) async throws {
        let cloud = try TestCloud()
        let anna = try await cloud.signIn("anna@example.org")
        let bert = try await cloud.signIn("bert@example.org")
        let made = await anna.post("public/records/modify", Bodies.note("n1", title: "open"))
        let tag = try #require(Bodies.string("recordChangeTag", in: made.body))
        let record = #""recordName":"n1","recordChangeTag":"\#(tag)","fields":{"title":{"value":"taken"}}"#
        let answer = await bert.post(
            "public/records/modify", #"{"operations":[{"operationType":"\#(type)","record":{\#(record)}}]}"#)
        #expect(answer.isRefusal("ACCESS_DENIED"), "\(answer)")
        let left = await bert.post("public/records/lookup", #"{"records":[{"recordName":"n1"}]}"#)
        #expect(left.body.contains("open") && left.body.contains(tag))
        await cloud.close()
    }
}
