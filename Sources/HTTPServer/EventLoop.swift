import CMicroHTTPD
import Glibc
import HTTPCore
import Synchronization

/// One thread that drives one libmicrohttpd daemon and runs the handlers of its requests.
///
/// It is the preferred executor of its requests' tasks: a handler that never waits runs without a change of thread, and
/// one that waits elsewhere comes back here to answer.
///
/// Unchecked: `daemon`, `connections`, `inFlight` and `watched` belong to the loop's thread; all else is locked, atomic or
/// constant, `listener`'s memory too.
final class EventLoop: TaskExecutor, @unchecked Sendable {
    let configuration: HTTPServerConfiguration
    let responder: any HTTPResponder
    private let wakeDescriptor = cmhd_eventfd()
    private let watchDescriptor = cmhd_watch_open()
    private let isWakePending = Atomic<Bool>(false)
    let openConnections = Atomic<Int>(0)
    private let jobs = Mutex<[UnownedJob]>([])
    private let calls = Mutex<[@Sendable () -> Void]>([])
    private let stopping = Mutex<(seconds: Int, waiter: CheckedContinuation<Void, Never>)?>(nil)
    private var daemon: OpaquePointer?
    /// Where libmicrohttpd complains; freed with the loop.
    private let listener = UnsafeMutablePointer<cmhd_listener>.allocate(capacity: 1)
    var connections: [ObjectIdentifier: Connection] = [:]
    /// Exchanges from their request line to their end.
    var inFlight: [ObjectIdentifier: Exchange] = [:]
    /// Bytes of the bodies that exchanges hold.
    var bufferedBytes = 0
    /// Exchanges that have waited for long, by socket.
    private var watched: [Int32: Exchange] = [:]
    /// Tasks that may still come back to this thread, also after the daemon has ended.
    var runningTasks = 0
    /// Connections close after their answer.
    private(set) var isDraining = false
    /// No handler starts any more: libmicrohttpd must not end while a connection is suspended.
    private(set) var isClosed = false

    init?(socket: Int32, configuration: HTTPServerConfiguration, responder: any HTTPResponder) {
        self.configuration = configuration
        self.responder = responder
        let context = Unmanaged.passUnretained(self).toOpaque()
        listener.initialize(to: cmhd_listener(complained: handleComplaint, context: context))
        daemon = cmhd_start(
            socket, configuration.connectionLimit, configuration.headerBytes, configuration.idleSeconds, handleAccess,
            handleCompleted, handleConnection, handleBegin, listener, context)
        guard daemon != nil, wakeDescriptor >= 0, watchDescriptor >= 0 else { return nil }
    }

