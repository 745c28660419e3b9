import CCurl
import Glibc
import HTTPCore
import Synchronization

/// One request on its way.
///
/// Unchecked: `isBegun` and `isCancelled` are behind the lock of the loop's inbox, `mail` behind its own; all that changes
/// besides belongs to the loop's thread, from where libcurl calls back.
final class Transfer: @unchecked Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPTransportError>

    private struct Mail {
        /// Of an upload, what is to be told of the bytes that got away.
        var sent: [Int64] = []
        var outcome: Outcome?
        var waiter: CheckedContinuation<Void, Never>?
    }

    /// Places in an upload that wait to be told; of more, only the last is.
    private static let longestMail = 64

    let request: HTTPRequest
    let authority: String
    let timeout: Duration
    private let mail = Mutex(Mail())
    var isBegun = false
    var isCancelled = false

    private(set) var easy: UnsafeMutableRawPointer?
    private(set) var deadline: ContinuousClock.Instant
    private var fields: UnsafeMutablePointer<curl_slist>?
    private var headers = HTTPHeaders()
    /// Whether the empty line after the fields has come.
    private var isHeadWhole = false
    private var body: [UInt8] = []
    private var file: Int32 = -1
    private var place: Int64 = 0
    private var sent: Int64 = 0
    /// Whether the request went to a server that has not begun to answer it.
    private var isUnanswered = false
    /// Whether anything went to a server.
    private var isSent = false
    /// What is wrong at this end.
    private var fault: String?

    init(_ request: HTTPRequest, authority: String, timeout: Duration) {
        self.request = request
        self.authority = authority
        self.timeout = timeout
        deadline = .now + timeout
    }

    // MARK: - The waiting task

    /// Tells the upload's progress until the outcome is there.
    func result() async -> Outcome {
        while true {
            await withCheckedContinuation { waiter in
                let isReady = mail.withLock { mail in
                    if mail.outcome != nil || !mail.sent.isEmpty { return true }
                    mail.waiter = waiter
                    return false
                }
                if isReady { waiter.resume() }
            }
            let (sent, outcome) = mail.withLock { mail in
                defer { mail.sent = [] }
                return (mail.sent, mail.outcome)
            }
            if case .failure(let error)? = outcome { return .failure(error) }
            if let upload = request.upload {
                for count in sent where !Task.isCancelled { upload.progress(count) }
            }
            if let outcome { return outcome }
        }
    }

    /// Called once.
    func end(_ outcome: Outcome) { deliver { $0.outcome = outcome } }

    private func deliver(_ change: (inout Mail) -> Void) {
        mail.withLock { mail in
            change(&mail)
            defer { mail.waiter = nil }
            return mail.waiter
        }?.resume()
    }

    // MARK: - On the loop's thread

    /// Takes the handle and tells it all of the request.
    func prepare(_ easy: UnsafeMutableRawPointer, _ proxies: ProxyExceptions) {
        self.easy = easy
        let context = Unmanaged.passUnretained(self).toOpaque()
        fields = easy.setOptions(for: request, proxies)
        ccurl_call(easy, handleHead, handleBody, handleBefore, context)
        if request.upload != nil { ccurl_call_upload(easy, handleRead, handleSeek, handleSent, context) }
    }

    /// Gives the handle back.
    func letGo() {
        easy = nil
        curl_slist_free_all(fields)
        fields = nil
        if file >= 0 { close(file) }
        file = -1
    }

    /// What came of it; called before ``letGo()``.
    func outcome(_ code: CURLcode) -> Outcome {
        guard let easy, code == CURLE_OK else {
            let reason = fault ?? String(cString: curl_easy_strerror(code))
            return .failure(HTTPTransportError(code.transportCode(isSent: isSent), "\(authority): \(reason)"))
        }
        // libcurl takes a head that was cut short for a whole one without a body.
        guard isHeadWhole else {
            return .failure(HTTPTransportError(.connectionLost, "\(authority): the answer was cut short"))
        }
        return .success(HTTPResponse(status: ccurl_status(easy), headers: headers, body: body))
    }

    // MARK: - From libcurl

    /// A line of a head. Before the last one come those of redirects and of answers that only say to go on.
    fileprivate func takeHead(_ bytes: UnsafeRawBufferPointer) {
        isUnanswered = false
        let line = bytes.prefix { $0 != 13 && $0 != 10 }
        if line.starts(with: "HTTP/".utf8) {
            headers = HTTPHeaders()
            isHeadWhole = false
            body = []
        } else if line.isEmpty {
            isHeadWhole = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            var value = line[(colon + 1)...].drop { $0 == 32 || $0 == 9 }
            while let last = value.last, last == 32 || last == 9 { value.removeLast() }
            headers.append(String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
        }
    }

    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) {
        if body.isEmpty, let length = headers["Content-Length"].flatMap({ Int($0) }) {
            body.reserveCapacity(min(length, 4 << 20))
        }
        body.append(contentsOf: bytes)
    }

    /// Whether the request may be sent now.
    fileprivate func maySend() -> Bool {
        guard !isUnanswered || request.method == "GET" || request.method == "HEAD" else {
            fault = "the connection was lost before an answer"
            return false
        }
        isUnanswered = true
        isSent = true
        return true
    }

    /// The next bytes of the file; `nil` when there are none though there should be.
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard let upload = request.upload else { return nil }
        if file < 0 { file = open(upload.path, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else {
            fault = "\(upload.path): \(String(cString: strerror(errno)))"
            return nil
        }
        let wanted = Int(min(Int64(buffer.count), upload.size - place))
        guard wanted > 0 else { return 0 }
        var count: Int
        repeat { count = pread(file, buffer.baseAddress, wanted, off_t(place)) } while count < 0 && errno == EINTR
        guard count > 0 else {
            fault = "\(upload.path): \(count < 0 ? String(cString: strerror(errno)) : "shorter than it was")"
            return nil
        }
        place += Int64(count)
        return count
    }

    /// Goes to another place of the file: the beginning, when it is sent again.
    fileprivate func seek(to place: Int64) {
        self.place = place
        sent = min(sent, place)
    }

    fileprivate func note(sent now: Int64) {
        guard now != sent else { return }
        if now > sent { deadline = .now + timeout }
        sent = now
        deliver { mail in
            if mail.sent.count == Self.longestMail { mail.sent.removeLast() }
            mail.sent.append(now)
        }
    }
}

