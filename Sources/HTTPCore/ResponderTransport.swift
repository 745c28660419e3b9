/// Carries requests to a responder of the same process: no sockets, the same bytes.
package struct ResponderTransport: HTTPTransport {
    private let responder: any HTTPResponder

    package init(_ responder: any HTTPResponder) { self.responder = responder }

    package func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        guard let scheme = request.target.range(of: "://") else {
            throw HTTPTransportError(.invalidURL, "'\(request.target)' is not an absolute URL")
        }
        let rest = request.target[scheme.upperBound...]
        var inner = request
        inner.target = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        if inner.headers["Host"] == nil { inner.headers["Host"] = String(rest.prefix { $0 != "/" }) }
        let responder = responder
        let answer: HTTPResponse? = await withTaskGroup(of: HTTPResponse?.self) { group in
            group.addTask { [inner] in await responder.respond(to: inner) }
            group.addTask {
                try? await Task.sleep(for: timeout)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if Task.isCancelled { throw HTTPTransportError(.cancelled, "cancelled") }
        guard let answer else { throw HTTPTransportError(.timedOut, "no answer within \(timeout)") }
        return answer
    }
}

extension String {
    /// The first place of a text; the standard library has no such search without Foundation.
    fileprivate func range(of text: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
            start = index(after: start)
        }
        return nil
    }
}
