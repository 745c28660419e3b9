package import CloudCore
import CloudCrypto
import SQLCore

extension CloudTransaction {
    /// Makes an account; `exists` when the address has one.
    package func addAccount(
        email: String, givenName: String?, familyName: String?, passwordHash: String?
    ) throws -> Account {
        let email = email.lowercased()
        if let violation = Self.violation(inEmail: email) { throw CloudError(.badRequest, violation) }
        let changed = try connection.execute(
            """
            INSERT INTO account (email, given_name, family_name, password_hash, created)
            VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING
            """, .text(email), .optional(givenName), .optional(familyName), .optional(passwordHash), .integer(now))
        guard changed == 1, let account = try account(email: email) else {
            throw CloudError(.exists, "the account \(email) exists already")
        }
        return account
    }

    /// The account of an address in any case.
    package func account(email: String) throws -> Account? {
        try connection.first(
            "SELECT id, email, given_name, family_name, password_hash FROM account WHERE email = ?1",
            .text(email.lowercased()), read: Self.account)
    }

    package func account(id: Int64) throws -> Account? {
        try connection.first(
            "SELECT id, email, given_name, family_name, password_hash FROM account WHERE id = ?1", .integer(id),
            read: Self.account)
    }

    /// The user record name of an account in a container: `_` and 32 hexadecimal digits, other ones in every container.
    ///
    /// A name is computed, and kept with its first use in a write so that it can be looked up.
    package func userName(of account: Int64, in container: ContainerID) throws -> String {
        let kept = try connection.first(
            "SELECT name FROM container_user WHERE account = ?1 AND container = ?2", .integer(account),
            .text(container.rawValue)
        ) { $0.text(0) }
        if let kept { return kept }
        let source = [UInt8]("user\n\(account)\n\(container.rawValue)".utf8)
        let name = "_" + Hex.encode(Array(Crypto.hmacSHA256(key: secret, source).prefix(16)))
        if isWritable {
            try connection.post(
                "INSERT INTO container_user (account, container, name) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                .integer(account), .text(container.rawValue), .text(name))
        }
        return name
    }

    private static func account(_ row: any SQLRow) -> Account {
        Account(
            id: row.integer(0), email: row.text(1), givenName: row.optionalText(2), familyName: row.optionalText(3),
            passwordHash: row.optionalText(4))
    }

    private static func violation(inEmail email: String) -> String? {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        let isPlain = email.unicodeScalars.allSatisfy { scalar in
            !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
        }
        if parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), isPlain, email.utf8.count <= 254 { return nil }
        return "'\(email)' is not an email address"
    }
}

extension SQLValue {
    static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
}

extension SQLRow {
    func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }
}
