import CloudCore

/// Records by the words in them: one row for each different word, whatever fields have it. The record decides about
/// a search in one field.
///
/// The rows of a word lie in the order of their records' creation, so that a search in that order needs no sorting.
struct TextIndex: IndexMaintainer {
    /// The name under which the schema keeps the number that the rows have as their field.
    static let fieldName = "___text"

    func entries(of record: Record, schema: RecordTypeSchema) -> [IndexEntry] {
        guard let field = schema.fields[Self.fieldName] else { return [] }
        return Self.entries(of: record, field: field.id)
    }

    static func entries(of record: Record, field: Int64) -> [IndexEntry] {
        let words = TextTokens.of(record)
        guard !words.isEmpty else { return [] }
        let created = IndexKey.key(number: record.created.timestamp)
        return words.map { IndexEntry(field: field, key: prefix($0) + created) }
    }

    /// What the keys of a word begin with. No word has a zero in it.
    static func prefix(_ word: String) -> [UInt8] { [1] + word.utf8 + [0] }
}
