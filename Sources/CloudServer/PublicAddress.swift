/// The address that clients reach a service at: scheme, host, port, and what a proxy has before the protocol's paths.
package struct PublicAddress: Hashable, Sendable, CustomStringConvertible {
    /// For example `https://example.org/cloud`; without a slash at the end.
    package let description: String
    /// For example `/cloud`; mostly empty.
    package let pathPrefix: String

    /// - Returns: `nil` unless `text` is `http` or `https`, a host, perhaps a port and path segments of unreserved
    ///   characters.
    package init?(_ text: String) {
        guard let origin = WebOrigin(of: text), origin.isWeb, let mark = text.firstRange(of: "://") else { return nil }
        let rest = text[mark.upperBound...]
        var path = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? ""
        if rest.prefix(upTo: rest.firstIndex(of: "/") ?? rest.endIndex).contains(where: { "?#".contains($0) }) {
            return nil
        }
        if path.hasSuffix("/") { path.removeLast() }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPlain = segments.allSatisfy { segment in
            !segment.isEmpty && segment != "." && segment != ".."
                && segment.utf8.allSatisfy {
                    (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
                        || [45, 46, 95, 126].contains($0)
                }
        }
        guard isPlain else { return nil }
        pathPrefix = path
        description = origin.description + path
    }
}
