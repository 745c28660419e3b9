import CloudCore
import CloudWire
import Testing

struct JSONReaderTests {
    private func refusal(_ body: [UInt8]) -> String? {
        do throws(WireError) {
            try JSONTape.readObject(body) { _ in }
            return nil
        } catch {
            return error.reason
        }
    }

    @Test func `an empty body is an empty object`() throws {
        #expect(try JSONTape.readObject([]) { json in json.count } == 0)
    }

    @Test(arguments: [
        "[]", "3", "\"a\"", "null", " ", "{", "{\"a\":1}x", "{\"a\":1}{}", "{a:1}", "{\"a\":01}", "{\"a\":\"\u{1}\"}",
    ])
    func `what is not one JSON object is refused`(_ body: String) {
        #expect(refusal(bytes(body))?.hasPrefix("Unexpected input") == true)
    }

    @Test func `containers nest to the limit and no deeper`() {
        func nested(_ depth: Int) -> [UInt8] {
            bytes(#"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}")
        }
        #expect(refusal(nested(JSONTape.depthLimit)) == nil)
        #expect(refusal(nested(JSONTape.depthLimit + 1))?.contains("deeper than 64") == true)
        #expect(refusal(nested(100_000))?.contains("deeper than 64") == true)
        #expect(refusal(bytes(String(repeating: "[", count: 100_000))) != nil)
    }

    @Test func `text that is not UTF-8 is refused as such`() {
        for bad: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] {
            #expect(refusal(bytes(#"{"a":""#) + bad + bytes(#""}"#))?.contains("UTF-8") == true)
        }
    }

    @Test func `integers are exact to the last bit and larger ones are refused`() throws {
        func number(_ text: String) throws -> Int64 {
            try JSONTape.readObject(bytes("{\"n\": \(text)}")) { json throws(WireError) in
                try json.required("n").int64()
            }
        }
        #expect(try number("9223372036854775807") == .max)
        #expect(try number("-9223372036854775808") == .min)
        #expect(try number("9007199254740993") == 9_007_199_254_740_993)
        #expect(try number("3.0") == 3)
        #expect(throws: WireError.self) { try number("9223372036854775808") }
        #expect(throws: WireError.self) { try number("18446744073709551616") }
        #expect(throws: WireError.self) { try number("-9223372036854775809") }
        #expect(throws: WireError.self) { try number("3.5") }
        #expect(throws: WireError.self) { try number("1e400") }
    }

    @Test func `an error names the way to the value`() {
        let body =
            #"{"operations": [{"operationType": "delete", "record": {"recordName": "a"}}, "#
            + #"{"operationType": "create", "record": "#
            + #" {"recordType": "T", "fields": {"x": {"value": 1}, "y": {"value": "a", "type": "INT64"}}}}]}"#
        let reason = CloudWireTests.refusal(RecordsModifyRequest.self, body)
        #expect(reason?.hasPrefix("operations[1].record.fields.y.value: ") == true, "\(reason ?? "")")
        let missing = CloudWireTests.refusal(
            RecordsModifyRequest.self, #"{"operations": [{"operationType": "delete"}]}"#)
        #expect(missing == "Unexpected input: missing required key 'operations[0].record'")
    }

    @Test func `of two members with one name the last counts`() throws {
        let request = try SignOutRequest.decode(bytes(#"{"deviceSession": "a", "deviceSession": "b"}"#))
        #expect(request.deviceSession == "b")
    }

    @Test func `documents are read inside one another and on many threads`() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for size in 1...40 {
                group.addTask {
                    let body = bytes("{\"a\":[" + (0..<(size * 500)).map(String.init).joined(separator: ",") + "]}")
                    return try JSONTape.readObject(body) { outer throws(WireError) in
                        let inner = try SignOutRequest.decode(bytes(#"{"deviceSession": "inner"}"#))
                        var sum = 0
                        for element in try outer.required("a").elements { sum += Int(try element.int64()) }
                        return inner.deviceSession == "inner" ? sum : -1
                    }
                }
            }
            var sums: Set<Int> = []
            for try await sum in group { sums.insert(sum) }
            #expect(sums == Set((1...40).map { $0 * 500 * ($0 * 500 - 1) / 2 }))
        }
    }
}
