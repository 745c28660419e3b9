import CloudCore
import CloudWire
import Foundation
import Testing

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The document as Foundation understands it, to compare without regard to order.
func tree(_ bytes: [UInt8]) throws -> NSDictionary {
    try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? NSDictionary)
}

/// Why `body` was refused; `nil` when it was not.
func refusal<Body: WireBody>(_ type: Body.Type, _ body: String) -> String? {
    do throws(WireError) {
        _ = try Body.decode(bytes(body))
        return nil
    } catch {
        return error.reason
    }
}

/// The drafts of the fields in `fields`, by name.
func drafts(_ fields: String) throws -> [String: FieldDraft] {
    let body = #"{"operations": [{"operationType": "create", "record": {"recordType": "T", "fields": \#(fields)}}]}"#
    let request = try RecordsModifyRequest.decode(bytes(body))
    return Dictionary(uniqueKeysWithValues: request.operations[0].fields.map { ($0.name, $0) })
}

/// Random numbers that a printed seed repeats.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
