import Glibc
import SQLCore
import Synchronization

/// Counts running threads, so that closing can wait for their end.
final class ThreadGroup: Sendable {
    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    /// Starts a thread that owns `connection`, if there is one, and has to close it.
    func start(
        _ connection: (any SQLConnection)?, _ body: @escaping @Sendable ((any SQLConnection)?) -> Void
    ) {
        state.withLock { $0.running += 1 }
        let start = ThreadStart(connection, body) { self.ended() }
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(start).toOpaque())
        precondition(code == 0, "the system starts no more threads (error \(code))")
        pthread_detach(thread)
    }

    /// Returns when every thread ended.
    func join() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.running > 0 { state.waiting.append(continuation) }
                return state.running == 0
            }
            if isDone { continuation.resume() }
        }
    }

    private func ended() {
        let waiting = state.withLock { state in
            state.running -= 1
            guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// What a new thread needs: made by the starter, used only by the thread once it runs.
private final class ThreadStart {
    private let connection: (any SQLConnection)?
    private var body: (@Sendable ((any SQLConnection)?) -> Void)?
    private let atEnd: @Sendable () -> Void

    init(
        _ connection: (any SQLConnection)?, _ body: @escaping @Sendable ((any SQLConnection)?) -> Void,
        atEnd: @escaping @Sendable () -> Void
    ) {
        self.connection = connection
        self.body = body
        self.atEnd = atEnd
    }

    func run() {
        body?(connection)
        body = nil  // and what it holds, before anyone hears of the end
        atEnd()
    }
}
