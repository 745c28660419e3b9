import CZlib
import HTTPCore

/// Sends answers as gzip to clients that ask for it.
enum ContentCoding {
    /// Bytes of the smallest body that is compressed: below, the packets saved are not worth the work.
    static let smallest = 2048
    /// The fastest level; `Docs/Wire.md` says what others cost.
    private static let level: Int32 = 1

    /// The answer as the client wants it. Text only; what does not get smaller stays as it is.
    static func apply(to response: HTTPResponse, for request: HTTPRequest) -> HTTPResponse {
        guard response.body.count >= smallest, isText(response), response.headers["Content-Encoding"] == nil else {
            return response
        }
        var response = response
        response.headers.append("Vary", "Accept-Encoding")
        guard acceptsGzip(request.headers), let body = gzip(response.body) else { return response }
        response.body = body
        response.headers.append("Content-Encoding", "gzip")
        return response
    }

    /// Whether `Accept-Encoding` allows gzip and does not like the bare text better (RFC 9110, 12.5.3).
    static func acceptsGzip(_ headers: HTTPHeaders) -> Bool {
        var weights: [String: Double] = [:]
        for entry in headers.entries where entry.name.lowercased() == "accept-encoding" {
            for item in entry.value.split(separator: ",") {
                let parts = item.split(separator: ";").map { trimmed($0).lowercased() }
                guard let name = parts.first else { continue }
                let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
                weights[name == "x-gzip" ? "gzip" : name] = quality ?? 1
            }
        }
        guard let gzip = weights["gzip"] ?? weights["*"] else { return false }
        return gzip > 0 && gzip >= weights["identity", default: 0]
    }

    /// `nil` when the result would not be smaller.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let packed = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            count = bytes.withUnsafeBytes {
                czlib_gzip($0.baseAddress, $0.count, buffer.baseAddress, buffer.count, level)
            }
        }
        return packed.isEmpty ? nil : packed
    }

    private static func isText(_ response: HTTPResponse) -> Bool {
        guard let type = response.headers["Content-Type"]?.lowercased() else { return false }
        return type.hasPrefix("application/json") || type.hasPrefix("text/")
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
