import CloudTestSupport
import Foundation

/// Bodies in the protocol's JSON, and a look into answers, with Foundation's coder instead of ours.
enum JSONText {
    /// Names may hold anything; field text is JSON as it is to be sent.
    static func record(
        _ operation: String, _ name: String, type: String? = "Note", tag: String? = nil, fields: String = ""
    ) -> String {
        var record = #""recordName":\#(quoted(name))"#
        if let type { record += #","recordType":"\#(type)""# }
        if let tag { record += #","recordChangeTag":"\#(tag)""# }
        return #"{"operationType":"\#(operation)","record":{\#(record),"fields":{\#(fields)}}}"#
    }

    static func modify(_ operations: [String], in zone: String? = nil, more: String = "") -> String {
        let zonePart = zone.map { #""zoneID":{"zoneName":\#(quoted($0))},"# } ?? ""
        return #"{\#(zonePart)\#(more)"operations":[\#(operations.joined(separator: ","))]}"#
    }

    static func create(_ name: String, in zone: String? = nil, fields: String = "") -> String {
        modify([record("create", name, fields: fields)], in: zone)
    }

    static func lookup(_ names: [String], in zone: String? = nil) -> String {
        let zonePart = zone.map { #""zoneID":{"zoneName":\#(quoted($0))},"# } ?? ""
        let records = names.map { #"{"recordName":\#(quoted($0))}"# }.joined(separator: ",")
        return #"{\#(zonePart)"records":[\#(records)]}"#
    }

    static func zone(_ operation: String, _ name: String) -> String {
        #"{"operations":[{"operationType":"\#(operation)","zone":{"zoneID":{"zoneName":\#(quoted(name))}}}]}"#
    }

    /// A JSON string that holds `text`, every scalar of it escaped where JSON asks for it.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" || scalar.value < 32 {
                result += "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
                result += String(scalar.value, radix: 16)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func object(_ text: String) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    /// The objects of an answer's list.
    static func items(_ list: String, in text: String) throws -> [[String: Any]] {
        try object(text)[list] as? [[String: Any]] ?? []
    }

    /// The value of a field of an answer's record.
    static func field(_ name: String, of item: [String: Any]) -> Any? {
        ((item["fields"] as? [String: Any])?[name] as? [String: Any])?["value"]
    }

    /// The error codes of an answer's items; `nil` for those that succeeded.
    static func codes(_ list: String = "records", in text: String) throws -> [String?] {
        try items(list, in: text).map { $0["serverErrorCode"] as? String }
    }
}
