import CloudTestSupport
import HTTPCore
import Testing

/// Names that nothing can have: a database that keeps no U+0000 in its text must not trip over them.
@Suite struct `A name with a null character` {
    private static let zone = ##"{"zoneName":"a\u0000b"}"##

    @Test(arguments: CloudSetUp.available)
    func `is refused or not found wherever a request may say one`(on setUp: CloudSetUp) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            _ = await user.post("private/records/modify", JSONText.create("n", fields: #""title":{"value":"x"}"#))
            let query = #""query":{"recordType":"Note""#
            let filter = #""comparator":"EQUALS","fieldValue":{"value":"a\u0000b"}}]}"#
            for (operation, json) in [
                ("records/lookup", #"{"records":[{"recordName":"a\u0000b"}]}"#),
                ("records/lookup", #"{"zoneID":\#(Self.zone),"records":[{"recordName":"n"}]}"#),
                ("records/query", #"{\#(query)},"zoneID":\#(Self.zone)}"#),
                ("records/query", #"{"query":{"recordType":"No\u0000te"}}"#),
                ("records/query", #"{\#(query),"filterBy":[{"systemFieldName":"recordName",\#(filter)}"#),
                ("records/query", #"{\#(query),"filterBy":[{"fieldName":"title",\#(filter)}"#),
                ("records/query", #"{\#(query),"filterBy":[{"fieldName":"ti\u0000tle",\#(filter)}"#),
                (
                    "records/modify",
                    #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"a\u0000b"}}]}"#
                ),
                (
                    "records/modify",
                    #"{"operations":[{"operationType":"create","record":{"recordName":"m","recordType":"No\u0000te"}}]}"#
                ),
                (
                    "records/modify",
                    #"{"operations":[{"operationType":"create","record":{"recordName":"m","recordType":"Note","#
                        + #""fields":{"to":{"value":{"recordName":"a\u0000b","action":"VALIDATE"}}}}}]}"#
                ),
                (
                    "records/modify",
                    #"{"operations":[{"operationType":"create","record":{"recordName":"m","recordType":"Note","#
                        + #""parent":{"recordName":"a\u0000b"}}}]}"#
                ),
                ("zones/lookup", #"{"zones":[\#(Self.zone)]}"#),
                ("zones/modify", #"{"operations":[{"operationType":"create","zone":{"zoneID":\#(Self.zone)}}]}"#),
                ("zones/modify", #"{"operations":[{"operationType":"delete","zone":{"zoneID":\#(Self.zone)}}]}"#),
                ("changes/zone", #"{"zones":[{"zoneID":\#(Self.zone)}]}"#),
                ("changes/database", #"{"syncToken":"a\u0000b"}"#),
                ("subscriptions/lookup", #"{"subscriptions":["a\u0000b"]}"#),
                (
                    "subscriptions/modify",
                    #"{"operations":[{"operationType":"delete","subscription":{"subscriptionID":"a\u0000b"}}]}"#
                ),
                (
                    "subscriptions/modify",
                    #"{"operations":[{"operationType":"create","subscription":{"subscriptionID":"a\u0000b","#
                        + #""subscriptionType":"database"}}]}"#
                ),
                ("tokens/create", #"{"apnsEnvironment":"development","clientId":"a\u0000b"}"#),
                ("tokens/register", #"{"apnsEnvironment":"development","apnsToken":"a\u0000b"}"#),
            ] {
                let answer = await user.post(operation.hasPrefix("tokens") ? operation : "private/\(operation)", json)
                let isFound = answer.status == 200 && !answer.body.contains("serverErrorCode")
                let isEmpty = answer.body.contains(#""records":[]"#) || answer.body.contains(#""deleted":true"#)
                #expect(answer.status < 500 && (!isFound || isEmpty), "\(operation) \(json): \(answer)")
                #expect(!answer.body.contains("INTERNAL_ERROR"), "\(operation) \(json): \(answer)")
            }
            #expect(await user.post("private/zones/list").status == 200)
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `is refused in credentials, addresses and identifiers of clients`(on setUp: CloudSetUp) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            let list = "/database/1/\(user.container)/development/private/zones/list?"
            let api = String(repeating: "a", count: 63) + "%00"
            for path in [
                list + "ckAPIToken=\(api)", list + user.query.replacing("clientId=device", with: "clientId=a%00b"),
                "/device/1/courier?tok=a%00b",
                list.replacing("development", with: "develop%00ment") + user.query,
            ] {
                let answer = await cloud.request(path.contains("courier") ? "GET" : "POST", path)
                #expect((400..<500).contains(answer.status), "\(path): \(answer)")
            }
            for body in [
                #"{"emailAddress":"a\u0000b@example.com","deviceID":"d","deviceName":"d"}"#,
                #"{"emailAddress":"a@example.com","deviceID":"d\u0000","deviceName":"d"}"#,
                #"{"emailAddress":"a@example.com","deviceID":"d","deviceName":"d\u0000"}"#,
            ] {
                let answer = await cloud.request("POST", "/cumulet/1/sign-in", json: body)
                #expect((400..<500).contains(answer.status), "\(body): \(answer)")
            }
        }
    }

    /// Values are no names.
    @Test(arguments: CloudSetUp.available)
    func `is kept in the text of a field`(on setUp: CloudSetUp) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            let field = #""title":{"value":"a\u0000b","type":"STRING"}"#
            let made = await user.post("private/records/modify", JSONText.create("n", fields: field))
            #expect(try JSONText.codes(in: made.body) == [nil], "\(made)")
            let found = await user.post("private/records/lookup", JSONText.lookup(["n"]))
            let item = try #require(try JSONText.items("records", in: found.body).first)
            #expect(JSONText.field("title", of: item) as? String == "a\u{0}b")
            let filter = #"{"fieldName":"title","comparator":"EQUALS","fieldValue":{"value":"a\u0000b"}}"#
            let query = await user.post(
                "private/records/query", #"{"query":{"recordType":"Note","filterBy":[\#(filter)]}}"#)
            #expect(try JSONText.items("records", in: query.body).count == 1, "\(query)")
        }
    }
}
