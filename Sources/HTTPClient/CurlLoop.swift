import CCurl
import Glibc
import HTTPCore
import Synchronization

/// One thread that drives all transfers of a transport.
///
/// Others only put transfers into its inbox and wake it. A transfer's waiter is told when libcurl has let go of it, with its
/// socket and its file: nothing happens on its behalf afterwards.
///
/// Unchecked: `running`, `spare` and `nextDeadline` belong to the thread; all else is locked or constant.
final class CurlLoop: @unchecked Sendable {
    private struct Inbox {
        var begun: [Transfer] = []
        var cancelled: [Transfer] = []
        var isWoken = false
        var isFinishing = false
    }

    /// Milliseconds to wait where nothing is to be waited for.
    private static let longestWait: Int32 = 3_600_000
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    private let inbox = Mutex(Inbox())
    private let multi: UnsafeMutableRawPointer
    private let proxies = ProxyExceptions()
    private var running: [UnsafeMutableRawPointer: Transfer] = [:]
    /// Handles of transfers that are over.
    private var spare: [UnsafeMutableRawPointer] = []
    /// Not later than that of any transfer.
    private var nextDeadline: ContinuousClock.Instant?

    private init(_ multi: UnsafeMutableRawPointer) {
        self.multi = multi
        ccurl_multi_set_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, CurlTransport.connectionsPerHost)
        ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, CurlTransport.keptConnections)
    }

    /// `nil` when the system has no thread, memory or file descriptor for it.
    static func start() -> CurlLoop? {
        guard isReady, let multi = curl_multi_init() else { return nil }
        // Without a descriptor to wake it by, it would sleep for ever.
        guard curl_multi_wakeup(multi) == CURLM_OK else {
            curl_multi_cleanup(multi)
            return nil
        }
        let context = Unmanaged.passRetained(CurlLoop(multi))
        // The signals are the app's, and one of a lost TLS connection would end it.
        var all = sigset_t()
        var former = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &former)
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, runLoop, context.toOpaque())
        pthread_sigmask(SIG_SETMASK, &former, nil)
        guard code == 0 else {
            context.release()
            curl_multi_cleanup(multi)
            return nil
        }
        pthread_detach(thread)
        return context.takeUnretainedValue()
    }

    // MARK: - From any thread

    func begin(_ transfer: Transfer) {
        let isCancelled = inbox.withLock { inbox in
            if transfer.isCancelled { return true }
            transfer.isBegun = true
            inbox.begun.append(transfer)
            wake(&inbox)
            return false
        }
        if isCancelled { transfer.end(.failure(.cancelled)) }
    }

    func cancel(_ transfer: Transfer) {
        inbox.withLock { inbox in
            transfer.isCancelled = true
            guard transfer.isBegun else { return }
            inbox.cancelled.append(transfer)
            wake(&inbox)
        }
    }

    /// Ends the thread and closes the connections, when the transfers that are under way have ended.
    func finish() {
        inbox.withLock { inbox in
            inbox.isFinishing = true
            wake(&inbox)
        }
    }

    /// Under the inbox's lock, so that the thread does not free what is being woken.
    private func wake(_ inbox: inout Inbox) {
        guard !inbox.isWoken else { return }
        inbox.isWoken = true
        curl_multi_wakeup(multi)
    }

    // MARK: - On the thread

    fileprivate func run() {
        ccurl_name_thread("cumulet.http")
        while !takeInbox() {
            var count: Int32 = 0
            let code = curl_multi_perform(multi, &count)
            endFinished()
            if code != CURLM_OK { fail(code) }
            expire()
            curl_multi_poll(multi, nil, 0, wait(), nil)
        }
        for easy in spare { curl_easy_cleanup(easy) }
        curl_multi_cleanup(multi)
    }

    /// Whether the thread is to end.
    private func takeInbox() -> Bool {
        let taken = inbox.withLock { inbox in
            defer { inbox = Inbox(isFinishing: inbox.isFinishing) }
            return inbox
        }
        for transfer in taken.begun { add(transfer) }
        for transfer in taken.cancelled { end(transfer, .failure(.cancelled)) }
        return taken.isFinishing && running.isEmpty
    }

    private func add(_ transfer: Transfer) {
        guard let easy = spare.popLast() ?? curl_easy_init() else {
            return transfer.end(.failure(HTTPTransportError(.unreachable, "no memory for a request")))
        }
        running[easy] = transfer
        transfer.prepare(easy, proxies)
        guard curl_multi_add_handle(multi, easy) == CURLM_OK else {
            return end(transfer, .failure(HTTPTransportError(.unreachable, "no memory for a request")))
        }
        nextDeadline = min(nextDeadline ?? transfer.deadline, transfer.deadline)
    }

    private func endFinished() {
        var easy: UnsafeMutableRawPointer?
        var code = CURLE_OK
        while ccurl_next_ended(multi, &easy, &code) {
            guard let easy, let transfer = running[easy] else { continue }
            end(transfer, transfer.outcome(code))
        }
    }

    /// libcurl itself fails, for want of memory; a transfer that stayed could stay for ever.
    private func fail(_ code: CURLMcode) {
        let reason = String(cString: curl_multi_strerror(code))
        for transfer in Array(running.values) {
            end(transfer, .failure(HTTPTransportError(.connectionLost, "\(transfer.authority): \(reason)")))
        }
    }

    private func expire() {
        let now = ContinuousClock.now
        guard let next = nextDeadline, next <= now else { return }
        for transfer in Array(running.values) where transfer.deadline <= now {
            let reason = "\(transfer.authority): no answer within \(transfer.timeout)"
            end(transfer, .failure(HTTPTransportError(.timedOut, reason)))
        }
        nextDeadline = running.values.map(\.deadline).min()
    }

    /// Milliseconds until something expires.
    private func wait() -> Int32 {
        guard !running.isEmpty, let nextDeadline else { return Self.longestWait }
        let left = nextDeadline - ContinuousClock.now
        guard left > .zero else { return 0 }
        guard left < .milliseconds(Self.longestWait) else { return Self.longestWait }
        return Int32((left / .milliseconds(1)).rounded(.up))
    }

    private func end(_ transfer: Transfer, _ result: Transfer.Outcome) {
        // It may have ended before it was cancelled.
        guard let easy = transfer.easy else { return }
        running[easy] = nil
        curl_multi_remove_handle(multi, easy)
        transfer.letGo()
        if spare.count < CurlTransport.keptConnections {
            curl_easy_reset(easy)
            spare.append(easy)
        } else {
            curl_easy_cleanup(easy)
        }
        transfer.end(result)
    }
}

/// The thread: it has the loop until it ends.
private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
