import Foundation

/// Reads the whole predicate language, with its arguments put in place.
struct PredicateParser {
    private let tokens: [PredicateToken]
    private var position = 0
    private let arguments: [Any?]
    private var nextArgument = 0
    private var depth = 0

    private static let words: Set<String> = [
        "BETWEEN", "IN", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "TOKENMATCHES", "UTI-CONFORMS-TO",
    ]
    private static let comparators = [
        "=": "=", "==": "=", "!=": "!=", "<>": "!=", "<": "<", "<=": "<=", "=<": "<=", ">": ">", ">=": ">=", "=>": ">=",
    ]

    private init(tokens: [PredicateToken], arguments: [Any?]) {
        self.tokens = tokens
        self.arguments = arguments
    }

    static func parse(_ format: String, arguments: [Any?]) -> ParsedPredicate {
        do throws(PredicateFailure) {
            var parser = PredicateParser(tokens: try PredicateLexer.tokens(of: format), arguments: arguments)
            let tree = try parser.disjunction()
            if parser.position < parser.tokens.count {
                throw PredicateFailure(reason: "the predicate has '\(parser.here)' where it should end")
            }
            return .tree(tree)
        } catch {
            let shown = format.count > 200 ? format.prefix(200) + "…" : format
            return .failure(PredicateFailure(reason: "\(error.reason): \(shown)"))
        }
    }

    /// The current token for people.
    private var here: String {
        guard position < tokens.count else { return "end" }
        switch tokens[position] {
        case .word(let word), .symbol(let word): return word
        case .string(let text): return "'\(text)'"
        case .number(let number): return "\(number)"
        case .argument(let conversion): return "%\(conversion)"
        }
    }

    private var keyword: String? {
        guard position < tokens.count, case .word(let word) = tokens[position] else { return nil }
        return word.uppercased()
    }

    private mutating func take(symbol: String) -> Bool {
        guard position < tokens.count, tokens[position] == .symbol(symbol) else { return false }
        position += 1
        return true
    }

    private mutating func take(keyword word: String) -> Bool {
        guard keyword == word else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ symbol: String) throws(PredicateFailure) {
        guard take(symbol: symbol) else {
            throw PredicateFailure(reason: "the predicate has '\(here)' where '\(symbol)' should be")
        }
    }

    private func checkDepth() throws(PredicateFailure) {
        if depth > 64 { throw PredicateFailure(reason: "the predicate is nested more than 64 deep") }
    }

    // MARK: Predicates

