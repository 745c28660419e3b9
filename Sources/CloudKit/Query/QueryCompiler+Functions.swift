import CloudCore
import Foundation

/// The functions of a predicate that a query can answer: how far a place is, and the words of a text.
extension QueryCompiler {
    /// The filter of a comparison with one of them; `nil` for one without.
    func functionFilter(_ comparison: PredicateComparison) throws(PredicateFailure) -> QueryFilter? {
        switch (comparison.left, comparison.right) {
        case (.function(let name, let arguments), let other) where Self.isDistance(name):
            return try distance(arguments, comparison.comparator, other, comparison.quantifier)
        case (let other, .function(let name, let arguments)) where Self.isDistance(name):
            let mirrored = ["<": ">", ">": "<", "<=": ">=", ">=": "<="][comparison.comparator] ?? comparison.comparator
            return try distance(arguments, mirrored, other, comparison.quantifier)
        case (.key(let key), .function(let name, let arguments))
        where Self.isTokens(name) && comparison.comparator == "TOKENMATCHES" && comparison.quantifier == nil:
            return try tokens(arguments, of: key, .containsAllTokens)
        case (.function(let name, let arguments), .key(let key))
        where Self.isTokens(name) && comparison.comparator == "IN":
            switch comparison.quantifier {
            case "ALL": return try tokens(arguments, of: key, .containsAllTokens)
            case "ANY", "SOME": return try tokens(arguments, of: key, .containsAnyTokens)
            default: throw PredicateFailure(reason: "\(name) IN '\(key)' needs ALL or ANY before it")
            }
        default: return nil
        }
    }

    private static func isDistance(_ name: String) -> Bool { name.lowercased() == "distancetolocation:fromlocation:" }
    private static func isTokens(_ name: String) -> Bool {
        ["tokenize", "tokenize:using:"].contains(name.lowercased())
    }

    /// `distanceToLocation:fromLocation:(field, place) < metres`
    private func distance(
        _ arguments: [PredicateExpression], _ comparator: String, _ radius: PredicateExpression, _ quantifier: String?
    ) throws(PredicateFailure) -> QueryFilter {
        guard comparator == "<" || comparator == "<=", quantifier == nil else {
            throw PredicateFailure(reason: "a distance can be less than a radius only, not \(quantifier ?? comparator)")
        }
        guard case .constant(.number(let metres)) = radius, metres.doubleValue.isFinite, metres.doubleValue >= 0 else {
            throw PredicateFailure(reason: "a distance is compared with a number of metres")
        }
        let key: String
        let place: Location
        switch (arguments.first, arguments.last, arguments.count) {
        case (.key(let name)?, .constant(.location(let location))?, 2),
            (.constant(.location(let location))?, .key(let name)?, 2):
            (key, place) = (name, location)
        default:
            throw PredicateFailure(reason: "distanceToLocation:fromLocation: needs a field and a CLLocation")
        }
        return QueryFilter(
            field: try Self.field(key), comparator: .near, value: .location(place), distance: metres.doubleValue)
    }

    /// The words of a text, in all text of a record or in a field. What `using:` says is how words always are compared.
    private func tokens(
        _ arguments: [PredicateExpression], of key: String, _ comparator: CloudCore.Comparator
    ) throws(PredicateFailure) -> QueryFilter {
        guard case .constant(.string(let text))? = arguments.first, arguments.count <= 2 else {
            throw PredicateFailure(reason: "tokenize:using: needs a string and options")
        }
        if arguments.count == 2 {
            guard case .constant(.string(let options)) = arguments[1],
                options.lowercased().allSatisfy({ "cdl".contains($0) })
            else { throw PredicateFailure(reason: "the options of tokenize:using: are letters of 'cdl'") }
        }
        let field = key == Self.allTokens ? QueryField.text : try Self.field(key)
        return QueryFilter(field: field, comparator: comparator, value: .string(text))
    }
}
