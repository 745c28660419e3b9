import HTTPCore
import ViewGraph

/// Answers the browser's requests, each after the rules that it falls under.
struct ViewResponder: HTTPResponder {
    let access: AccessRules
    let windows: Windows
    let page: Page
    let files: FileShelf
    let uploadLimit: Int

    func streamsBody(of head: HTTPRequest) -> Bool { head.method == "POST" && head.target.hasPrefix("/files?") }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        do throws(Refusal) {
            try access.checkHost(request)
            let address = RequestAddress(request.target)
            switch request.method {
            case "GET": return try get(address, request)
            case "POST": return try await post(address, request)
            default: throw Refusal(405, "this server knows GET and POST")
            }
        } catch {
            return error.response
        }
    }

    private func get(_ address: RequestAddress, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
        if address.path == "/", let token = address["token"] { return try access.admit(String(token)) }
        try access.checkCookie(request)
        if address.path == "/" { return page.page(policy: access.pagePolicy) }
        if let asset = page.asset(address.path, for: request) { return asset }
        if address.path.hasPrefix("/files/") {
            try access.checkSite(request)
            return try files.answer(address.path, to: request)
        }
        guard address.path == "/live" else { throw Refusal(404, "there is nothing here") }
        try access.checkSite(request)
        let last = request.headers["Last-Event-ID"].map { $0[...] } ?? address["r"]
        let stream = HTTPLiveBody(limit: 8 << 20, beat: Array(":\n\n".utf8))
        stream.send(Array("retry: 1000\n\n".utf8))
        try windows.connect(stream, to: address["w"] ?? "", since: last)
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
                "Cross-Origin-Resource-Policy": "same-origin",
            ], live: stream)
    }

    private func post(_ address: RequestAddress, _ request: HTTPRequest) async throws(Refusal) -> HTTPResponse {
        if address.path == "/open" { return try await open(request) }
        try access.checkCookie(request)
        try access.checkOrigin(request)
        let (window, life) = (address["w"] ?? "", address["c"] ?? "")
        switch address.path {
        case "/events":
            let type = request.headers["Content-Type"]?.lowercased() ?? ""
            guard type == "application/json" || type.hasPrefix("application/json;") else {
                throw Refusal(415, "events are application/json")
            }
            try windows.post(try PostedEvents.read(request.body), to: window, life: life)
        case "/files":
            guard let body = request.stream, let target = HTMLWriter.id(of: address["i"] ?? "") else {
                throw Refusal(400, "files need an element that they are for")
            }
            let upload = try Upload(request, limit: uploadLimit)
            guard windows.has(window, life: life) else { throw Refusal(410, "that window is not there any more") }
            let paths = try await upload.receive(body, into: windows.uploads.make(of: String(life)))
            let files = BroughtFiles(paths: paths, x: address.number("x"), y: address.number("y"))
            try windows.post([WindowEvent(.files, target, files: files)], to: window, life: life)
        default: throw Refusal(404, "there is nothing here")
        }
        return HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"])
    }

    /// For who has the token, a stage or a command; no page of a browser asks for it.
    private func open(_ request: HTTPRequest) async throws(Refusal) -> HTTPResponse {
        try access.checkToken(request)
        guard request.headers["Content-Type"] == "text/uri-list", request.body.count <= 4096,
            let text = String(validating: request.body, as: UTF8.self)
        else { throw Refusal(415, "a link is text/uri-list, of 4096 bytes at most") }
        try await windows.open(text)
        return HTTPResponse(status: 204, headers: ["Cache-Control": "no-store"])
    }
}
