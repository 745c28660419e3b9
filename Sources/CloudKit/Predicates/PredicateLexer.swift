import Foundation

enum PredicateToken: Equatable {
    case word(String)
    case string(String)
    case number(NSNumber)
    /// A conversion, for example `@` or `ld`.
    case argument(String)
    case symbol(String)
}

/// Splits a predicate's text into tokens.
struct PredicateLexer {
    private let text: [Character]
    private var position = 0

    init(_ format: String) { text = Array(format) }

    static func tokens(of format: String) throws(PredicateFailure) -> [PredicateToken] {
        var lexer = PredicateLexer(format)
        var tokens: [PredicateToken] = []
        while let token = try lexer.next() { tokens.append(token) }
        return tokens
    }

    private var current: Character? { position < text.count ? text[position] : nil }

    private mutating func take(while test: (Character) -> Bool) -> String {
        let start = position
        while let character = current, test(character) { position += 1 }
        return String(text[start..<position])
    }

    private mutating func next() throws(PredicateFailure) -> PredicateToken? {
        _ = take(while: \.isWhitespace)
        guard let character = current else { return nil }
        if character == "\"" || character == "'" { return .string(try quoted(character)) }
        if character == "%" { return try argument() }
        if Self.isDigit(character) || (character == "-" && digitFollows) { return try number() }
        if Self.startsWord(character) { return .word(take(while: Self.continuesWord)) }
        for symbol in ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||"] where starts(with: symbol) {
            position += symbol.count
            return .symbol(symbol)
        }
        position += 1
        return .symbol(String(character))
    }

    private func starts(with symbol: String) -> Bool { text[position...].starts(with: symbol) }

    private var digitFollows: Bool { position + 1 < text.count && Self.isDigit(text[position + 1]) }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func startsWord(_ character: Character) -> Bool {
        character.isLetter || character == "_" || character == "#" || character == "$"
    }

    /// Dots and colons stay in the word, so that key paths and functions can be refused by their whole name.
    private static func continuesWord(_ character: Character) -> Bool {
        startsWord(character) || character.isNumber || character == "." || character == ":" || character == "@"
    }

    private mutating func quoted(_ quote: Character) throws(PredicateFailure) -> String {
        position += 1
        var result = ""
        while let character = current {
            position += 1
            if character == quote { return result }
            guard character == "\\" else {
                result.append(character)
                continue
            }
            guard let escaped = current else { break }
            position += 1
            switch escaped {
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "r": result.append("\r")
            default: result.append(escaped)
            }
        }
        throw PredicateFailure(reason: "the predicate has a string without its closing \(quote)")
    }

    private mutating func argument() throws(PredicateFailure) -> PredicateToken {
        position += 1
        if let character = current, character == "@" || character == "K" {
            position += 1
            return .argument(String(character))
        }
        let size = take { "lhqzjt".contains($0) }
        guard let conversion = current, "diuxXofFgGeEc".contains(conversion) else {
            let name = size + (current.map(String.init) ?? "")
            throw PredicateFailure(reason: "the predicate has an unknown conversion %\(name)")
        }
        position += 1
        return .argument(size + String(conversion))
    }

    private mutating func number() throws(PredicateFailure) -> PredicateToken {
        var digits = current == "-" ? "-" : ""
        position += digits.count
        digits += take(while: Self.isDigit)
        if current == ".", digitFollows {
            position += 1
            digits += "." + take(while: Self.isDigit)
        }
        if current == "e" || current == "E" {
            position += 1
            digits += "e"
            if let sign = current, sign == "+" || sign == "-" {
                digits.append(sign)
                position += 1
            }
            digits += take(while: Self.isDigit)
        }
        if let value = Int64(digits) { return .number(NSNumber(value: value)) }
        if let value = Double(digits) { return .number(NSNumber(value: value)) }
        throw PredicateFailure(reason: "the predicate has a malformed number '\(digits)'")
    }
}
