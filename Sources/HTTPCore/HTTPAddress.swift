extension HTTPRequest {
    /// The authority and the raw target where `target` is an absolute URL, `nil` where it is none; a fragment is not sent.
    package var address: (authority: String, target: String)? {
        let bytes = Array(target.utf8)
        let schemes = ["http://", "https://"]
        guard let scheme = schemes.first(where: { target.prefix($0.count).lowercased() == $0 }) else { return nil }
        let rest = bytes.dropFirst(scheme.utf8.count).prefix { $0 != UInt8(ascii: "#") }
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        let path = String(decoding: rest[end...], as: UTF8.self)
        return (String(decoding: rest[..<end], as: UTF8.self), path.hasPrefix("/") ? path : "/" + path)
    }
}
