/// Header fields in order; names compare without case.
package struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    package private(set) var entries: [(name: String, value: String)] = []

    package init() {}
    package init(dictionaryLiteral elements: (String, String)...) {
        entries = elements.map { (name: $0.0, value: $0.1) }
    }

    /// The first value of a field; setting replaces all values, `nil` removes them.
    package subscript(_ name: String) -> String? {
        get { entries.first { Self.same($0.name, name) }?.value }
        set {
            entries.removeAll { Self.same($0.name, name) }
            if let newValue { entries.append((name, newValue)) }
        }
    }

    /// All values of a field, in order.
    package func values(of name: String) -> [String] { entries.filter { Self.same($0.name, name) }.map(\.value) }

    package mutating func append(_ name: String, _ value: String) { entries.append((name, value)) }

    private static func same(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { ($0 ^ $1) == 0 || lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte | 32 : byte }

    package static func == (left: Self, right: Self) -> Bool {
        left.entries.elementsEqual(right.entries) { same($0.name, $1.name) && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(entries.count) }
}

/// A request. On the server `target` is the raw request target (path and query); on the client an absolute URL.
package struct HTTPRequest: Sendable {
    package var method: String
    package var target: String
    package var headers: HTTPHeaders
    /// The whole body; empty where it is streamed.
    package var body: [UInt8]
    /// The body as it comes, on the server, where the responder wants it so.
    package var stream: (any HTTPBodyStream)?
    /// On the client: a file sent in place of `body`, piece by piece.
    package var upload: HTTPUpload?

    package init(method: String, target: String, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
    }
}

package struct HTTPResponse: Sendable {
    package var status: Int
    package var headers: HTTPHeaders
    package var body: [UInt8]
    /// What is sent in place of `body`.
    package var file: HTTPFile?
    /// What is sent in place of `body`, for as long as it goes on.
    package var live: HTTPLiveBody?

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], file: HTTPFile? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.file = file
    }

    package init(status: Int, headers: HTTPHeaders, live: HTTPLiveBody) {
        self.init(status: status, headers: headers)
        self.live = live
    }
}

/// Answers requests. Called on the server's loop: an answer that never waits costs no thread change.
package protocol HTTPResponder: Sendable {
    func respond(to request: HTTPRequest) async -> HTTPResponse
    /// Whether the request gets its body as a stream; asked with the head alone, before the body has come.
    func streamsBody(of head: HTTPRequest) -> Bool
}

extension HTTPResponder {
    package func streamsBody(of head: HTTPRequest) -> Bool { false }
}

/// Why no answer came.
package struct HTTPTransportError: Error, Sendable, CustomStringConvertible {
    package enum Code: Sendable {
        /// Nothing reached the server: repeating is safe.
        case unreachable
        /// The request may have been carried out.
        case connectionLost
        case timedOut
        case cancelled
        case invalidURL
    }

    package var code: Code
    package var description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// Carries a request to a server and its answer back.
package protocol HTTPTransport: Sendable {
    /// - Parameter timeout: Longest wait for the answer; of an upload, the longest time in which nothing of it gets away.
    /// - Throws: ``HTTPTransportError`` when no whole answer came; never for an HTTP status.
    func send(_ request: HTTPRequest, timeout: Duration) async throws(HTTPTransportError) -> HTTPResponse
}
