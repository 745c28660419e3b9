import CloudTestSupport
import Testing

/// Values in the protocol's own JSON.
@Suite struct `A value in a request` {
    static let exact: [(type: String, json: String)] = [
        ("INT64", "-9223372036854775808"), ("INT64", "9223372036854775807"), ("INT64", "9007199254740993"),
        ("DOUBLE", "-0.0"), ("DOUBLE", "5e-324"), ("DOUBLE", "0.30000000000000004"),
        ("DOUBLE", "1.7976931348623157e+308"), ("TIMESTAMP", "-62135596800000"), ("TIMESTAMP", "253402300799999"),
        ("STRING", #""""#), ("BYTES", #""""#),
    ]

    @Test(arguments: CloudSetUp.available)
    func `comes back as it was, typed or not`(on setUp: CloudSetUp) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            let typed = Self.exact.enumerated().map { #""f\#($0)":{"value":\#($1.json),"type":"\#($1.type)"}"# }
            let made = await user.post(
                "private/records/modify", JSONText.create("n", fields: typed.joined(separator: ",")))
            #expect(made.status == 200 && !made.body.contains("serverErrorCode"), "\(made.body)")
            // The schema knows the types by now.
            let plain = Self.exact.enumerated().map { #""f\#($0)":{"value":\#($1.json)}"# }
            let open = await user.post(
                "private/records/modify", JSONText.create("m", fields: plain.joined(separator: ",")))
            #expect(open.status == 200 && !open.body.contains("serverErrorCode"), "\(open.body)")
            let found = await user.post("private/records/lookup", JSONText.lookup(["n", "m"]))
            for (index, value) in Self.exact.enumerated() {
                let field = #""f\#(index)":{"value":\#(value.json),"type":"\#(value.type)"}"#
                #expect(found.body.split(separator: field, omittingEmptySubsequences: false).count == 3, "\(field)")
            }
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `that no field can hold is refused by its name and stores nothing`(on setUp: CloudSetUp) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            let bad = [
                #"{"value":9223372036854775808,"type":"INT64"}"#,
                #"{"value":18446744073709551615}"#, #"{"value":"NaN","type":"DOUBLE"}"#,
                #"{"value":"Infinity","type":"DOUBLE"}"#, #"{"value":"-inf","type":"DOUBLE"}"#,
                #"{"value":["1","nan"],"type":"DOUBLE_LIST"}"#,
                #"{"value":1.5,"type":"INT64"}"#, #"{"value":"x","type":"TIMESTAMP"}"#,
            ]
            for value in bad {
                let answer = await user.post(
                    "private/records/modify", JSONText.create("n", fields: #""bad":\#(value)"#))
                #expect(answer.isRefusal("BAD_REQUEST", naming: "bad"), "\(value): \(answer)")
            }
            // What is no number of JSON's, or of no machine's, ends the reading: there is no field yet to name.
            for word in ["NaN", "Infinity", "-Infinity", "1e999", "-9223372036854775809", "18446744073709551616"] {
                let body = JSONText.create("n", fields: #""bad":{"value":\#(word)}"#)
                #expect(await user.post("private/records/modify", body).status == 400)
            }
            let found = await user.post("private/records/lookup", JSONText.lookup(["n"]))
            #expect(try JSONText.codes(in: found.body) == ["NOT_FOUND"])
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `of null clears its field; a field left out stays in an update and goes in a replace`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            let both = #""a":{"value":"A"},"b":{"value":"B"}"#
            for (operation, left) in [("update", ["b"]), ("forceUpdate", ["b"]), ("replace", []), ("forceReplace", [])]
            {
                let made = await user.post("private/records/modify", JSONText.create(operation, fields: both))
                let tag = try #require(
                    try JSONText.items("records", in: made.body).first?["recordChangeTag"] as? String)
                let change = JSONText.modify([
                    JSONText.record(operation, operation, tag: tag, fields: #""a":{"value":null},"c":{"value":""}"#)
                ])
                let answer = await user.post("private/records/modify", change)
                let item = try #require(try JSONText.items("records", in: answer.body).first, "\(answer.body)")
                let fields = try #require(item["fields"] as? [String: Any], "\(answer.body)")
                #expect(Set(fields.keys) == Set(left + ["c"]), "\(operation)")
                #expect(JSONText.field("c", of: item) as? String == "")
            }
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `that is true reads as 1 and goes on being an integer`(on setUp: CloudSetUp) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            let answer = await user.post(
                "private/records/modify", JSONText.create("n", fields: #""yes":{"value":true},"no":{"value":false}"#))
            #expect(answer.body.contains(#""yes":{"value":1,"type":"INT64"}"#), "\(answer.body)")
            #expect(answer.body.contains(#""no":{"value":0,"type":"INT64"}"#), "\(answer.body)")
        }
    }
}
