import CPostgres
import Glibc
import SQLCore

/// Where a database is and who asks, as libpq reads it. No description of it has the password.
struct PostgresAddress: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// libpq's keywords and their values, the password possibly among them.
    private let options: [(keyword: String, value: String)]

    var description: String {
        let user = self["user"].map { "\($0)@" } ?? ""
        let port = self["port"].map { ":\($0)" } ?? ""
        return "postgresql://\(user)\(self["host"] ?? self["hostaddr"] ?? "")\(port)/\(self["dbname"] ?? "")"
    }

    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }

    private subscript(_ keyword: String) -> String? { options.first { $0.keyword == keyword }?.value }

    /// - Parameter text: A URL (`postgresql://…`) or libpq's form `host=… dbname=…`.
    /// - Throws: `SQLError` of kind `misuse`, without a part of the text, since any part may be the password.
    init(_ text: String) throws(SQLError) {
        try Self.checkPassword(text)
        var reason: UnsafeMutablePointer<CChar>?
        let first = PQconninfoParse(text, &reason)
        defer {
            PQconninfoFree(first)
            PQfreemem(reason)
        }
        guard var option = first else {
            throw SQLError(
                .misuse,
                "the PostgreSQL address cannot be read: an option is unknown, or a character of a value must be quoted"
                    + " (in a URL @ : / ? # and % are written %40 %3A %2F %3F %23 and %25)")
        }
        var options: [(keyword: String, value: String)] = []
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                options.append((String(cString: keyword), String(cString: value)))
            }
            option += 1
        }
        self.options = options
    }

    /// Connects, with our limits where neither the address nor the environment has its own.
    /// - Returns: A connection, which may have failed; the caller closes it.
    func connect(timeout: Duration) -> OpaquePointer? {
        var all = options
        func setDefault(_ keyword: String, _ value: String) {
            if !all.contains(where: { $0.keyword == keyword }) { all.append((keyword, value)) }
        }
        if getenv("PGCONNECT_TIMEOUT") == nil {
            setDefault("connect_timeout", String(max(2, timeout.components.seconds)))
        }
        setDefault("keepalives", "1")
        setDefault("keepalives_idle", "30")
        setDefault("keepalives_interval", "10")
        setDefault("keepalives_count", "3")
        setDefault("tcp_user_timeout", "30000")
        setDefault("fallback_application_name", "cumulet")
        all.removeAll { $0.keyword == "client_encoding" }
        all.append(("client_encoding", "UTF8"))
        let keywords = all.map { strdup($0.keyword) } + [nil]
        let values = all.map { strdup($0.value) } + [nil]
        defer { for text in keywords + values { free(text) } }
        return keywords.map { UnsafePointer($0) }.withUnsafeBufferPointer { keywords in
            values.map { UnsafePointer($0) }.withUnsafeBufferPointer { values in
                PQconnectdbParams(keywords.baseAddress, values.baseAddress, 0)
            }
        }
    }

    /// Refuses a URL whose password would be taken for a part of the address, and then be named in messages.
    private static func checkPassword(_ text: String) throws(SQLError) {
        guard let scheme = text.end(of: "://", after: ["postgresql", "postgres"]) else { return }
        let rest = text[scheme...]
        let authority = rest.prefix { !"/?".contains($0) }
        let signs = authority.count { $0 == "@" }
        let isBeyond = rest[authority.endIndex...].contains("@") && signs == 0 && authority.contains(":")
        guard signs <= 1, !isBeyond else {
            throw SQLError(
                .misuse,
                "the PostgreSQL address cannot be read: in a URL's user and password @ : / ? # and % are written"
                    + " %40 %3A %2F %3F %23 and %25")
        }
    }
}

extension String {
    /// Where the rest begins after one of the schemes and the separator.
    fileprivate func end(of separator: String, after schemes: [String]) -> Index? {
        for scheme in schemes where hasPrefix(scheme + separator) {
            return index(startIndex, offsetBy: scheme.count + separator.count)
        }
        return nil
    }
}
