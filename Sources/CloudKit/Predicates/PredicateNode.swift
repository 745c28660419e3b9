/// A predicate's tree, as its text says it. What a query can answer is decided when it is compiled.
indirect enum PredicateNode: Hashable, Sendable, Codable {
    case value(Bool)
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    case comparison(PredicateComparison)
}

struct PredicateComparison: Hashable, Sendable, Codable {
    /// `ANY`, `SOME`, `ALL` or `NONE`.
    var quantifier: String?
    var left: PredicateExpression
    /// One of `= != < <= > >=`, or an upper-case word.
    var comparator: String
    /// The letters in brackets after the operator.
    var options = ""
    var right: PredicateExpression

    /// True for a search by words: in all text of a record, or in a field.
    var seeksTokens: Bool {
        if comparator == "TOKENMATCHES" { return true }
        if case .whole = left { return comparator == "CONTAINS" }
        return false
    }

    /// True when one side is text, or a list with text in it.
    var comparesText: Bool { left.hasText || right.hasText }
}

indirect enum PredicateExpression: Hashable, Sendable, Codable {
    case key(String)
    /// The record itself.
    case whole
    case constant(StoredValue)
    case list([PredicateExpression])
    case null
    case function(String, [PredicateExpression])

    fileprivate var hasText: Bool {
        switch self {
        case .constant(.string): true
        case .list(let elements): elements.contains(where: \.hasText)
        default: false
        }
    }
}

/// Why a text is not a predicate, or a predicate no query.
struct PredicateFailure: Error, Hashable, Codable {
    var reason: String
}

/// A predicate, or what is wrong with it; the failure comes out when a query uses it.
enum ParsedPredicate: Hashable, Sendable, Codable {
    case tree(PredicateNode)
    case failure(PredicateFailure)
}
