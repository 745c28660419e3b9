import CloudCore
@_spi(_Unicode) import Swift

/// The words of texts, as a search by words compares them: without case and accents.
///
/// A word is a run of letters, digits and the marks on them. Where a script writes no spaces (Han, Hiragana, Katakana,
/// Thai, Lao, Khmer, Myanmar), each character is a word. What is longer than ``maximumBytes`` counts with its
/// beginning. Of one value the first ``perValue`` different words count, of one record the first ``perRecord``, in the order
/// of the fields' names.
enum TextTokens {
    static let maximumBytes = 64
    static let perValue = 1000
    static let perRecord = 10_000

    /// The different words of a text.
    static func of(_ text: String) -> Set<String> {
        var words = WordReader(most: perValue)
        words.read(text)
        return words.found
    }

    /// The different words of each text field that has any.
    static func byField(_ record: Record) -> [String: Set<String>] {
        let texts = record.fields.filter { $0.value.isText }
        var left = perRecord
        var result: [String: Set<String>] = [:]
        for (name, value) in texts.count > 1 ? texts.sorted(by: { $0.key < $1.key }) : Array(texts) {
            var words = WordReader(most: min(perValue, left))
            switch value {
            case .string(let text): words.read(text)
            case .list(_, let elements): for case .string(let text) in elements { words.read(text) }
            default: break
            }
            left -= words.found.count
            if !words.found.isEmpty { result[name] = words.found }
        }
        return result
    }

    /// The different words of a record.
    static func of(_ record: Record) -> Set<String> {
        let fields = byField(record)
        return fields.count == 1 ? fields.values.first ?? [] : fields.values.reduce(into: []) { $0.formUnion($1) }
    }
}

extension FieldValue {
    fileprivate var isText: Bool { type == .scalar(.string) || type == .list(.string) }
}

/// Cuts text into words.
private struct WordReader {
    let most: Int
    private(set) var found: Set<String> = []
    private var word: [UInt8] = []
    /// Whether the word takes no further letter, only marks.
    private var isComplete = false

    init(most: Int) { self.most = most }

    mutating func read(_ text: String) {
        let done: Bool? = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
            for byte in bytes where found.count < most { read(byte) }
            return true
        }
        if done != true { for scalar in text._nfd where found.count < most { read(scalar) } }
        end()
    }

    private mutating func read(_ byte: UInt8) {
        switch byte {
        case 0x61...0x7A, 0x30...0x39: append(byte)
        case 0x41...0x5A: append(byte | 0x20)
        default: end()
        }
    }

    private mutating func append(_ byte: UInt8) {
        if isComplete { end() }
        if word.count < TextTokens.maximumBytes { word.append(byte) }
    }

    private mutating func read(_ scalar: Unicode.Scalar) {
        if scalar.isASCII { return read(UInt8(scalar.value)) }
        if scalar.isAccent { return }
        if scalar.isMark {
            if !word.isEmpty { append(scalar) }
        } else if scalar.isWordByItself {
            end()
            append(scalar)
            isComplete = true
        } else if scalar.isLetterOrDigit {
            if isComplete { end() }
            guard scalar.properties.changesWhenUppercased || scalar.properties.changesWhenLowercased else {
                return append(scalar)
            }
            // By way of upper case, where letters meet that have one lower case with another shape at a word's end.
            for upper in scalar.properties.uppercaseMapping.unicodeScalars {
                for lower in upper.properties.lowercaseMapping._nfd where !lower.isAccent { append(lower) }
            }
        } else {
            end()
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        let bytes = UTF8.encode(scalar)
        guard let bytes, word.count + bytes.count <= TextTokens.maximumBytes else { return }
        word.append(contentsOf: bytes)
    }

    private mutating func end() {
        isComplete = false
        guard !word.isEmpty else { return }
        if found.count < most { found.insert(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
    }
}

extension Unicode.Scalar {
    /// A mark that letters of any script may carry, and that a search leaves out.
    fileprivate var isAccent: Bool {
        switch value {
        case 0x0300...0x036F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            true
        default: false
        }
    }

    /// A letter of a script without spaces between words.
    fileprivate var isWordByItself: Bool {
        switch value {
        case 0x0E01...0x0EDF, 0x1000...0x109F, 0x1780...0x17DD, 0x3041...0x30FA, 0x30FC...0x30FF, 0x31F0...0x31FF,
            0xFF66...0xFF9D:
            isLetterOrDigit
        default: properties.isIdeographic
        }
    }
}
