import CMicroHTTPD
import HTTPCore
import Synchronization

// What libmicrohttpd calls, always on the loop's thread. Plain functions: a closure could become isolated to an actor.

/// A connection was accepted or is gone.
func handleConnection(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
    _ event: MHD_ConnectionNotificationCode
) {
    guard let context, let handle, let slot else { return }
    let loop = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
    if event == .CONNECTION_NOTIFY_STARTED {
        let connection = Connection(loop: loop, socket: cmhd_socket(handle))
        connection.deadline = EventLoop.now() + loop.configuration.requestSeconds
        loop.connections[ObjectIdentifier(connection)] = connection
        loop.openConnections.add(1, ordering: .relaxed)
        slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let known = slot.pointee {
        let connection = Unmanaged<Connection>.fromOpaque(known).takeRetainedValue()
        slot.pointee = nil
        loop.connections[ObjectIdentifier(connection)] = nil
        loop.openConnections.subtract(1, ordering: .relaxed)
    }
}

/// A request line was read; what is returned travels with the request.
func handleBegin(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let handle, let target, let known = cmhd_socket_context(handle) else { return nil }
    let connection = Unmanaged<Connection>.fromOpaque(known).takeUnretainedValue()
    connection.deadline = EventLoop.now() + connection.loop.configuration.requestSeconds
    let exchange = Exchange(connection: connection, target: String(cString: target))
    exchange.handle = handle
    connection.current = exchange
    connection.loop.inFlight[ObjectIdentifier(exchange)] = exchange
    return Unmanaged.passRetained(exchange).toOpaque()
}

/// Called with the headers, then with each piece of the body, then to answer, and again after a resume.
func handleAccess(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ path: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ data: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let handle, let size, let known = slot?.pointee else { return .NO }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    let loop = exchange.connection.loop
    let limit = loop.configuration.maximumBodyBytes
    if !exchange.isBegun {
        exchange.isBegun = true
        exchange.method = method.map { String(cString: $0) } ?? ""
        MHD_get_connection_values(handle, .HEADER_KIND, handleHeader, known)
        let lengths = exchange.headers.values(of: "Content-Length")
        if lengths.count > 1 || !lengths.isEmpty && exchange.headers["Transfer-Encoding"] != nil {
            // Two ends that read two lengths would see two different next requests.
            let answer = loop.configuration.errorBody(400, "the length of the request's body is given twice")
            return exchange.queue(answer, closing: true)
        }
        let encodings = exchange.headers.values(of: "Transfer-Encoding")
        if encodings.count > 1 || encodings.first.map({ $0.lowercased() != "chunked" }) == true {
            // Where such a body ends nobody here knows (RFC 9112, 6.1).
            let encoding = encodings.joined(separator: ", ").prefix(100)
            let answer = loop.configuration.errorBody(
                501, "the transfer encoding '\(encoding)' is not known here; chunked alone is")
            return exchange.queue(answer, closing: true)
        }
        let head = HTTPRequest(method: exchange.method, target: exchange.target, headers: exchange.headers)
        if loop.responder.streamsBody(of: head) { return exchange.beginStream(head) }
        if let length = exchange.headers["Content-Length"].flatMap({ Int($0) }) {
            if length > limit * 4 { return exchange.queue(tooLarge(loop, limit), closing: true) }
            if length <= limit { exchange.body.reserveCapacity(min(length, 65_536)) }
        }
        return .YES
    }
    if let stream = exchange.stream { return exchange.take(data, size, into: stream) }
    if size.pointee > 0 {
        if exchange.isTooLarge || exchange.body.count + size.pointee > limit {
            exchange.isTooLarge = true
            exchange.dropBody()
            exchange.dropped += size.pointee
            if exchange.dropped > limit * 4 { return .NO }
        } else {
            exchange.body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: size.pointee))
            exchange.buffered += size.pointee
            loop.bufferedBytes += size.pointee
            if loop.bufferedBytes > loop.configuration.maximumBufferedBytes {
                exchange.isRefused = true
                exchange.isTooLarge = true
                exchange.dropBody()
            }
        }
        size.pointee = 0
        return .YES
    }
    exchange.connection.deadline = nil
    if exchange.isRefused {
        let answer = loop.configuration.errorBody(503, "too many large requests are under way; try again")
        return exchange.queue(answer, closing: true)
    }
    if exchange.isTooLarge { return exchange.queue(tooLarge(loop, limit), closing: true) }
    if let response = exchange.response { return exchange.queue(response) }
    guard !exchange.isRunning else { return .YES }
    if loop.isClosed { return exchange.queue(loop.configuration.errorBody(503, "the service is stopping")) }
    exchange.isWhole = true
    let request = HTTPRequest(
        method: exchange.method, target: exchange.target, headers: exchange.headers, body: exchange.body)
    exchange.body = []
    exchange.run(request)
    if let response = exchange.response { return exchange.queue(response) }
    exchange.suspend()
    return .YES
}

/// libmicrohttpd refuses a request, with a page of its own, or complains of something else. Where the request can be found
/// that it refuses, the answer is ours.
///
/// Of its reasons that is one: a `Content-Length` that is no number. A request with one is refused in any case.
func handleComplaint(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    let loop = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
    for exchange in loop.inFlight.values where !exchange.isBegun && !exchange.isRefused {
        guard let handle = exchange.handle else { continue }
        exchange.headers = HTTPHeaders()
        MHD_get_connection_values(handle, .HEADER_KIND, handleHeader, Unmanaged.passUnretained(exchange).toOpaque())
        defer { exchange.headers = HTTPHeaders() }
        for length in exchange.headers.values(of: "Content-Length") where UInt64(length) == nil || length.hasPrefix("+")
        {
            exchange.isRefused = true
            let isNumber = !length.isEmpty && length.utf8.allSatisfy { (48...57).contains($0) }
            exchange.connection.refuse(
                isNumber
                    ? tooLarge(loop, loop.configuration.maximumBodyBytes)
                    : loop.configuration.errorBody(400, "Content-Length is '\(length.prefix(100))', which is no number")
            )
            break
        }
    }
}

/// The exchange is over, answered or not.
func handleCompleted(
    _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let slot, let known = slot.pointee else { return }
    slot.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeRetainedValue()
    exchange.handle = nil
    exchange.stream?.fail("the client left before its request was whole")
    exchange.dropBody()
    if exchange.response == nil { exchange.task?.cancel() }
    exchange.task = nil
    let loop = exchange.connection.loop
    loop.inFlight[ObjectIdentifier(exchange)] = nil
    exchange.connection.current = nil
    loop.unwatch(exchange)
    exchange.connection.deadline =
        EventLoop.now() + Int(loop.configuration.idleSeconds) + loop.configuration.requestSeconds
}

private func handleHeader(
    _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?,
    _ value: UnsafePointer<CChar>?
) -> MHD_Result {
    guard let context, let name else { return .YES }
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    exchange.headers.append(String(cString: name), value.map { String(cString: $0) } ?? "")
    return .YES
}

private func tooLarge(_ loop: EventLoop, _ limit: Int) -> HTTPResponse {
    loop.configuration.errorBody(413, "the request's body is over the limit of \(limit) bytes")
}
