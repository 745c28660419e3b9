import CloudTestSupport
import HTTPCore

// What is wrong with the body of an otherwise good request.

extension BadInput {
    /// A `records/modify` of Anna's default zone that is refused as a whole.
    static func body(
        _ what: String, _ json: String, reason: String, status: Int = 400, code: String = "BAD_REQUEST",
        to operation: String = "private/records/modify"
    ) -> BadInput {
        bytes(what, Array(json.utf8), reason: reason, status: status, code: code, to: operation)
    }

    static func bytes(
        _ what: String, _ body: [UInt8], reason: String, status: Int = 400, code: String? = "BAD_REQUEST",
        to operation: String = "private/records/modify"
    ) -> BadInput {
        BadInput(what: what, status: status, code: code, reason: reason) { cloud in
            HTTPRequest(method: "POST", target: SocketCloud.path(operation, of: cloud.anna), body: body)
        }
    }

    /// A request of which one item is refused: the answer has status 200 and the error in the item's place.
    static func item(
        _ what: String, _ json: String, reason: String, code: String = "BAD_REQUEST", in list: String = "records",
        to operation: String = "private/records/modify"
    ) -> BadInput {
        BadInput(what: what, status: 200, code: code, reason: reason, item: list) { cloud in
            HTTPRequest(
                method: "POST", target: SocketCloud.path(operation, of: cloud.anna), body: Array(json.utf8))
        }
    }

    /// A save of record `n` with one field.
    static func save(_ field: String, name: String = "n", type: String = "Note", extra: String = "") -> String {
        """
        {"operations":[{"operationType":"create","record":{"recordName":"\(name)","recordType":"\(type)"\(extra),\
        "fields":{\(field)}}}]}
        """
    }

