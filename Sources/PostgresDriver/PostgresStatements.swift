import CPostgres
import SQLCore

/// A statement prepared, or about to be, under a name on one connection.
final class PostgresStatement {
    enum State {
        case new
        /// Its preparation is on its way; whether it succeeded is not known.
        case sent
        case prepared
    }

    let name: String
    /// The text as the caller wrote it.
    let sql: String
    /// The text as PostgreSQL reads it.
    let text: String
    let types: [Oid]
    var state = State.new
    var lastUse = 0

    init(name: String, sql: String, text: String, types: [Oid]) {
        self.name = name
        self.sql = sql
        self.text = text
        self.types = types
    }

    /// Whether values of these types may be bound; a null fits every type.
    func accepts(_ given: [Oid]) -> Bool {
        guard given.count == types.count else { return false }
        return zip(given, types).allSatisfy { $0 == $1 || $0 == PostgresType.unknown }
    }
}

/// The statements a connection keeps, by text and by the types of their values.
struct PostgresStatements {
    private var texts: [String: (text: String, variants: [PostgresStatement])] = [:]
    private var arrays: [String: String] = [:]
    private var count = 0
    private var uses = 0
    /// Names the server still knows and nobody uses.
    var abandoned: [String] = []

    private static let limit = 256

    /// The statement for a text (as the caller wrote it) and values of `types`.
    mutating func statement(_ sql: String, _ types: [Oid]) -> PostgresStatement {
        uses += 1
        if let found = texts[sql]?.variants.first(where: { $0.accepts(types) }) {
            found.lastUse = uses
            return found
        }
        if count >= Self.limit { dropOldest() }
        let text = texts[sql]?.text ?? numberedWithDollars(sql)
        let statement = PostgresStatement(name: "c\(uses)", sql: sql, text: text, types: types)
        statement.lastUse = uses
        texts[sql, default: (text, [])].variants.append(statement)
        count += 1
        return statement
    }

    /// The array statement of what has `single` as its statement for one row.
    mutating func arrayStatement(_ single: String, _ make: @autoclosure () -> String) -> String {
        if let known = arrays[single] { return known }
        if arrays.count >= Self.limit { arrays = [:] }
        let statement = make()
        arrays[single] = statement
        return statement
    }

    /// Forgets one statement, whose name is given back with the next journey.
    mutating func drop(_ statement: PostgresStatement) {
        guard let variants = texts[statement.sql]?.variants, variants.contains(where: { $0 === statement }) else {
            return
        }
        count -= 1
        if statement.state == .prepared { abandoned.append(statement.name) }
        let others = variants.filter { $0 !== statement }
        texts[statement.sql]?.variants = others
        if others.isEmpty { texts[statement.sql] = nil }
    }

    /// Forgets everything, for a server that has forgotten it too.
    mutating func forgetAll() {
        texts = [:]
        abandoned = []
        count = 0
    }

    /// Makes room for a quarter; those on their way stay.
    private mutating func dropOldest() {
        let idle = texts.values.flatMap(\.variants).filter { $0.state != .sent }.sorted { $0.lastUse < $1.lastUse }
        for statement in idle.prefix(Self.limit / 4) { drop(statement) }
    }
}
