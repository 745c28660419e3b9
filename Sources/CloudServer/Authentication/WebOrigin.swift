package import CloudCore

/// Where a page comes from, as browsers compare it: scheme, host and port (RFC 6454); for an app's own scheme, scheme and
/// host.
package struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// In lower case and without the scheme's own port, for example `https://notes.example.org:8443`.
    package let description: String
    let isWeb: Bool
    /// Whether it is of this machine.
    let isLoopback: Bool

    /// The origin of an address; `nil` when the address is not `scheme://host[:port]` with or without what follows, or of
    /// a scheme that runs or reads something in the browser.
    package init?(of address: String) {
        let text = address.utf8
        guard text.count <= 2048, text.allSatisfy({ (33...126).contains($0) }),
            let mark = address.firstRange(of: "://")
        else { return nil }
        let scheme = address[..<mark.lowerBound].lowercased()
        let rest = address[mark.upperBound...]
        let authority = rest[..<(rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex)].lowercased()
        guard Self.isScheme(scheme), let (host, port) = Self.parts(of: authority) else { return nil }
        let usual = ["http": "80", "https": "443"][scheme]
        description = scheme + "://" + host + (port.isEmpty || port == usual ? "" : ":" + port)
        isWeb = usual != nil
        isLoopback = scheme == "http" && ["127.0.0.1", "localhost", "[::1]"].contains(host)
    }

    /// The origins that an administrator lists.
    /// - Throws: `BAD_REQUEST` naming the text that is more, less or other than an origin.
    package static func list(_ texts: [String]) throws(CloudError) -> [WebOrigin] {
        var origins: [WebOrigin] = []
        for text in texts {
            guard let origin = WebOrigin(of: text), text.utf8.count(where: { $0 == UInt8(ascii: "/") }) == 2,
                !text.contains("?"), !text.contains("#")
            else {
                throw CloudError(
                    .badRequest, "'\(text)' is not an origin such as https://notes.example.org", nativeCode: 12)
            }
            if !origins.contains(origin) { origins.append(origin) }
        }
        return origins
    }

    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, (97...122).contains(first) else { return false }
        let isPlain = text.utf8.allSatisfy {
            (97...122).contains($0) || (48...57).contains($0) || [43, 45, 46].contains($0)
        }
        return isPlain && !["javascript", "data", "vbscript", "file", "blob", "about"].contains(text)
    }

    /// Host and port; the port may be empty.
    private static func parts(of authority: String) -> (host: String, port: String)? {
        let bytes = authority.utf8
        var end = bytes.startIndex
        if bytes.first == UInt8(ascii: "[") {
            guard let closing = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            let isAddress = bytes[bytes.index(after: end)..<closing].allSatisfy {
                (48...57).contains($0) || (97...102).contains($0) || [46, 58].contains($0)
            }
            guard isAddress else { return nil }
            end = bytes.index(after: closing)
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            let isName = bytes[..<end].allSatisfy {
                (48...57).contains($0) || (97...122).contains($0) || [45, 46, 95].contains($0)
            }
            guard isName,
                bytes[..<end].split(separator: 46, omittingEmptySubsequences: false).allSatisfy({ !$0.isEmpty })
            else { return nil }
        }
        let tail = bytes[end...]
        guard tail.isEmpty || tail.first == UInt8(ascii: ":") else { return nil }
        let port = tail.dropFirst()
        let text = String(Substring(port))
        guard text.isEmpty || text.utf8.allSatisfy({ (48...57).contains($0) }) && 1...65_535 ~= Int(text) ?? 0 else {
            return nil
        }
        return (String(authority[..<end]), text)
    }
}
