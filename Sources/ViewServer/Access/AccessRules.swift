import CloudCrypto
package import HTTPCore
import Synchronization

/// Who may ask for what. The server is for the person at this desk alone: not for other pages of the browser, not for other
/// hosts that a name leads here.
package final class AccessRules: Sendable {
    private let token: [UInt8]
    private let secret: [UInt8]
    private let stageOrigin: String?
    /// Known when the server listens; before, nothing is answered.
    private let port = Atomic<UInt16>(0)

    package init(token: String, stageOrigin: String?) {
        self.token = Array(token.utf8)
        // Of the token alone, so that a page outlives an app that is started anew with the same one.
        secret = Array(Hexadecimal.text(Crypto.hmacSHA256(key: self.token, Array("cookie".utf8))).utf8)
        self.stageOrigin = stageOrigin
    }

    package func listen(on port: UInt16) { self.port.store(port, ordering: .releasing) }

    private var authority: String { "127.0.0.1:\(port.load(ordering: .acquiring))" }
    private var origin: String { "http://\(authority)" }
    /// Cookies know no ports; the name does.
    private var cookie: String { "cumulet-\(port.load(ordering: .acquiring))" }

    /// Refuses requests that were led here by another name. Every request is asked.
    package func checkHost(_ request: HTTPRequest) throws(Refusal) {
        let hosts = request.headers.values(of: "Host")
        guard hosts.count == 1, hosts[0] == authority else {
            throw Refusal(421, "this server answers for \(authority) alone")
        }
    }

    /// Refuses requests of browsers that have not been let in by the token.
    package func checkCookie(_ request: HTTPRequest) throws(Refusal) {
        let name = cookie
        for field in request.headers.values(of: "Cookie") {
            for pair in field.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if parts.count == 2, parts[0] == name, Crypto.equal(Array(parts[1].utf8), secret) { return }
            }
        }
        throw Refusal(403, "open the address that the app printed when it started; it has a token in it")
    }

    /// Refuses requests without the token itself, which pages cannot send: not across origins, and ours do not know it.
    package func checkToken(_ request: HTTPRequest) throws(Refusal) {
        let given = request.headers.values(of: "Authorization")
        guard given.count == 1, given[0].hasPrefix("Bearer "),
            Crypto.equal(Array(given[0].utf8.dropFirst(7)), token)
        else { throw Refusal(403, "this needs the token of the address that the app printed last") }
        try checkSite(request)
    }

    /// Refuses what a page of another origin sends: of all ports of this host a browser sends the same cookies along.
    package func checkOrigin(_ request: HTTPRequest) throws(Refusal) {
        guard request.headers.values(of: "Origin") == [origin] else {
            throw Refusal(403, "only the app's own page may send this")
        }
        try checkSite(request)
    }

    /// Refuses what a browser says comes of another origin.
    package func checkSite(_ request: HTTPRequest) throws(Refusal) {
        if let site = request.headers["Sec-Fetch-Site"], site != "same-origin" {
            throw Refusal(403, "only the app's own page may ask for this")
        }
    }

    /// Lets the browser in that brings the token: with a cookie, at an address without it.
    package func admit(_ token: String) throws(Refusal) -> HTTPResponse {
        guard Crypto.equal(Array(token.utf8), self.token) else {
            throw Refusal(403, "the token is not that of this start of the app; open the address that it printed last")
        }
        let value = String(decoding: secret, as: UTF8.self)
        return HTTPResponse(
            status: 303,
            headers: [
                "Location": "/", "Set-Cookie": "\(cookie)=\(value); HttpOnly; SameSite=Strict; Path=/",
                "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
            ])
    }

    /// What a page may do and who may frame it.
    var pagePolicy: String {
        let ancestors = stageOrigin.map { "'self' \($0)" } ?? "'self'"
        return "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
            + "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors \(ancestors)"
    }
}

/// Why a request is not served.
package struct Refusal: Error {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }

    package var response: HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff",
                "Cache-Control": "no-store", "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
            ],
            body: Array((reason + "\n").utf8))
    }
}
