/// An app's container, for example `iCloud.org.example.notes`.
package struct ContainerID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }
}

/// One of the two worlds of a container: separate data, schema and API tokens.
package enum CloudEnvironment: String, Hashable, Sendable, CaseIterable {
    case development, production
}

/// Which database of a container is meant. Raw values are those of push payloads and of `CKDatabase.Scope`.
package enum DatabaseScope: Int, Hashable, Sendable, CaseIterable {
    case `public` = 1
    case `private` = 2
    case shared = 3

    /// The word in request paths: `public`, `private`, `shared`.
    package var pathName: String {
        switch self {
        case .public: "public"
        case .private: "private"
        case .shared: "shared"
        }
    }

    package init?(pathName: String) {
        guard let scope = Self.allCases.first(where: { $0.pathName == pathName }) else { return nil }
        self = scope
    }
}

/// A database: one `public` per container and environment, one `private` and one `shared` view per user of it.
package struct DatabaseID: Hashable, Sendable {
    package let container: ContainerID
    package let environment: CloudEnvironment
    package let scope: DatabaseScope
    /// The user record name of the owner; for the public database ``publicOwner``.
    package let owner: String

    /// The owner name of every container's public default zone.
    package static let publicOwner = "_public"

    package init(container: ContainerID, environment: CloudEnvironment, scope: DatabaseScope, owner: String) {
        self.container = container
        self.environment = environment
        self.scope = scope
        self.owner = scope == .public ? Self.publicOwner : owner
    }
}

/// A zone by name and owner. On the server `owner` is always a resolved user record name.
package struct ZoneID: Hashable, Sendable {
    package let name: String
    package let owner: String

    package static let defaultName = "_defaultZone"
    package var isDefault: Bool { name == Self.defaultName }

    package init(name: String, owner: String) {
        self.name = name
        self.owner = owner
    }
}

package struct RecordID: Hashable, Sendable {
    package let name: String
    package let zone: ZoneID

    package init(name: String, zone: ZoneID) {
        self.name = name
        self.zone = zone
    }
}

/// The one rule for names that people choose, on client and server alike (decision: design, section 5).
package enum NameRule {
    /// Why `name` cannot name a record or a zone, or `nil` when it can.
    ///
    /// 1...255 Unicode scalars of any script, no control characters, no leading underscore; kept byte for byte.
    package static func violation(in name: String, of what: String) -> String? {
        if name.isEmpty { return "\(what) must not be empty" }
        let bytes = name.utf8
        // The usual name: short and of printable ASCII, where a byte is a scalar.
        if bytes.count <= 255, bytes.first != 95, bytes.allSatisfy({ (32..<127).contains($0) }) { return nil }
        let scalars = name.unicodeScalars
        let count = scalars.count
        if count > 255 { return "\(what) has \(count) characters; at most 255 are allowed" }
        if scalars.first == "_" { return "\(what) '\(name)' must not start with an underscore" }
        return controlViolation(in: name, of: what)
    }

    /// Why `name` cannot identify a subscription, a client or a device, or `nil`: 1...255 scalars, no control characters.
    package static func labelViolation(in name: String, of what: String) -> String? {
        if name.isEmpty { return "\(what) must not be empty" }
        let count = name.unicodeScalars.count
        if count > 255 { return "\(what) has \(count) characters; at most 255 are allowed" }
        return controlViolation(in: name, of: what)
    }

    private static func controlViolation(in name: String, of what: String) -> String? {
        guard let control = name.unicodeScalars.first(where: { $0.properties.generalCategory == .control }) else {
            return nil
        }
        return "\(what) contains the control character U+\(String(control.value, radix: 16, uppercase: true))"
    }

    /// Why `name` cannot name a record type or a field, or `nil`: an ASCII letter, then letters, digits and `_`, at most 255.
    package static func identifierViolation(in name: String, of what: String) -> String? {
        if name.isEmpty { return "\(what) must not be empty" }
        let bytes = name.utf8
        if bytes.count > 255 { return "\(what) has \(bytes.count) bytes; at most 255 are allowed" }
        func isLetter(_ byte: UInt8) -> Bool { (65...90).contains(byte) || (97...122).contains(byte) }
        guard let first = bytes.first, isLetter(first) else {
            return "\(what) '\(name)' must start with an ASCII letter"
        }
        guard bytes.allSatisfy({ isLetter($0) || (48...57).contains($0) || $0 == 95 }) else {
            return "\(what) '\(name)' may contain only ASCII letters, digits and underscores"
        }
        return nil
    }
}
