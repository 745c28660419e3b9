import Foundation

/// `Docs/Compatibility/symbols.tsv`: every public symbol of CloudKit and of this module, and whether it is here.
struct SymbolTable {
    enum State: String {
        /// Here, with the same meaning.
        case done
        /// Here; the note says what it does not do.
        case partial
        /// Not here.
        case absent
        /// Only here.
        case ours
    }

    struct Row {
        var symbol: SymbolGraph.Symbol
        var state: State
        var note: String
    }

    var rows: [Row]

    private static let header = "type\tdeclaration\tstate\tnote"

    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(
            "Docs/Compatibility/symbols.tsv")

    init(contentsOf file: URL) throws {
        rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 4, let state = State(rawValue: columns[2]) else {
                throw SymbolGraph.Failure(description: "symbols.tsv has a line of another shape: \(line)")
            }
            let symbol = SymbolGraph.Symbol(type: columns[0], declaration: Declaration(columns[1]).text)
            return Row(symbol: symbol, state: state, note: columns[3])
        }
    }

    /// What classes have for the sake of Foundation and Swift; listed only where CloudKit lists it.
    private static let structural: Set<String> = [
        "init()", "init(coder: NSCoder)", "init?(coder: NSCoder)", "func copy(with: NSZone? = nil) -> Any",
        "func encode(with: NSCoder)",
        "static var supportsSecureCoding: Bool { get }", "func hash(into: inout Hasher)", "var rawValue: UInt { get }",
    ]

    /// Names with an underscore are left out of symbol graphs; `ErrorTests` calls this one.
    private static let underscored: Set<String> = ["init(_nsError: NSError)"]

    /// The share of CloudKit's symbols that is done, as `Docs/Compatibility.md` tells it. The sync engine and encrypted fields are
    /// not in reach.
    var share: (done: Int, inReach: Int, text: String) {
        let beyond = ["encryptedValues", "encryptionScope"]
        let inReach = rows.filter { row in
            row.state != .ours && !row.symbol.type.hasPrefix("CKSyncEngine")
                && !row.symbol.type.contains("EncryptionScope")
                && !beyond.contains { row.symbol.declaration.contains($0) }
        }
        let done = inReach.count { $0.state == .done }
        let promille = done * 1000 / inReach.count
        let percent = "\(promille / 10).\(promille % 10)"
        let partial = inReach.count { $0.state == .partial }
        return (
            done, inReach.count,
            "\(done) of \(inReach.count) symbols in reach are done (\(percent) %), \(partial) in part, "
                + "\(inReach.count - done - partial) are absent."
        )
    }

    /// What is wrong with the table, a line each.
    func faults(_ graph: SymbolGraph) -> [String] {
        let known = Dictionary(rows.map { ($0.symbol, $0.state) }) { first, _ in first }
        let missing = rows.filter { row in
            row.state != .absent && !graph.contains(row.symbol) && !Self.underscored.contains(row.symbol.declaration)
        }
        let unlisted = Self.listed(graph).filter { known[$0] == nil }
        let returned = Self.listed(graph).filter { known[$0] == .absent }
        return missing.map { "not in the module: \($0.symbol)" }
            + unlisted.map { "not in the table: \($0)" } + returned.map { "absent in the table only: \($0)" }
    }

    /// The symbols that are here and that no file of a folder names.
    func unused(in folder: URL) throws -> [SymbolGraph.Symbol] {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var words: Set<Substring> = []
        for file in files {
            let text = try String(contentsOf: file, encoding: .utf8)
            words.formUnion(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
        }
        let known = Set(words.map(String.init))
        return rows.filter { $0.state == .done || $0.state == .partial }.map(\.symbol).filter { symbol in
            !known.contains(Self.name(of: symbol))
        }
    }

    /// The symbols that are here and that no source noted in the index uses. Who uses a type's member uses the type.
    func uncalled(_ graph: SymbolGraph, in index: IndexStore) -> [SymbolGraph.Symbol] {
        let used = graph.identifiers.filter { !$0.value.isDisjoint(with: index.used) }.keys
        var types: Set<String> = []
        for symbol in used {
            let parts = symbol.type.split(separator: ".")
            for count in parts.indices { types.insert(parts[...count].joined(separator: ".")) }
        }
        return Self.listed(graph).subtracting(used).filter { symbol in
            let isType = ["class ", "struct ", "enum ", "protocol "].contains { symbol.declaration.hasPrefix($0) }
            return !(isType && types.contains(symbol.type))
        }
    }

    /// The word that a caller writes.
    private static func name(of symbol: SymbolGraph.Symbol) -> String {
        let words = symbol.declaration.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        let word = words.first { !["static", "mutating", "func", "var", "case", "typealias"].contains($0) } ?? ""
        let isType = ["class", "struct", "enum", "protocol", "init", "subscript"].contains(word)
        return isType ? String(symbol.type.split(separator: ".").last ?? "") : String(word)
    }

    /// The module's symbols that belong in the table.
    private static func listed(_ graph: SymbolGraph) -> Set<SymbolGraph.Symbol> {
        graph.symbols.filter { symbol in
            !structural.contains(symbol.declaration) && !symbol.declaration.hasPrefix("static func == (")
        }
    }

    /// The table for the module as it is: what has come is done or ours, what has gone is absent.
    mutating func update(from graph: SymbolGraph) {
        var known: Set<SymbolGraph.Symbol> = []
        rows = rows.compactMap { row in
            guard known.insert(row.symbol).inserted else { return nil }
            let isHere = graph.contains(row.symbol) || Self.underscored.contains(row.symbol.declaration)
            switch row.state {
            case .ours: return isHere ? row : nil
            case .absent: return isHere ? Row(symbol: row.symbol, state: .done, note: "") : row
            case .done, .partial: return isHere ? row : Row(symbol: row.symbol, state: .absent, note: row.note)
            }
        }
        rows += Self.listed(graph).subtracting(known).map { Row(symbol: $0, state: .ours, note: "") }
    }

    func write(to file: URL) throws {
        let lines = rows.sorted { ($0.symbol.type, $0.symbol.declaration) < ($1.symbol.type, $1.symbol.declaration) }
            .map { [$0.symbol.type, $0.symbol.declaration, $0.state.rawValue, $0.note].joined(separator: "\t") }
        try ([Self.header] + lines).joined(separator: "\n").appending("\n")
            .write(to: file, atomically: true, encoding: .utf8)
    }
}
