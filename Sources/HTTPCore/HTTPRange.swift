/// What `Range` asks of a body of known size (RFC 9110, 14).
package enum HTTPRange: Hashable, Sendable {
    /// All of it: no range is asked for, or one that this server does not serve, such as several at once.
    case whole
    /// Bytes from `first` on, `count` of them, at least one.
    case part(first: Int64, count: Int64)
    /// Nothing of the body lies in the range.
    case unsatisfiable

    /// - Parameters:
    ///   - field: The value of `Range`.
    ///   - size: Bytes of the whole body.
    package init(_ field: String?, size: Int64) {
        guard let field, let bounds = Self.bounds(field) else {
            self = .whole
            return
        }
        switch bounds {
        case (let first?, let last):
            if let last, last < first {
                self = .whole  // not a range at all
            } else if first >= size {
                self = .unsatisfiable
            } else {
                self = .part(first: first, count: min(last ?? size - 1, size - 1) - first + 1)
            }
        case (nil, let suffix?):
            let count = min(suffix, size)
            self = count == 0 ? .unsatisfiable : .part(first: size - count, count: count)
        case (nil, nil): self = .whole
        }
    }

    /// First and last of `bytes=first-last`; without a first, `last` is the length of the end that is wanted.
    private static func bounds(_ field: String) -> (Int64?, Int64?)? {
        let field = field.filter { $0 != " " && $0 != "\t" }
        guard field.lowercased().hasPrefix("bytes=") else { return nil }
        let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        var numbers: [Int64?] = []
        for part in parts {
            guard part.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
            // More digits than a number has are past the end of any body.
            numbers.append(part.isEmpty ? nil : Int64(part) ?? .max)
        }
        return (numbers[0], numbers[1])
    }
}

extension HTTPResponse {
    /// The answer to GET or HEAD of a file: whole, a range of it, or nothing where the client has it already.
    /// - Parameters:
    ///   - tag: The entity tag of its content, quotes included.
    package static func file(
        _ file: HTTPFile, tag: String, for request: HTTPRequest, headers: HTTPHeaders
    ) -> HTTPResponse {
        var headers = headers
        headers.append("ETag", tag)
        headers.append("Accept-Ranges", "bytes")
        if let known = request.headers["If-None-Match"], lists(known, tag) {
            // With the file, so that the length told is that of the file; a 304 has no body.
            return HTTPResponse(status: 304, headers: headers, file: file)
        }
        let condition = request.headers["If-Range"]
        let wanted = condition == nil || condition == tag ? request.headers["Range"] : nil
        switch HTTPRange(wanted, size: file.count) {
        case .whole: return HTTPResponse(status: 200, headers: headers, file: file)
        case .part(let first, let count):
            headers.append("Content-Range", "bytes \(first)-\(first + count - 1)/\(file.count)")
            return HTTPResponse(status: 206, headers: headers, file: file.part(first: first, count: count))
        case .unsatisfiable:
            headers.append("Content-Range", "bytes */\(file.count)")
            return HTTPResponse(status: 416, headers: headers)
        }
    }

    /// Whether `If-None-Match` names the tag; weak ones count.
    private static func lists(_ field: String, _ tag: String) -> Bool {
        field.split(separator: ",").contains { item in
            let item = item.drop { $0 == " " || $0 == "\t" }
            let bare = item.hasPrefix("W/") ? item.dropFirst(2) : item
            let end = bare.lastIndex { $0 != " " && $0 != "\t" }.map { bare.index(after: $0) } ?? bare.endIndex
            return bare[..<end] == tag || bare[..<end] == "*"
        }
    }
}
