import CloudStorage
import DatabaseTestSupport
import SQLCore

/// All rows of a store.
struct World: Sendable {
    /// A table and its columns in order.
    struct Table: Sendable {
        enum Kind: Int64 { case text, bytes, number }

        let name: String
        var columns: [(name: String, kind: Kind)] = []
    }

    private let tables: [Table]
    /// By table.
    private let cells: [[[SQLValue]]]

    /// Whether both are the same to the last byte, numbers handed out and values drawn at random included.
    func isSame(as other: World) -> Bool { cells == other.cells }

    /// What rows of one world are not of the other, in words.
    static func difference(of rows: [String], from others: [String]) -> String {
        if rows == others { return "" }
        let lines =
            Set(rows).subtracting(others).map { "+ " + $0 } + Set(others).subtracting(rows).map { "- " + $0 }
        return lines.isEmpty ? "rows are doubled" : lines.sorted().joined(separator: "\n")
    }

    /// Puts all rows back as they were.
    func restore(_ connection: any SQLConnection) throws {
        for (table, rows) in zip(tables, cells) {
            try connection.post("DELETE FROM \(table.name)")
            let columns = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
            let places = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            for row in rows {
                try connection.post("INSERT INTO \(table.name) (\(columns)) VALUES (\(places))", row)
            }
        }
    }

    /// Every table with its columns, as the database itself lists them, so that no table is forgotten.
    static func tables(of connection: any SQLConnection, on backend: SQLBackend) throws -> [Table] {
        let catalogue =
            switch backend {
            case .memory, .disk:
                """
                SELECT t.name, c.name, CASE c.type WHEN 'TEXT' THEN 0 WHEN 'BLOB' THEN 1 ELSE 2 END FROM sqlite_master t JOIN pragma_table_info(t.name) c
                WHERE t.type = 'table' ORDER BY t.name, c.cid
                """
            case .postgres:
                """
                SELECT table_name::text, column_name::text,
                    CASE data_type WHEN 'text' THEN 0 WHEN 'bytea' THEN 1 ELSE 2 END
                FROM information_schema.columns WHERE table_schema = current_schema()
                ORDER BY table_name, ordinal_position
                """
            }
        var tables: [Table] = []
        try connection.query(catalogue, []) { row in
            if tables.last?.name != row.text(0) { tables.append(Table(name: row.text(0))) }
            tables[tables.count - 1].columns.append((row.text(1), Table.Kind(rawValue: row.integer(2)) ?? .number))
            return true
        }
        return tables
    }

    init(_ connection: any SQLConnection, _ tables: [Table]) throws {
        self.tables = tables
        cells = try tables.map { table in
            var rows: [[SQLValue]] = []
            let columns = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
            let order = table.columns.indices.map { String($0 + 1) }.joined(separator: ", ")
            try connection.query("SELECT \(columns) FROM \(table.name) ORDER BY \(order)", []) { row in
                rows.append(
                    table.columns.indices.map { number in
                        if row.isNull(number) { return .null }
                        switch table.columns[number].kind {
                        case .text: return .text(row.text(number))
                        case .bytes: return .blob(row.blob(number))
                        case .number: return .integer(row.integer(number))
                        }
                    })
                return true
            }
            return rows
        }
    }

    /// The rows under names that depend neither on numbers handed out nor on what is drawn at random, in order.
    func rows() -> [String] {
        let texts = zip(tables, cells).map { table, rows in (table: table, rows: rows.map { $0.map(Self.text) }) }
        var ranks: [String: [String: String]] = [:]
        for (table, rows) in texts {
            guard let column = table.columns.firstIndex(where: { $0.name == "id" }) else { continue }
            let numbers = Set(rows.compactMap { Int64($0[column]) }).sorted()
            for (rank, number) in numbers.enumerated() {
                ranks[table.name, default: [:]][String(number)] = "\(table.name)-\(rank)"
            }
        }
        // The name of a user is made from the account's number.
        for (table, rows) in texts where table.name == "container_user" {
            for row in rows {
                ranks["user", default: [:]][row[2]] = "user \(ranks["account"]?[row[0]] ?? row[0]) of \(row[1])"
            }
        }
        // The number of a push token is drawn at random; its client is its name.
        for (table, rows) in texts where table.name == "push_token" {
            guard let id = table.columns.firstIndex(where: { $0.name == "id" }),
                let client = table.columns.firstIndex(where: { $0.name == "client_id" })
            else { continue }
            for row in rows { ranks["push_token", default: [:]][row[id]] = "token of \(row[client])" }
        }
        return texts.flatMap { table, rows in
            rows.map { row in
                let pairs = zip(table.columns, row).map { column, value in
                    "\(column.name)=\(Self.name(value, of: "\(table.name).\(column.name)", ranks))"
                }
                return "\(table.name): \(pairs.joined(separator: ", "))"
            }
        }
        .sorted()
    }

    private static func text(_ value: SQLValue) -> String {
        switch value {
        case .text(let text): text
        case .blob(let bytes): text(bytes)
        case .integer(let number): String(number)
        case .null, .double: "NULL"
        }
    }

    /// Bytes as text where they are one, without the random identifier of a notification.
    private static func text(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasPrefix("{") else { return "\(bytes)" }
        let mark = "\"nid\":\""
        let parts = text.split(separator: mark, maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? "\(parts[0])\(mark)\(parts[1].drop { $0 != "\"" })" : text
    }

    /// A value as it is compared.
    private static func name(_ value: String, of column: String, _ ranks: [String: [String: String]]) -> String {
        if value == "NULL" { return value }
        let parts = column.split(separator: ".")
        switch column {
        case "api_token.hash", "api_token_origin.hash", "device_session.hash", "push_token.token", "web_session.id",
            "web_session.secret_hash", "schema_version.version", "setting.value", "asset_file.suffix",
            "asset_receipt.receipt", "asset_release.turn", "participant.id", "server_key.id":
            return "drawn"
        case "account.email" where value.hasPrefix("key:"): return "drawn"
        case "record.type", "field.type": return ranks["record_type"]?[value] ?? value
        case "entry.field": return ranks["field"]?[value] ?? value
        case "container_user.name", "push_binding.user_name", "outbox.user_name": return ranks["user"]?[value] ?? value
        case "push.token", "push_binding.token": return ranks["push_token"]?[value] ?? value
        case "zone.id", "record.id": return packed(value, ranks)
        default: break
        }
        switch parts[1] {
        case "incarnation": return "drawn"
        // Pushes of one change to several subscriptions have no order.
        case "id" where parts[0] == "outbox": return "any"
        case "id": return ranks[String(parts[0])]?[value] ?? value
        case "db": return ranks["cloud_database"]?[value] ?? value
        case "account", "device_session": return ranks[String(parts[1])]?[value] ?? value
        case "zone", "record", "source": return packed(value, ranks)
        default: return value
        }
    }

    /// A row's number, which holds that of its database.
    private static func packed(_ value: String, _ ranks: [String: [String: String]]) -> String {
        guard let number = Int64(value) else { return value }
        return "\(ranks["cloud_database"]?[String(number >> 40)] ?? "none")/\(number & 0xFF_FFFF_FFFF)"
    }
}
