import CloudCore
import SQLCore

/// What is found by its own entries: built apart, since few zones are searched in both ways and most in none.
enum IndexKind: CaseIterable, Hashable {
    /// Values by their order, and places.
    case values
    /// Words of texts.
    case words
}

/// How much of a zone its indexes know.
///
/// A save costs no index entries before somebody has searched its zone: most zones are only ever read by their changes. The
/// first search builds the index; from then on every save keeps it.
///
/// An index has the entries of exactly those records whose last change is at most its number, so that it can be built a
/// part at a time while records change: what changed since is still to come.
struct IndexReach: Hashable {
    private var values: Int64
    private var words: Int64

    /// The number of an index that is complete and stays so.
    static let all = Int64.max
    static let complete = IndexReach(values: all, words: all)

    /// - Parameter table: The table's name and a dot, where a statement needs it.
    static func columns(of table: String = "") -> String { "\(table)values_indexed, \(table)words_indexed" }

    static let update = SQLChange(
        update: "zone", set: [.init("values_indexed", .integer), .init("words_indexed", .integer)],
        where: [.init("db", .integer), .init("id", .integer)])

    init(values: Int64, words: Int64) {
        self.values = values
        self.words = words
    }

    subscript(kind: IndexKind) -> Int64 {
        get {
            switch kind {
            case .values: values
            case .words: words
            }
        }
        set {
            switch kind {
            case .values: values = newValue
            case .words: words = newValue
            }
        }
    }

    /// Whether the index has the entries of a record with this last change.
    func includes(_ sequence: Int64, _ kind: IndexKind) -> Bool { sequence <= self[kind] }

    func isComplete(_ kinds: Set<IndexKind>) -> Bool { kinds.allSatisfy { self[$0] == Self.all } }

    /// The values of ``columns(of:)``.
    var binds: [SQLValue] { [.integer(values), .integer(words)] }
}
