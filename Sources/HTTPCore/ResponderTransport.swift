/// Carries requests to a responder of the same process: no sockets, the same bytes.
package struct ResponderTransport: HTTPTransport {
    private let responder: any HTTPResponder

    package init(_ responder: any HTTPResponder) { self.responder = responder }

    package func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse {
        guard let (authority, target) = request.address else {
            throw HTTPTransportError(.invalidURL, "'\(request.target)' is not an absolute URL")
        }
        var inner = request
        inner.target = target
        if inner.headers["Host"] == nil { inner.headers["Host"] = authority }
        if let upload = request.upload {
            inner.headers["Content-Length"] = String(upload.size)
            do { inner.stream = try FileBody(upload) } catch {
                throw HTTPTransportError(.connectionLost, error.description)
            }
        }
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
        guard var answer else { throw HTTPTransportError(.timedOut, "no answer within \(timeout)") }
        if let live = answer.live {
            live.drop()
            throw HTTPTransportError(.connectionLost, "the answer has no end, which is not carried in one process")
        }
        if let file = answer.file {
            let isBare = request.method == "HEAD" || answer.status == 304
            guard let bytes = isBare ? [] : file.bytes() else {
                throw HTTPTransportError(.connectionLost, "the answer's file cannot be read")
            }
            answer.body = bytes
            answer.file = nil
        }
        return answer
    }
}