    /// Starts the thread, which keeps the loop alive until it has stopped.
    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        pthread_create(&thread, nil, runLoop, context)
        pthread_detach(thread)
    }

    /// Called once.
    func stop(within seconds: Int) async {
        await withCheckedContinuation { waiter in
            stopping.withLock { $0 = (seconds, waiter) }
            wake()
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        jobs.withLock { $0.append(unowned) }
        wake()
    }

    /// Calls `body` on the loop's thread, soon; from any thread.
    func perform(_ body: @escaping @Sendable () -> Void) {
        calls.withLock { $0.append(body) }
        wake()
    }

    /// Makes the loop look again, from any thread.
    func wake() {
        guard !isWakePending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    /// A client that leaves is told by an error of the call that writes to it.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }

    fileprivate func run() {
        guard let daemon else { return }
        Self.blockBrokenPipes()
        var descriptors = [
            pollfd(fd: cmhd_epoll_fd(daemon), events: Int16(POLLIN), revents: 0),
            pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: watchDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        var lastSweep = Self.now()
        var ending: (deadline: Int, listener: Int32, waiter: CheckedContinuation<Void, Never>)?
        while true {
            var timeout: UInt64 = 0
            var wait: Int32 = connections.isEmpty && ending == nil ? -1 : 1000
            if MHD_get_timeout(daemon, &timeout) == .YES {
                wait = min(wait < 0 ? .max : wait, Int32(clamping: timeout))
            }
            if wait != 0 { poll(&descriptors, 3, wait) }
            if descriptors[1].revents != 0 {
                var count: UInt64 = 0
                _ = read(wakeDescriptor, &count, 8)
            }
            isWakePending.store(false, ordering: .sequentiallyConsistent)
            if descriptors[2].revents != 0 { cancelDeparted() }
            MHD_run(daemon)
            drain()
            let now = Self.now()
            if now != lastSweep {
                lastSweep = now
                endAbandoned()
                watchParked()
                for exchange in inFlight.values { exchange.keepAlive(now) }
                for connection in connections.values {
                    if let deadline = connection.deadline, deadline < now { connection.endLate() }
                }
            }
            if ending == nil, let (seconds, waiter) = stopping.withLock({ $0 }) {
                isDraining = true
                ending = (now + seconds, MHD_quiesce_daemon(daemon), waiter)
                // New clients are refused from here on, instead of waiting in the queue of a listener nobody reads.
                if let listener = ending?.listener, listener >= 0 { shutdown(listener, Int32(SHUT_RDWR)) }
                for exchange in inFlight.values { exchange.response?.live?.end() }
            }
            if let (deadline, listener, waiter) = ending, inFlight.isEmpty || now >= deadline {
                isClosed = true
                let late = configuration.errorBody(503, "the service is stopping")
                for exchange in inFlight.values where exchange.isRunning && exchange.response == nil {
                    exchange.task?.cancel()
                    exchange.finish(late)
                }
                for exchange in inFlight.values where exchange.response?.live != nil { exchange.peerLeft() }
                MHD_run(daemon)
                drain()
                MHD_stop_daemon(daemon)
                self.daemon = nil
                if listener >= 0 { Glibc.close(listener) }
                waiter.resume()
                break
            }
        }
        // Tasks that outlive the daemon still come here; they find their exchange over and end.
        while runningTasks > 0 {
            poll(&descriptors[1], 1, -1)
            var count: UInt64 = 0
            _ = read(wakeDescriptor, &count, 8)
            isWakePending.store(false, ordering: .sequentiallyConsistent)
            drain()
        }
    }

    /// Ends requests whose client left before they were whole: libmicrohttpd misses an end that comes with the last bytes.
    private func endAbandoned() {
        for exchange in inFlight.values where !exchange.isWhole && !exchange.isQueued {
            var byte: UInt8 = 0
            if recv(exchange.connection.socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0 {
                shutdown(exchange.connection.socket, Int32(SHUT_RDWR))
            }
        }
    }

    /// Watches the peers of answers that take longer than a second or two, such as polls; the others are not worth it.
    private func watchParked() {
        for exchange in inFlight.values where exchange.isSuspended {
            if exchange.isLong, watched[exchange.connection.socket] == nil {
                watched[exchange.connection.socket] = exchange
                cmhd_watch(watchDescriptor, exchange.connection.socket)
            }
            exchange.isLong = true
        }
    }

    func unwatch(_ exchange: Exchange) {
        guard watched[exchange.connection.socket] === exchange else { return }
        watched[exchange.connection.socket] = nil
        cmhd_unwatch(watchDescriptor, exchange.connection.socket)
    }

    /// Nobody waits for these answers any more.
    private func cancelDeparted() {
        var sockets = [Int32](repeating: -1, count: 64)
        let count = cmhd_departed(watchDescriptor, &sockets)
        for socket in sockets.prefix(Int(count)) { watched[socket]?.peerLeft() }
    }

    private func drain() {
        while true {
            let called = calls.withLock { calls in
                defer { calls.removeAll(keepingCapacity: true) }
                return calls
            }
            for call in called { call() }
            let batch = jobs.withLock { jobs in
                defer { jobs.removeAll(keepingCapacity: true) }
                return jobs
            }
            if batch.isEmpty, called.isEmpty { return }
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    deinit {
        listener.deallocate()
        for descriptor in [wakeDescriptor, watchDescriptor] where descriptor >= 0 { Glibc.close(descriptor) }
    }
}

private func runLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
