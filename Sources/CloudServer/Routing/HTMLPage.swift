import CloudCore
import CloudCrypto
import HTTPCore

/// A page of the service: no part of it comes from elsewhere, no other page frames it, and no script runs but its own.
struct HTMLPage {
    var title: String
    var status = 200
    /// What went wrong: its status, and when to try again. The words are for the body.
    var problem: CloudError?
    /// What runs in the page.
    var script: String?
    /// Whether the answer to the page's form may lead to another address.
    var formLeadsElsewhere = false

    /// - Parameter body: HTML; what came from people is escaped in it.
    func response(_ body: String) -> HTTPResponse {
        let nonce = Hex.encode(Crypto.random(16))
        let element = script.map { "<script nonce=\"\(nonce)\">\($0)</script>" } ?? ""
        let scripts = script == nil ? "" : "script-src 'nonce-\(nonce)'; "
        let forms = formLeadsElsewhere ? "" : "form-action 'self'; "
        let text = """
            <!doctype html><html lang="en"><head><meta charset="utf-8"><title>\(Self.escape(title))</title>
            <meta name="viewport" content="width=device-width">
            <style nonce="\(nonce)">
            body{font:16px system-ui,sans-serif;max-width:22rem;margin:4rem auto;padding:0 1rem;overflow-wrap:anywhere}
            label,input,button{display:block;width:100%;box-sizing:border-box}label{margin:1rem 0}
            input,button{font:inherit;padding:.5rem}[role=alert]{color:#a00}
            </style></head><body>\(body)\(element)</body></html>
            """
        var headers: HTTPHeaders = [
            "Content-Type": "text/html; charset=UTF-8", "Cache-Control": "no-store",
            "Content-Security-Policy":
                "default-src 'none'; \(scripts)style-src 'nonce-\(nonce)'; \(forms)base-uri 'none'; "
                + "frame-ancestors 'none'",
            "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
        ]
        if let problem { headers.advise(problem) }
        return HTTPResponse(
            status: problem?.code.httpStatus ?? status, headers: headers, body: Array(text.utf8))
    }

    static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
