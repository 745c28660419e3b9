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