    private mutating func disjunction() throws(PredicateFailure) -> PredicateNode {
        var parts = [try conjunction()]
        while take(keyword: "OR") || take(symbol: "||") { parts.append(try conjunction()) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private mutating func conjunction() throws(PredicateFailure) -> PredicateNode {
        var parts = [try negation()]
        while take(keyword: "AND") || take(symbol: "&&") { parts.append(try negation()) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private mutating func negation() throws(PredicateFailure) -> PredicateNode {
        depth += 1
        defer { depth -= 1 }
        try checkDepth()
        if take(keyword: "NOT") || take(symbol: "!") { return .not(try negation()) }
        if take(keyword: "TRUEPREDICATE") { return .value(true) }
        if take(keyword: "FALSEPREDICATE") { return .value(false) }
        let start = (position, nextArgument)
        if take(symbol: "(") {
            // Either a predicate in parentheses or an expression in them; what follows tells.
            do {
                let inner = try disjunction()
                try expect(")")
                return inner
            } catch {
                let failure = error
                (position, nextArgument) = start
                do { return try comparison() } catch { throw failure }
            }
        }
        return try comparison()
    }

    private mutating func comparison() throws(PredicateFailure) -> PredicateNode {
        var quantifier: String?
        if let word = keyword, ["ANY", "SOME", "ALL", "NONE"].contains(word) {
            quantifier = word
            position += 1
        }
        let left = try expression()
        let comparator = try self.comparator()
        let options = try self.options()
        let right = try expression()
        return .comparison(
            PredicateComparison(
                quantifier: quantifier, left: left, comparator: comparator, options: options, right: right))
    }

    private mutating func comparator() throws(PredicateFailure) -> String {
        if let word = keyword, Self.words.contains(word) {
            position += 1
            return word
        }
        if position < tokens.count, case .symbol(let symbol) = tokens[position], let name = Self.comparators[symbol] {
            position += 1
            return name
        }
        throw PredicateFailure(reason: "the predicate has '\(here)' where an operator should be")
    }

    private mutating func options() throws(PredicateFailure) -> String {
        guard take(symbol: "[") else { return "" }
        guard position < tokens.count, case .word(let letters) = tokens[position] else {
            throw PredicateFailure(reason: "the predicate has '\(here)' where an operator's options should be")
        }
        position += 1
        try expect("]")
        guard letters.lowercased().allSatisfy({ "cdlnw".contains($0) }) else {
            throw PredicateFailure(reason: "the predicate has unknown operator options [\(letters)]")
        }
        return letters.lowercased()
    }

    // MARK: Expressions

    private mutating func expression() throws(PredicateFailure) -> PredicateExpression {
        depth += 1
        defer { depth -= 1 }
        try checkDepth()
        let value = try operand()
        if position < tokens.count, case .symbol(let symbol) = tokens[position], "+-*/".contains(symbol) {
            throw PredicateFailure(reason: "the operator \(symbol) is not supported in a predicate")
        }
        return value
    }

    private mutating func operand() throws(PredicateFailure) -> PredicateExpression {
        guard position < tokens.count else { throw PredicateFailure(reason: "the predicate ends too early") }
        let token = tokens[position]
        position += 1
        switch token {
        case .string(let text): return .constant(.string(text))
        case .number(let number): return .constant(.number(number))
        case .argument(let conversion): return try argument(conversion)
        case .symbol("{"): return try list()
        case .symbol("("):
            let inner = try expression()
            try expect(")")
            return inner
        case .symbol(let symbol):
            throw PredicateFailure(reason: "the predicate has '\(symbol)' where a value or a key should be")
        case .word(let word): return try self.word(word)
        }
    }

    private mutating func word(_ word: String) throws(PredicateFailure) -> PredicateExpression {
        if take(symbol: "(") {
            return .function(word, try functionArguments())
        }
        switch word.uppercased() {
        case "SELF": return .whole
        case "TRUE", "YES": return .constant(.number(NSNumber(value: true)))
        case "FALSE", "NO": return .constant(.number(NSNumber(value: false)))
        case "NIL", "NULL": return .null
        case "AND", "OR", "NOT", "ANY", "SOME", "ALL", "NONE":
            throw PredicateFailure(reason: "the predicate has '\(word)' where a value or a key should be")
        case let upper where Self.words.contains(upper):
            throw PredicateFailure(reason: "the predicate has '\(word)' where a value or a key should be")
        default: return .key(word.hasPrefix("#") ? String(word.dropFirst()) : word)
        }
    }

    private mutating func functionArguments() throws(PredicateFailure) -> [PredicateExpression] {
        var arguments: [PredicateExpression] = []
        if take(symbol: ")") { return arguments }
        repeat { arguments.append(try expression()) } while take(symbol: ",")
        try expect(")")
        return arguments
    }

    private mutating func list() throws(PredicateFailure) -> PredicateExpression {
        var elements: [PredicateExpression] = []
        if take(symbol: "}") { return .list([]) }
        repeat { elements.append(try expression()) } while take(symbol: ",")
        try expect("}")
        return .list(elements)
    }

    private mutating func argument(_ conversion: String) throws(PredicateFailure) -> PredicateExpression {
        guard nextArgument < arguments.count else {
            throw PredicateFailure(reason: "the predicate has more conversions than the \(arguments.count) arguments")
        }
        let argument = arguments[nextArgument]
        nextArgument += 1
        if conversion == "K" {
            guard let key = argument as? String else {
                throw PredicateFailure(reason: "%K needs a field's name, not \(argument.map { "\($0)" } ?? "nil")")
            }
            return key.uppercased() == "SELF" ? .whole : .key(key)
        }
        guard let argument, !(argument is NSNull) else { return .null }
        let value = StoredValue(predicateArgument: argument)
        if conversion != "@" {
            guard case .number = value else {
                throw PredicateFailure(reason: "%\(conversion) needs a number, not \(argument)")
            }
        }
        if case .list(let values) = value { return .list(values.map { .constant($0) }) }
        return .constant(value)
    }
}

extension StoredValue {
    /// Records and their IDs stand for references.
    init(predicateArgument value: Any) {
        switch value {
        case let value as CKRecord: self = .reference(CKRecord.Reference(record: value, action: .none))
        case let value as CKRecord.ID: self = .reference(CKRecord.Reference(recordID: value, action: .none))
        case let value as any Sequence where !(value is String) && !(value is Data) && !(value is NSData):
            self = .list(Self.elements(of: value))
        default: self = StoredValue(value)
        }
    }

    private static func elements(of sequence: some Sequence) -> [StoredValue] {
        sequence.map { StoredValue(predicateArgument: $0) }
    }
}
