import CloudServer
import CloudWire
import Glibc

/// One line on standard error for each request.
enum RequestLog {
    enum Format: String, CaseIterable {
        case text, json
    }

    static func writer(_ format: Format) -> @Sendable (RequestLogEntry) -> Void {
        switch format {
        case .text: { Terminal.note(text(of: $0)) }
        case .json: { Terminal.note(json(of: $0)) }
        }
    }

    /// Time, caller, operation, status, milliseconds, and the reason if it was refused.
    static func text(of entry: RequestLogEntry) -> String {
        var line = "\(timestamp(entry.time)) \(entry.caller) \(entry.operation) \(entry.status)"
        line += " \(tenths(entry.milliseconds)) ms"
        if let reason = entry.reason { line += " " + reason }
        if let detail = entry.detail { line += " [\(detail)]" }
        return singleLine(line)
    }

    static func json(of entry: RequestLogEntry) -> String {
        let bytes = JSONWriter.document { writer in
            writer.member("time", timestamp(entry.time))
            writer.member("caller", entry.caller)
            writer.member("operation", entry.operation)
            writer.member("status", Int64(entry.status))
            writer.key("milliseconds")
            writer.double((entry.milliseconds * 10).rounded() / 10)
            writer.member("reason", ifPresent: entry.reason)
            writer.member("detail", ifPresent: entry.detail)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// ISO 8601 in UTC with milliseconds.
    static func timestamp(_ milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 40)
        let count = strftime(&text, text.count, "%FT%T", &parts)
        let stamp = String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "\(stamp).\(String(1000 + milliseconds % 1000).dropFirst())Z"
    }

    private static func tenths(_ milliseconds: Double) -> String {
        String((milliseconds * 10).rounded() / 10)
    }

    /// What a client sent must not begin a line of its own.
    private static func singleLine(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        if isPlain { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
