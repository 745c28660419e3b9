package import CloudCore
import CloudCrypto
import SQLCore

extension CloudTransaction {
    /// Makes an account; `exists` when the address or the number has one.
    /// - Parameters:
    ///   - phone: A telephone number in any usual spelling.
    ///   - isDiscoverable: Whether others may find the person in all containers where nothing else is set.
    package func addAccount(
        email: String, phone: String? = nil, name: NameComponents = NameComponents(), isDiscoverable: Bool = false,
        passwordHash: String?
    ) throws -> Account {
        let email = UserLookup.normalized(emailAddress: email)
        if let violation = Self.violation(inEmail: email) { throw CloudError(.badRequest, violation) }
        let phone = try phone.map { try Self.digits(ofPhone: $0) }
        let changed = try connection.execute(
            """
            INSERT INTO account
                (email, phone, name_prefix, given_name, middle_name, family_name, name_suffix, nickname, discoverable,
                 password_hash, created)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING
            """, .text(email), .optional(phone), .optional(name.namePrefix), .optional(name.givenName),
            .optional(name.middleName), .optional(name.familyName), .optional(name.nameSuffix),
            .optional(name.nickname), .integer(isDiscoverable ? 1 : 0), .optional(passwordHash), .integer(now))
        guard changed == 1, let account = try account(email: email) else {
            if try account(email: email) != nil { throw CloudError(.exists, "the account \(email) exists already") }
            throw CloudError(.exists, "another account has the telephone number \(phone ?? "")")
        }
        return account
    }

    /// A person's account by his address, in any case.
    package func account(email: String) throws -> Account? {
        try connection.first(
            "SELECT \(Self.accountColumns) FROM account a WHERE a.email = ?1 AND a.state <= ?2",
            .text(UserLookup.normalized(emailAddress: email)), .integer(AccountState.disabled.rawValue),
            read: Self.account)
    }

    package func account(id: Int64) throws -> Account? {
        try connection.first(
            "SELECT \(Self.accountColumns) FROM account a WHERE a.id = ?1", .integer(id), read: Self.account)
    }

    /// The digits by which a telephone number is kept and found.
    /// - Throws: `badRequest` when `text` is none.
    static func digits(ofPhone text: String) throws(CloudError) -> String {
        guard let digits = UserLookup.normalized(phoneNumber: text) else {
            throw CloudError(.badRequest, "'\(text)' is not a telephone number such as +49 170 1234567", nativeCode: 12)
        }
        return digits
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

    /// The columns that ``account(_:)`` reads, of the table under the name `a`.
    static let accountColumns = """
        a.id, a.email, a.phone, a.discoverable, a.state, a.password_hash, a.name_prefix, a.given_name, a.middle_name,
        a.family_name, a.name_suffix, a.nickname, a.created
        """
    /// Their number; other columns may follow them.
    static let accountColumnCount = 13

    static func account(_ row: any SQLRow) -> Account {
        Account(
            id: row.integer(0), email: row.text(1), phone: row.optionalText(2),
            name: NameComponents(
                namePrefix: row.optionalText(6), givenName: row.optionalText(7), middleName: row.optionalText(8),
                familyName: row.optionalText(9), nameSuffix: row.optionalText(10), nickname: row.optionalText(11)),
            isDiscoverable: row.integer(3) != 0, isDisabled: row.integer(4) != 0, passwordHash: row.optionalText(5),
            created: row.integer(12))
    }

    static func violation(inEmail email: String) -> String? {
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
