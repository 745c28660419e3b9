/// Who asks, and for what.
extension RightsWorld {
    enum Who: String, CaseIterable {
        case nobody, token, other, invited, reader, writer, administrator, left, removed, writingGuest, readingGuest,
            zoneReader, zoneWriter, zoneLeft, owner, key

        var email: String { "\(rawValue.lowercased())@example.org" }
    }

    /// What one line of the table asks for.
    struct Row: CustomStringConvertible {
        let scope, zone, record, operation: String

        init(_ words: [String]) { (scope, zone, record, operation) = (words[0], words[1], words[2], words[3]) }

        var description: String { "\(operation) of \(record) in \(scope) \(zone)" }

        /// What an answer holds that shows what was asked for; `nil` for what only succeeds.
        func shown(_ who: Who) -> String? {
            switch operation {
            case "lookup", "query", "queryWide", "feed": #""recordName":"\#(record)""#
            case "records": #""recordName":"\#(record)""#
            case "listed", "changed", "zones", "zone": #""zoneName":"\#(zone)""#
            default: nil
            }
        }
    }
}
