package import CloudCore
import CloudCrypto
import SQLCore

extension CloudTransaction {
    /// Makes a container; `exists` when there is one of that name.
    package func createContainer(_ id: ContainerID) throws {
        if let violation = Self.violation(inContainer: id.rawValue) { throw CloudError(.badRequest, violation) }
        let changed = try connection.execute(
            "INSERT INTO container (name, created) VALUES (?1, ?2) ON CONFLICT DO NOTHING", .text(id.rawValue),
            .integer(now))
        guard changed == 1 else { throw CloudError(.exists, "the container \(id) exists already") }
    }

    package func containerExists(_ id: ContainerID) throws -> Bool {
        try connection.first("SELECT 1 FROM container WHERE name = ?1", .text(id.rawValue)) { _ in true } ?? false
    }

    /// Makes an API token of 64 hexadecimal digits; only its hash is kept.
    /// - Parameter origins: Where pages that use it come from; none allows all to ask and none to be handed a web token.
    package func createAPIToken(
        container: ContainerID, environment: CloudEnvironment, name: String, origins: [String] = []
    ) throws -> String {
        guard try containerExists(container) else {
            throw CloudError(.notFound, "there is no container \(container)")
        }
        let token = Hex.encode(Crypto.random(32))
        try insert(token, container, environment, name: name)
        for origin in origins {
            try connection.execute(
                "INSERT INTO api_token_origin (hash, origin) VALUES (?1, ?2)", .blob(Self.hash(token)), .text(origin))
        }
        return token
    }

    /// Ends an API token, which no process remembers then.
    /// - Throws: `notFound` when there is none of that text.
    package func revokeAPIToken(_ token: String) throws {
        guard try connection.execute("DELETE FROM api_token WHERE hash = ?1", .blob(Self.hash(token))) == 1 else {
            throw CloudError(.notFound, "there is no such API token")
        }
        try connection.post("DELETE FROM api_token_origin WHERE hash = ?1", .blob(Self.hash(token)))
        try raise(.callers, to: try hold(.callers) + 1)
    }

    /// The origins that an API token was made for.
    package func origins(ofAPIToken token: String) throws -> [String] {
        var origins: [String] = []
        try connection.query(
            "SELECT origin FROM api_token_origin WHERE hash = ?1 ORDER BY origin", [.blob(Self.hash(token))]
        ) { row in
            origins.append(row.text(0))
            return true
        }
        return origins
    }

    /// What an API token is for; `nil` when nobody made it.
    package func apiToken(_ token: String) throws -> (container: ContainerID, environment: CloudEnvironment)? {
        let row = try connection.first(
            "SELECT container, environment FROM api_token WHERE hash = ?1", .blob(Self.hash(token))
        ) { ($0.text(0), $0.text(1)) }
        guard let (container, environment) = row, let environment = CloudEnvironment(rawValue: environment) else {
            return nil
        }
        return (ContainerID(container), environment)
    }

    /// Binds an API token that a client made up to the container and environment that use it first.
    /// - Throws: `authenticationFailed` when it is not 64 hexadecimal digits or bound to something else.
    package func adoptAPIToken(_ token: String, container: ContainerID, environment: CloudEnvironment) throws {
        if let bound = try apiToken(token) {
            guard bound.container == container, bound.environment == environment else {
                throw CloudError(
                    .authenticationFailed,
                    "Authentication failed: the API token is for \(bound.container) (\(bound.environment)), not \(container) (\(environment))"
                )
            }
            return
        }
        guard token.utf8.count == 64, Hex.decode(token) != nil else {
            throw CloudError(.authenticationFailed, "Authentication failed: the API token is not 64 hexadecimal digits")
        }
        try insert(token, container, environment, name: "adopted")
    }

    private func insert(
        _ token: String, _ container: ContainerID, _ environment: CloudEnvironment, name: String
    ) throws {
        try connection.execute(
            "INSERT INTO api_token (hash, container, environment, name, created) VALUES (?1, ?2, ?3, ?4, ?5)",
            .blob(Self.hash(token)), .text(container.rawValue), .text(environment.rawValue), .text(name),
            .integer(now))
    }

    /// How a secret that a client holds is kept.
    static func hash(_ secret: String) -> [UInt8] { Crypto.sha256([UInt8](secret.utf8)) }

    private static func violation(inContainer name: String) -> String? {
        guard (1...255).contains(name.utf8.count) else { return "a container's name has 1 to 255 characters" }
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case 48...57, 65...90, 97...122, 45, 46, 95: true
            default: false
            }
        }
        guard isPlain, name.utf8.first != 46 else {
            return "the container's name '\(name)' may have only ASCII letters, digits, '.', '-' and '_'"
        }
        return nil
    }
}
