import CViewAssets
import CloudCrypto
import HTTPCore

/// The page that shows a window, and what belongs to it. It has nothing of the app but its name.
struct Page: Sendable {
    private struct Asset: Sendable {
        let type: String
        let bytes: [UInt8]
        let tag: String

        init(_ type: String, _ start: UnsafePointer<UInt8>?, _ count: Int) {
            self.type = type
            bytes = Array(UnsafeBufferPointer(start: start, count: count))
            tag = "\"\(Hexadecimal.text(Array(Crypto.sha256(bytes).prefix(8))))\""
        }
    }

    private let html: [UInt8]
    private let assets: [String: Asset]

    init(title: String) {
        assets = [
            "/app.js": Asset("text/javascript; charset=utf-8", cview_script(), cview_script_size()),
            "/app.css": Asset("text/css; charset=utf-8", cview_style(), cview_style_size()),
            "/icons.svg": Asset("image/svg+xml", cview_icons(), cview_icons_size()),
        ]
        let escaped = title.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        html = Array(
            """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(escaped)</title>
            <meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover">
            <meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
            <link rel="stylesheet" href="/app.css"><script src="/app.js" defer></script></head>
            <body><div id="app"><div class="starting" role="status" aria-label="Starting"></div></div>
            <div id="notice" role="alert" popover="manual"></div>
            <noscript><p class="starting">This page needs scripts.</p></noscript></body></html>

            """.utf8)
    }

    func page(policy: String) -> HTTPResponse {
        HTTPResponse(
            status: 200,
            headers: [
                "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy,
                "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
                "Cross-Origin-Opener-Policy": "same-origin",
            ], body: html)
    }

    /// One of the files that the page refers to.
    func asset(_ path: Substring, for request: HTTPRequest) -> HTTPResponse? {
        guard let asset = assets[String(path)] else { return nil }
        let headers: HTTPHeaders = [
            "Content-Type": asset.type, "ETag": asset.tag, "Cache-Control": "private, no-cache",
            "X-Content-Type-Options": "nosniff", "Cross-Origin-Resource-Policy": "same-origin",
        ]
        if request.headers["If-None-Match"] == asset.tag { return HTTPResponse(status: 304, headers: headers) }
        return HTTPResponse(status: 200, headers: headers, body: asset.bytes)
    }
}
