import Foundation
import HTTPCore
import ViewServer

/// Serves the stage's page and what its buttons ask for, by the rules of an app's own windows.
struct StageResponder: HTTPResponder {
    let stage: Stage
    let access: AccessRules

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        do {
            return try await answer(request)
        } catch let refusal as Refusal {
            return refusal.response
        } catch let refusal as StageRefusal {
            return Self.text(refusal.status, refusal.reason)
        } catch let failure as Failure {
            return Self.text(422, failure.description)
        } catch {
            return Self.text(500, String(describing: error))
        }
    }

    private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        try access.checkHost(request)
        let address = RequestAddress(request.target)
        if address.path == "/", let token = address["token"] { return try access.admit(String(token)) }
        try access.checkCookie(request)
        let words = address.path.split(separator: "/").map(String.init)
        switch (request.method, words.first, words.count) {
        case ("GET", nil, _): return page
        case ("GET", "stage.js", 1): return Self.file(StagePage.script, "text/javascript; charset=utf-8")
        case ("GET", "stage.css", 1): return Self.file(StagePage.style, "text/css; charset=utf-8")
        case ("GET", "devices", 1): return try await devices()
        case ("GET", "devices", 3) where words[2] == "log": return Self.text(200, try await stage.log(of: words[1]))
        case ("POST", "devices", 3):
            try access.checkOrigin(request)
            switch words[2] {
            case "offline": try await stage.setOffline(true, words[1])
            case "online": try await stage.setOffline(false, words[1])
            case "open": try await stage.open(String(decoding: request.body, as: UTF8.self), on: words[1])
            case "restart": try await stage.restart(words[1])
            default: return Self.text(404, "there is no such button")
            }
            return try await devices()
        default: return Self.text(404, "there is nothing at this address")
        }
    }

    private func devices() async throws -> HTTPResponse {
        let body = try JSONEncoder().encode(await stage.status)
        return HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            ], body: Array(body))
    }

    /// Devices have ports of their own.
    private var page: HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
                "Content-Security-Policy":
                    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                    + "frame-src http://127.0.0.1:*; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            ], body: Array(StagePage.html.utf8))
    }

    private static func file(_ text: String, _ type: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: ["Content-Type": type, "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"],
            body: Array(text.utf8))
    }

    private static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store",
                "X-Content-Type-Options": "nosniff",
            ], body: Array(text.utf8))
    }
}