extension HTTPTransportError {
    static let cancelled = HTTPTransportError(.cancelled, "cancelled")
}

// What libcurl calls, on the loop's thread, while the loop holds the transfer. Plain functions: a closure could become
// isolated to an actor.

private func transfer(_ context: UnsafeMutableRawPointer) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

private func handleHead(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    transfer(context).takeHead(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private func handleBody(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let context else { return 0 }
    transfer(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
}

private func handleBefore(
    _ context: UnsafeMutableRawPointer?, _ server: UnsafeMutablePointer<CChar>?, _ own: UnsafeMutablePointer<CChar>?,
    _ serverPort: Int32, _ ownPort: Int32
) -> Int32 {
    guard let context, transfer(context).maySend() else { return CURL_PREREQFUNC_ABORT }
    return CURL_PREREQFUNC_OK
}

private func handleRead(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let buffer, let context else { return Int(CURL_READFUNC_ABORT) }
    let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
    return transfer(context).read(into: room) ?? Int(CURL_READFUNC_ABORT)
}

private func handleSeek(_ context: UnsafeMutableRawPointer?, _ place: curl_off_t, _ origin: Int32) -> Int32 {
    guard let context, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    transfer(context).seek(to: Int64(place))
    return CURL_SEEKFUNC_OK
}

private func handleSent(
    _ context: UnsafeMutableRawPointer?, _ toReceive: curl_off_t, _ received: curl_off_t, _ toSend: curl_off_t,
    _ sent: curl_off_t
) -> Int32 {
    if let context { transfer(context).note(sent: Int64(sent)) }
    return 0
}
