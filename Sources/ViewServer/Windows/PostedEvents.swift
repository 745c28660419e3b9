import CloudWire
import ViewGraph

/// Reads what a page posts: `[{"i": "n84", "t": "input", "v": "Onc", "s": 5}, …]`.
enum PostedEvents {
    static let byteLimit = 256 * 1024
    static let countLimit = 200

    static func read(_ body: [UInt8]) throws(Refusal) -> [WindowEvent] {
        guard body.count <= byteLimit else { throw Refusal(413, "events have at most \(byteLimit) bytes") }
        let events: [WindowEvent]
        do {
            events = try JSONTape.read(body) { root throws(WireError) in
                guard root.kind == .array, root.count <= countLimit else { return [] }
                var events: [WindowEvent] = []
                for item in try root.elements { if let event = try event(item) { events.append(event) } }
                return events
            }
        } catch { throw Refusal(400, "the events cannot be read") }
        guard !events.isEmpty else { throw Refusal(400, "1 to \(countLimit) events are expected") }
        return events
    }

    /// `nil` for one whose element or kind is none.
    private static func event(_ item: JSONReader) throws(WireError) -> WindowEvent? {
        let target = HTMLWriter.id(of: Substring(try item.required("i").string()))
        // The place of files is the server's to say.
        guard let target, let kind = WindowEvent.Kind(rawValue: try item.required("t").string()), kind != .files else {
            return nil
        }
        return WindowEvent(
            kind, target, value: try item.member("v")?.string() ?? "",
            number: Int(clamping: try item.member("s")?.int64() ?? 0))
    }
}