    static let documents: [BadInput] = [
        body("no JSON", "not json", reason: "the body is not JSON"),
        body("only white space", "  \n ", reason: "the body holds no JSON"),
        body("JSON that stops", #"{"operations":["#, reason: "the body is not JSON"),
        body("100,000 arrays that stop", String(repeating: "[", count: 100_000), reason: "Unexpected input"),
        body("two documents", "{}{}", reason: "the body is not JSON"),
        body("an array for the body", "[]", reason: "the body must be a JSON object"),
        body("a string for the body", "\"x\"", reason: "the body must be a JSON object"),
        body("a body without its key", "{}", reason: "missing required key 'operations'"),
        body("a number for an array", #"{"operations":5}"#, reason: "operations: Unexpected input: expected an array"),
        body(
            "a number for an object", #"{"operations":[5]}"#,
            reason: "operations[0]: Unexpected input: expected an object, got an integer"),
        body("an operation without its type", #"{"operations":[{}]}"#, reason: "missing required key 'operations[0]."),
        body(
            "an operation type that does not exist",
            #"{"operations":[{"operationType":"explode","record":{"recordName":"n"}}]}"#,
            reason: "operations[0].operationType"),
        body(
            "a string for a record", #"{"operations":[{"operationType":"create","record":"n"}]}"#,
            reason: "operations[0].record: Unexpected input: expected an object, got a string"),
        body(
            "an array for the fields",
            #"{"operations":[{"operationType":"create","record":{"recordName":"n","recordType":"T","fields":[]}}]}"#,
            reason: "operations[0].record.fields: Unexpected input: expected an object, got an array"),
        body(
            "100,000 arrays in each other",
            String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
            reason: "the JSON nests deeper than 64 levels"),
        body(
            "100,000 objects in each other",
            String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000),
            reason: "the JSON nests deeper than 64 levels"),
        body(
            "100,000 arrays in a field",
            save(
                #""a":{"value":"# + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
                    + "}"
            ), reason: "the JSON nests deeper than 64 levels"),
        bytes(
            "bytes that are not UTF-8", Array("{\"operations\":[],\"a\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8),
            reason: "the body is not UTF-8"),
        bytes(
            "an overlong form of UTF-8", Array("{\"operations\":[],\"a\":\"".utf8) + [0xC0, 0xAF] + Array("\"}".utf8),
            reason: "the body is not UTF-8"),
        bytes(
            "half a surrogate pair in UTF-8",
            Array("{\"operations\":[],\"a\":\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8),
            reason: "the body is not UTF-8"),
        body("half a surrogate pair", save(#""a":{"value":"\ud800"}"#), reason: "Unexpected input"),
        bytes(
            "a body of 17 MiB", [UInt8](repeating: 32, count: 17 * 1_048_576), reason: "16777216 bytes", status: 413),
        body(
            "a wrong shape elsewhere", #"{"zones":[{"zoneID":7}]}"#, reason: "zones[0].zoneID: Unexpected input",
            to: "private/changes/zone"),
        body(
            "a query without a type", #"{"query":{}}"#, reason: "missing required key 'query.recordType'",
            to: "private/records/query"),
        body(
            "a page of no records", #"{"query":{"recordType":"Note"},"resultsLimit":0}"#,
            reason: "resultsLimit: Unexpected input: must be at least 1", to: "private/records/query"),
    ]

    static let values: [BadInput] = [
        body(
            "an integer above Int64", save(#""a":{"value":9223372036854775808}"#),
            reason: "operations[0].record.fields.a.value: 9223372036854775808 does not fit in 64 bits with sign"),
        body(
            "an integer below Int64", save(#""a":{"value":-9223372036854775809}"#),
            reason: "a number is malformed or too large"),
        body(
            "an integer above UInt64", save(#""a":{"value":18446744073709551616}"#),
            reason: "a number is malformed or too large"),
        body(
            "a typed integer above Int64", save(#""a":{"value":"9223372036854775808","type":"INT64"}"#),
            reason: "operations[0].record.fields.a.value: Unexpected input: expected an integer"),
        body("a number above Double", save(#""a":{"value":1e999}"#), reason: "a number is malformed or too large"),
        body("NaN", save(#""a":{"value":NaN}"#), reason: "the body is not JSON"),
        body(
            "NaN in a string", save(#""a":{"value":"NaN","type":"DOUBLE"}"#),
            reason: "operations[0].record.fields.a.value: Unexpected input: expected a finite number"),
        body(
            "a time that is not a number", save(#""a":{"value":"NaN","type":"TIMESTAMP"}"#),
            reason: "operations[0].record.fields.a.value: Unexpected input: expected milliseconds since 1970"),
        body(
            "bytes that are not base64", save(#""a":{"value":"*","type":"BYTES"}"#),
            reason: "operations[0].record.fields.a.value: Unexpected input: expected standard base64"),
        body(
            "a field type that does not exist", save(#""a":{"value":1,"type":"SHOUT"}"#),
            reason: "operations[0].record.fields.a.type: Unexpected input: unknown field type 'SHOUT'"),
        item(
            "a value of another type than the field's", save(#""title":{"value":5,"type":"INT64"}"#), reason: "title"),
        item(
            "a reference to nothing",
            save(#""a":{"value":{"recordName":"nobody","action":"VALIDATE"},"type":"REFERENCE"}"#),
            reason: "record 'n' refers to record 'nobody', which does not exist", code: "VALIDATING_REFERENCE_ERROR"),
        item(
            "an owner that is not there",
            save(#""a":{"value":{"recordName":"nobody","action":"DELETE_SELF"},"type":"REFERENCE"}"#),
            reason: "record 'n' refers to record 'nobody', which does not exist", code: "VALIDATING_REFERENCE_ERROR"),
        item(
            "a parent that is not there", save("", extra: #","parent":{"recordName":"nobody"}"#),
            reason: "record 'n' refers to record 'nobody', which does not exist", code: "VALIDATING_REFERENCE_ERROR"),
        item(
            "a reference out of the zone",
            save(#""a":{"value":{"recordName":"kept","zoneID":{"zoneName":"Notes"}},"type":"REFERENCE"}"#),
            reason: "field 'a' refers to a record of zone 'Notes'"),
        item(
            "a record above 1 MiB", save("\"a\":{\"value\":\"\(String(repeating: "x", count: 1_048_576))\"}"),
            reason: "record 'n' has 1048577 bytes; at most 1048576 are allowed"),
        body(
            "two operations on one record",
            #"{"operations":[{"operationType":"forceDelete","record":{"recordName":"kept"}},"#
                + #"{"operationType":"forceUpdate","record":{"recordName":"kept","recordType":"Note"}}]}"#,
            reason: "more than one operation on record 'kept'"),
        body(
            "an atomic request in the default zone", #"{"atomic":true,"operations":[]}"#,
            reason: "atomic operations not supported in default zone"),
        body(
            "a record of another zone than the request",
            #"{"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"create","record":{"recordName":"n","#
                + #""recordType":"Note","zoneID":{"zoneName":"_defaultZone"}}}]}"#, reason: "record 'n' is of zone"),
    ]

    static let counts: [BadInput] = [
        body(
            "401 operations",
            many("operations", 401) { #"{"operationType":"forceDelete","record":{"recordName":"n\#($0)"}}"# },
            reason: "401 operations in one request; at most 400 are allowed"),
        body(
            "401 records to look up", many("records", 401) { #"{"recordName":"n\#($0)"}"# },
            reason: "401 records in one request; at most 400 are allowed", to: "private/records/lookup"),
        body(
            "401 zones to make",
            many("operations", 401) { #"{"operationType":"create","zone":{"zoneID":{"zoneName":"z\#($0)"}}}"# },
            reason: "401 operations in one request; at most 400 are allowed", to: "private/zones/modify"),
        body(
            "401 zones to follow", many("zones", 401) { #"{"zoneID":{"zoneName":"z\#($0)"}}"# },
            reason: "401 zones in one request; at most 400 are allowed", to: "private/changes/zone"),
        body(
            "401 subscriptions",
            many("operations", 401) { #"{"operationType":"delete","subscription":{"subscriptionID":"s\#($0)"}}"# },
            reason: "401 operations in one request; at most 400 are allowed", to: "private/subscriptions/modify"),
    ]

    private static func many(_ key: String, _ count: Int, _ element: (Int) -> String) -> String {
        "{\"\(key)\":[\((0..<count).map(element).joined(separator: ","))]}"
    }
}
