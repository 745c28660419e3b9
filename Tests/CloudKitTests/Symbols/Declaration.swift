import Foundation

/// A declaration in the one form in which the table and the module's symbol graph are compared.
///
/// Gone is what makes no difference to a caller: attributes, whether a block is `@Sendable` (then it is `@preconcurrency`), modifiers, the names of parameters behind their labels,
/// raw values, and whether a property is stored.
struct Declaration: Hashable {
    let text: String

    /// - Parameter names: What to write for a class that has another name inside, `CKRecord.ID` for `CKRecordID`.
    init(_ source: String, names: [String: String] = [:]) {
        var text = source.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        text = text.replacingOccurrences(of: "[ ", with: "[").replacingOccurrences(of: ", ]", with: "]")
        text = Self.withoutAttributes(text).replacingOccurrences(of: "@Sendable ", with: "")
        text = Self.withoutModifiers(text)
        let keyword = text.prefix { $0 != " " && $0 != "(" && $0 != "?" && $0 != "<" }
        switch text.hasPrefix("static ") ? String(text.dropFirst(7).prefix { $0 != " " }) : String(keyword) {
        case "let", "var": text = Self.property(text)
        case "func", "mutating", "init", "subscript": text = Self.function(text)
        case "case": text = text.components(before: " = ")
        case "class", "struct", "enum", "protocol": text = text.components(before: ":").trimmed
        default: break
        }
        self.text = Self.renamed(text, names)
    }

    private static func withoutAttributes(_ text: String) -> String {
        var rest = Substring(text)
        while rest.first == "@" {
            rest = rest.drop { $0 != " " && $0 != "(" }
            if rest.first == "(" { rest = rest[closing(rest)...].dropFirst() }
            rest = rest.drop { $0 == " " }
        }
        return String(rest)
    }

    private static func withoutModifiers(_ text: String) -> String {
        var words = text.split(separator: " ", omittingEmptySubsequences: false)
        while let first = words.first,
            ["convenience", "override", "required", "final", "open", "public"].contains(first)
        {
            words.removeFirst()
        }
        if words.count > 1, words[0] == "class", ["func", "var", "let"].contains(words[1]) { words[0] = "static" }
        return words.joined(separator: " ")
    }

    private static func property(_ text: String) -> String {
        if text.hasSuffix("}") { return text }
        guard let place = text.range(of: "let ") ?? text.range(of: "var ") else { return text }
        let isConstant = text[place] == "let "
        return text.replacingCharacters(in: place, with: "var ") + (isConstant ? " { get }" : " { get set }")
    }

    /// Keeps each parameter's label, type and default.
    private static func function(_ text: String) -> String {
        guard let open = text.firstIndex(of: "(") else { return text }
        let close = closing(text[open...])
        let isSubscript = text.hasPrefix("subscript")
        let parameters = commaSeparated(text[text.index(after: open)..<close]).map { parameter -> String in
            guard let colon = parameter.firstIndex(of: ":") else { return parameter }
            let names = parameter[..<colon].split(separator: " ")
            let label = isSubscript && names.count == 1 ? "_" : String(names.first ?? "_")
            return label + parameter[colon...]
        }
        return text[...open] + parameters.joined(separator: ", ") + text[close...]
    }

    /// The place of the parenthesis that closes the one `text` begins with.
    private static func closing(_ text: Substring) -> String.Index {
        var depth = 0
        for place in text.indices {
            if text[place] == "(" { depth += 1 }
            if text[place] == ")" { depth -= 1 }
            if depth == 0 { return place }
        }
        return text.endIndex
    }

    private static func commaSeparated(_ text: Substring) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var last: Character = " "
        for character in text {
            if "([<".contains(character) { depth += 1 }
            if ")]".contains(character) || character == ">" && last != "-" { depth -= 1 }
            last = character
            if character == ",", depth == 0 {
                parts.append(part.trimmed)
                part = ""
            } else {
                part.append(character)
            }
        }
        return part.trimmed.isEmpty ? parts : parts + [part.trimmed]
    }

    /// Writes whole words anew.
    private static func renamed(_ text: String, _ names: [String: String]) -> String {
        var result = ""
        var word = ""
        for character in text + "\n" {
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            result += names[word] ?? word
            word = ""
            result.append(character)
        }
        return String(result.dropLast())
    }
}

extension String {
    fileprivate var trimmed: String { String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }

    fileprivate func components(before separator: String) -> String {
        guard let range = range(of: separator) else { return self }
        return String(self[..<range.lowerBound])
    }
}
