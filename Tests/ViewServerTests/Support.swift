import CloudTestSupport
import HTTPCore
import Synchronization
import ViewGraph
import ViewServer

/// An app whose windows have a button that counts, a field in capitals, and a place for files.
@MainActor
final class CountingApp: WindowHost {
    private(set) var opened: [String] = []
    private(set) var closed: [String] = []
    private(set) var files: [BroughtFiles] = []
    private var graphs: [String: ViewGraph] = [:]

    @MainActor private final class State {
        var count = 0
        var text = ""
    }

    func openWindow(_ identifier: String) -> ViewGraph {
        opened.append(identifier)
        let graph = ViewGraph()
        graphs[identifier] = graph
        let state = State()
        graph.start((), environment: EnvironmentStore(), visit: { _, _ in }) { _ in
            Element(
                ElementID(0), "main", [.init("class", "window")],
                children: [
                    Element(ElementID(1), "button", text: "Add", handlers: [(.click, { _ in state.count += 1 })]),
                    Element(
                        ElementID(2), "input", value: state.text,
                        handlers: [(.input, { state.text = $0.value.uppercased() })]),
                    Element(ElementID(3), "span", text: "count \(state.count)"),
                    Element(
                        ElementID(4), "button", state.count == 0 ? [.init("disabled", "")] : [], text: "Reset",
                        handlers: [(.click, { _ in state.count = 100 })]),
                    Element(
                        ElementID(5), "div", handlers: [(.files, { [self] in files += [$0.files].compactMap(\.self) })]),
                ])
        }
        return graph
    }

    private(set) var links: [String] = []

    func open(_ link: String) async throws(LinkRefusal) {
        guard link.hasPrefix("https:") else { throw LinkRefusal("'\(link)' is not for this app") }
        links.append(link)
    }

    func closeWindow(_ identifier: String) {
        closed.append(identifier)
        graphs.removeValue(forKey: identifier)?.close()
    }
}

/// A server on a free port with a clock that the test turns.
struct ServedApp {
    let app: CountingApp
    let server: ViewServer
    let token: String
    let port: UInt16
    let clock: Clock

    @MainActor init(_ change: (inout ViewServerConfiguration) -> Void = { _ in }) throws {
        let clock = Clock()
        var configuration = ViewServerConfiguration()
        configuration.sweepSeconds = nil
        configuration.now = { clock.seconds.withLock { $0 } }
        configuration.files = FileShelf()
        change(&configuration)
        app = CountingApp()
        server = ViewServer(configuration, host: app)
        let address = try server.start()
        port = UInt16(address.split(separator: ":")[2].prefix { $0.isNumber }) ?? 0
        token = configuration.token
        self.clock = clock
    }

    var origin: String { "http://127.0.0.1:\(port)" }

    /// The request of a browser that was let in; `nil` leaves a field out.
    func send(
        _ method: String, _ path: String, _ headers: [String: String?] = [:], body: String = ""
    ) async -> HTTPResponse? {
        let client = RawClient(port: port)
        defer { client.leave() }
        var fields: [String: String?] = ["Host": "127.0.0.1:\(port)", "Cookie": await cookie()]
        if method == "POST" {
            fields["Origin"] = origin
            fields["Content-Type"] = "application/json"
            fields["Content-Length"] = "\(body.utf8.count)"
        }
        fields.merge(headers) { $1 }
        let head = fields.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.joined()
        client.send("\(method) \(path) HTTP/1.1\r\n\(head)\r\n\(body)")
        return await blocking { client.answer() }
    }

    /// What the token is turned into.
    func cookie() async -> String {
        let client = RawClient(port: port)
        defer { client.leave() }
        client.send("GET /?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
        let field = await blocking { client.answer() }?.headers["Set-Cookie"] ?? ""
        return String(field.prefix { $0 != ";" })
    }

    /// Opens a window's stream.
    func stream(_ window: String, since last: String? = nil) async -> StreamReader {
        let client = RawClient(port: port)
        let seen = last.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        client.send(
            "GET /live?w=\(window) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nCookie: \(await cookie())\r\n\(seen)\r\n")
        return StreamReader(client)
    }

    func post(_ events: String, to window: String, life: String) async -> HTTPResponse? {
        await send("POST", "/events?w=\(window)&c=\(life)", body: events)
    }
}

final class Clock: Sendable {
    let seconds = Mutex(0)
}

/// Reads a stream's messages.
final class StreamReader: Sendable {
    private let client: RawClient
    private let text = Mutex("")

    init(_ client: RawClient) { self.client = client }

    /// All that has come, once `word` is in it, or the stream has ended.
    func read(until word: String) async -> String {
        await blocking { [self] in
            while true {
                let all = text.withLock { $0 }
                if all.contains(word) { return all }
                let piece = client.receive()
                if piece.isEmpty { return all }
                text.withLock { $0 += piece }
            }
        }
    }

    /// The identifier of the last message that has come.
    var last: String {
        text.withLock { String($0.split(separator: "id: ").last?.prefix { $0 != "\n" } ?? "") }
    }

    /// What names the window among those that the tab has had.
    func life() async -> String {
        _ = await read(until: "id: ")
        return String(last.prefix { $0 != "-" })
    }

    func leave() { client.leave() }
}
