import CloudTestSupport
import Testing

@Suite struct `Operations of records modify` {
    @Test(arguments: CloudSetUp.available)
    func `on a record that is gone: checked ones find nothing, forced ones make it again`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            for (operation, code) in [
                ("update", "NOT_FOUND"), ("replace", "NOT_FOUND"), ("forceUpdate", nil), ("forceReplace", nil),
            ] {
                let made = await user.post(
                    "private/records/modify", JSONText.create(operation, fields: #""a":{"value":"A"}"#))
                let tag = try #require(
                    try JSONText.items("records", in: made.body).first?["recordChangeTag"] as? String)
                _ = await user.post(
                    "private/records/modify", JSONText.modify([JSONText.record("forceDelete", operation)]))
                let answer = await user.post(
                    "private/records/modify",
                    JSONText.modify([JSONText.record(operation, operation, tag: tag, fields: #""b":{"value":"B"}"#)]))
                #expect(try JSONText.codes(in: answer.body) == [code], "\(operation): \(answer.body)")
                let item = try JSONText.items("records", in: answer.body).first ?? [:]
                if code == nil {
                    #expect((item["fields"] as? [String: Any])?.keys.sorted() == ["b"])
                    #expect(item["recordChangeTag"] as? String != tag)
                }
            }
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `that refer to nothing say so, and are accepted together with what they refer to`(on setUp: CloudSetUp)
        async throws
    {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            let owner = #""owner":{"value":{"recordName":"parent","action":"DELETE_SELF"},"type":"REFERENCE"}"#
            let child = JSONText.record("create", "child", fields: owner)
            let alone = await user.post("private/records/modify", JSONText.modify([child]))
            #expect(try JSONText.codes(in: alone.body) == ["VALIDATING_REFERENCE_ERROR"])
            let together = await user.post(
                "private/records/modify", JSONText.modify([child, JSONText.record("create", "parent")]))
            #expect(try JSONText.codes(in: together.body) == [nil, nil], "\(together.body)")
        }
    }

    @Test(arguments: CloudSetUp.available)
    func `are at most 400 in one request, and more are refused with both numbers and nothing stored`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            for count in [200, 201, 400, 401] {
                let operations = (0..<count).map { JSONText.record("create", "r\(count)-\($0)") }
                let answer = await user.post("private/records/modify", JSONText.modify(operations))
                if count <= 400 {
                    #expect(answer.status == 200)
                    #expect(try JSONText.codes(in: answer.body) == [String?](repeating: nil, count: count))
                } else {
                    #expect(answer.status == 400)
                    #expect(answer.isRefusal("BAD_REQUEST", naming: "401 operations") && answer.body.contains("400"))
                    let found = await user.post("private/records/lookup", JSONText.lookup(["r401-0", "r401-400"]))
                    #expect(try JSONText.codes(in: found.body) == ["NOT_FOUND", "NOT_FOUND"])
                }
            }
        }
    }

    @Test(arguments: CloudSetUp.ways)
    func `that are too long for one request are refused as over a limit, and the service lives on`(
        on setUp: CloudSetUp
    ) async throws {
        try await setUp.withCloud { cloud in
            let user = try await cloud.signIn("alice@example.com")
            let field = #""text":{"value":"\#(String(repeating: "x", count: 100_000))"}"#
            let operations = (0..<170).map { JSONText.record("create", "r\($0)", fields: field) }
            let answer = await user.post("private/records/modify", JSONText.modify(operations))
            #expect(answer.status == 400 || answer.status == 413, "\(answer.status) \(answer.body.prefix(300))")
            #expect(answer.isRefusal("BAD_REQUEST"), "\(answer.body.prefix(300))")
            let half = await user.post("private/records/modify", JSONText.modify(Array(operations.prefix(85))))
            #expect(half.status == 200 && !half.body.contains("serverErrorCode"))
        }
    }
}
